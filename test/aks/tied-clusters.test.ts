/** One management cluster and what is tied to it, through the command line: no ID is copied by hand, and a second run writes nothing. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { SecretClient } from "@azure/keyvault-secrets";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { readAksCluster } from "../../src/files/aks-cluster-output.js";
import { nodeCredential } from "../emulator/node-credential.js";
import { openLocalServer } from "../emulator/local-server.js";
import { sdkAccess } from "../emulator/sdk-access.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits, writesSince } from "../cli/expectations.js";
import { controlPlane, fileOf } from "../identities/cli/identities.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
/** In Azure, operations on an AKS cluster take minutes. */
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
const demo = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2", "--base-domain", "hcp.example.com"];

const createCluster = (azure: TestEmulator, ...flags: readonly string[]) =>
  azure.cli(["create", "management-cluster", "--cloud", "local", "--name", "mgmt", "--yes", ...flags], faster);

test("a hosted cluster is tied to a management cluster by its file: roles, classes, installation and verification", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const [file, kubeconfig, demoDirectory] = [azure.path("mgmt.json"), azure.path("mgmt.kubeconfig"), azure.path("demo")];
  const outputs = ["--output-file", file, "--output-kubeconfig", kubeconfig];
  const created = exits(await createCluster(azure, ...outputs), 0);
  expect(created.stderr).toContain(`kubeconfig of mgmt written to ${kubeconfig}; it contains credentials`);
  for (const written of [file, kubeconfig]) expect((await stat(written)).mode & 0o777).toBe(0o600);

  await placePrivateKey(demoDirectory, testKey());
  const tied = ["--management-cluster-file", file];
  const createAll = () =>
    azure.cli(["create", "all", ...demo, "--dns-zone-rg-name", "dns", "--output-dir", demoDirectory, ...tied], faster);
  exits(await createAll(), 0);
  await azure.traffic();
  exits(await createAll(), 0);
  exits(await createCluster(azure, ...outputs), 0);
  expect(await writesSince(azure)).toEqual([]);

  const { input } = await readAksCluster(file, "management-cluster");
  const { clientID = "", objectID } = input.keyVaultAddOn ?? {};
  const verified = await azure.cli(
    ["verify", "identities", "--cloud", "local", "--input-dir", demoDirectory, ...tied, "--output", "json"],
    faster,
  );
  const { results } = JSON.parse(verified.stdout) as { results: { check: string; subject: string; state: string; evidence: string }[] };
  const ofCluster = results.filter(({ subject, state }) => subject === "management cluster" && state !== "skipped");
  expect(ofCluster.map(({ check, state }) => [check, state])).toEqual(
    ["management-cluster", "vault-addon", "vault-addon-rotation", "vault-addon-role", "vault-addon-nodes"].map((check) => [
      check,
      "passed",
    ]),
  );
  expect(ofCluster.find(({ check }) => check === "vault-addon-role")?.evidence).toContain(objectID);

  const classes = exits(await azure.cli(["render", "secret-provider-classes", "--input-dir", demoDirectory, ...tied]), 0);
  const parameters = (loadAll(classes.stdout) as { spec: { parameters: Record<string, string> } }[]).map(({ spec }) => spec.parameters);
  expect(new Set(parameters.map((one) => one["userAssignedIdentityID"]))).toEqual(new Set([clientID]));
  const release = ["--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"];
  exits(await azure.cli(["render", "hosted-cluster", "--input-dir", demoDirectory, ...tied, ...release]), 0);
  const install = exits(await azure.cli(["render", "hypershift-install", ...tied, "--kubeconfig", kubeconfig]), 0);
  expect(install.stdout).toContain(`--aro-hcp-key-vault-users-client-id=${clientID}`);

  // Each pod reads its secret through the node, as the add-on's identity; the nodes' own identity has no role.
  const server = await openLocalServer({ directory: azure.directory });
  const { options } = sdkAccess(server);
  const nodes = Object.values((await azure.snapshot()).resources) as { id: string; type?: string }[];
  const [, node = ""] =
    nodes.map(({ id }) => /mgmt-nodes\/.*\/virtualMachineScaleSets\/([^/]+)$/i.exec(id)).find((match) => match !== null) ?? [];
  const readAs = async (client: string) => {
    const credential = nodeCredential(server, node, client);
    const vault = `https://${parameters[0]?.["keyvaultName"] ?? ""}.vault.azure.net`;
    return (await new SecretClient(vault, credential, { ...options, retryOptions: { maxRetries: 0 } }).getSecret("demo-cpo")).value;
  };
  expect(JSON.parse((await readAs(clientID)) ?? "")).toMatchObject({ tenant_id: controlPlane.managedIdentitiesKeyVault.tenantID });
  await expect(readAs(input.kubeletIdentity?.clientID ?? "")).rejects.toMatchObject({ statusCode: 403 });

  const { stdout } = exits(await azure.cli(["verify", "management-cluster", "--cloud", "local", ...tied, "--output", "json"], faster), 0);
  expect((JSON.parse(stdout) as { results: { state: string }[] }).results.filter(({ state }) => state === "failed")).toEqual([]);
  const destroyAll = ["destroy", "all", "--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2", "--purge", "--yes"];
  exits(await azure.cli(destroyAll, faster), 0);
  exits(await azure.cli(["destroy", "management-cluster", "--cloud", "local", ...tied, "--purge", "--yes"], faster), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("without local accounts, the kubeconfig has no credentials, but kubelogin; other files are not overwritten, before any write", async () => {
  const azure = await testEmulator();
  await azure.seed({ features: { "Microsoft.Compute/EncryptionAtHost": "Registered" } });
  const kubeconfig = await fileOf(azure, "config", { kind: "Config", clusters: [], contexts: [], users: [] });
  await azure.traffic();
  const refused = exits(await createCluster(azure, "--preset", "production", "--output-kubeconfig", kubeconfig), 2);
  expect(refused.stderr).toMatch(/config: it is a kubeconfig/);
  const output = await fileOf(azure, "infra.json", { infraID: "demo-x7k2" });
  expect(exits(await createCluster(azure, "--output-file", output), 2).stderr).toMatch(
    /infra\.json: it is an output file of create infra for "demo-x7k2"/,
  );
  expect(await writesSince(azure)).toEqual([]);

  const own = path.join(azure.path("."), "own");
  const { stderr } = exits(await createCluster(azure, "--preset", "production", "--output-kubeconfig", own), 0);
  expect(stderr).toContain("it needs kubelogin");
  const text = await readFile(own, "utf8");
  expect(text).toContain("command: kubelogin");
  expect(text).not.toMatch(/token:|client-key-data|client-certificate-data/);
  expect(text).toContain(`clusterID: /subscriptions/${subscriptionId}/resourceGroups/mgmt/`);
});
