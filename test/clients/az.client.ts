/** The Azure CLI, as installed, on what `create all` and the creates of clusters on AKS make. az.txt has its commands. */
import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AksClusterOutput } from "../../src/files/aks-cluster-output.js";
import { filledIn, problemOf, readAzScript, type AzSection } from "./az-script.js";
import { absent, runProgram, serveClusters, type ServedClusters } from "./served-cluster.js";

const [signIn, ...sections] = readAzScript(readFileSync(new URL("az.txt", import.meta.url), "utf8"));
const installed = await installedVersion();

/** Undefined if there is no az. */
async function installedVersion(): Promise<string | undefined> {
  const { code, stdout } = await runProgram("az", ["version", "--output", "json"], process.env);
  return code === 0 ? (JSON.parse(stdout) as { readonly "azure-cli": string })["azure-cli"] : undefined;
}

/** Why the installed az cannot run a section; undefined if it can. */
function lackOf({ since }: AzSection): string | undefined {
  if (installed === undefined) return absent("az is not installed");
  const isOlder = since !== undefined && installed.localeCompare(since, "en", { numeric: true }) < 0;
  return isOlder ? absent(`az ${installed} is installed`) : undefined;
}

/** What the commands compare with, from the output file of a cluster: `$mgmtIssuer`. */
function membersOf(name: string, document: AksClusterOutput): Record<string, string> {
  const { clusterID, oidcIssuerURL = "", keyVaultAddOn, kubeletIdentity, egressAddresses, ingressAddresses } = document;
  const [ingress, ops] = ingressAddresses;
  const members = {
    Cluster: clusterID,
    Issuer: oidcIssuerURL,
    AddOn: keyVaultAddOn?.clientID,
    AddOnObject: keyVaultAddOn?.objectID,
    Kubelet: kubeletIdentity?.objectID,
    Nodes: document.nodeResourceGroupName,
    Key: document.etcdKeyID,
    Egress: egressAddresses[0]?.ipAddress,
    EgressID: egressAddresses[0]?.id,
    Ingress: ingress?.ipAddress,
    Ops: ops?.ipAddress,
  };
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [`${name}${key}`, value ?? "absent"]));
}

describe.skipIf(installed === undefined)("the Azure CLI", () => {
  let cluster: ServedClusters;
  const environmentOf = (directory: string): NodeJS.ProcessEnv => ({
    ...cluster.environment,
    AZURE_CONFIG_DIR: cluster.path(directory),
    AZURE_CORE_COLLECT_TELEMETRY: "no",
    AZURE_CORE_LOGIN_EXPERIENCE_V2: "off",
    // Of other scripts' modules, in Debian's packages.
    PYTHONWARNINGS: "ignore",
  });

  /** Runs the commands one after the other, and continues after one that is wrong. */
  async function run({ commands }: AzSection, directory: string): Promise<void> {
    const values: Record<string, string> = {
      ...cluster.credentials,
      ...membersOf("mgmt", cluster.management),
      ...membersOf("svc", cluster.service),
      S: `/subscriptions/${cluster.credentials["subscriptionId"] ?? ""}`,
      folder: cluster.path("."),
    };
    const problems: string[] = [];
    for (const written of commands) {
      const command = filledIn(written, values);
      const { code, stdout, stderr } = await runProgram("az", command.words, environmentOf(directory));
      if (command.name !== undefined) values[command.name] = stdout.trim();
      const problem = problemOf(command, code, stdout, stderr);
      if (problem !== undefined) problems.push(problem);
    }
    expect(problems.join("\n\n")).toBe("");
  }

  beforeAll(async () => {
    cluster = await serveClusters(afterAll);
    if (signIn !== undefined) await run(signIn, "az");
  });

  for (const section of sections) {
    const lack = lackOf(section);
    // Sections run at the same time, each with the sign-in in a folder of its own.
    test.skipIf(lack !== undefined)([section.title, lack ?? ""].join(" ").trim(), { concurrent: true }, async () => {
      await cp(cluster.path("az"), cluster.path(section.title), { recursive: true });
      await run(section, section.title);
    });
  }
});
