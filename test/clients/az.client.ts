/** The Azure CLI, as installed, on what `create all` and the creates of clusters on AKS make. az.txt has its commands, az.py runs them. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AksClusterOutput } from "../../src/files/aks-cluster-output.js";
import { pythonWith, runProgram, serveClusters } from "./served-cluster.js";

/** Of a command in az.py. `refused`: as on Azure, and as az.txt says. */
const outcomes = ["ok", "refused", "501", "version refused", "wrong"] as const;

/** A line of az.py. */
interface Ran {
  readonly section: string;
  readonly line: string;
  readonly outcome: (typeof outcomes)[number];
  readonly printed?: string;
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

const python = await pythonWith("azure-cli", "import azure.cli.core");

describe.skipIf(python.program === undefined)(`the Azure CLI ${python.lack}`.trim(), () => {
  let ran: readonly Ran[];

  beforeAll(async () => {
    const cluster = await serveClusters(afterAll);
    const values = {
      ...cluster.credentials,
      ...membersOf("mgmt", cluster.management),
      ...membersOf("svc", cluster.service),
      S: `/subscriptions/${cluster.credentials["subscriptionId"] ?? ""}`,
      folder: cluster.path("."),
    };
    const environment = {
      ...cluster.environment,
      AZURE_CONFIG_DIR: cluster.path("az"),
      AZURE_CORE_COLLECT_TELEMETRY: "no",
      AZURE_CORE_LOGIN_EXPERIENCE_V2: "off",
      PYTHONWARNINGS: "ignore",
    };
    const program = fileURLToPath(new URL("az.py", import.meta.url));
    const { code, stdout, stderr } = await runProgram(python.program ?? "", [program], { env: environment, input: JSON.stringify(values) });
    expect(code, stderr).toBe(0);
    ran = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Ran);
    const counts = outcomes.map((outcome) => `${String(those(outcome).length)} ${outcome}`);
    console.log(`${String(ran.length)} commands of az: ${counts.join(", ")}`);
  });

  const those = (outcome: Ran["outcome"]) =>
    ran.filter((one) => one.outcome === outcome).map(({ section, line, printed = "" }) => `${section}: ${line}\n  ${printed}`);

  test("every command shows what it must", () => {
    expect(those("wrong").join("\n\n")).toBe("");
  });

  test("no command is refused for its api-version", () => {
    expect(those("version refused").join("\n\n")).toBe("");
  });

  test("there are 250 commands, and at most 10 need what the emulator does not have", () => {
    expect(ran.length).toBeGreaterThanOrEqual(250);
    expect(those("501").slice(10).join("\n\n")).toBe("");
  });
});
