/** Two clusters on one identity set: each has its own names, and the set lives as long as one of them needs it. */
import { readFile, rm } from "node:fs/promises";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { readInfraOutput } from "../../src/files/infra-output.js";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { exits, refuses, writesSince } from "../cli/expectations.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const local = ["--cloud", "local"] as const;
const shared = ["--identities-name", "shared"] as const;
const domain = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"] as const;
const nameOf = (name: string) => [...local, "--name", name, "--infra-id", `${name}-x1`];

const signingKeys = { blue: testKey(), green: testKey() };

async function create(azure: TestEmulator, name: "blue" | "green", flags: readonly string[] = shared) {
  await placePrivateKey(azure.path(name), signingKeys[name]);
  return azure.cli(["create", "all", ...nameOf(name), ...domain, ...flags, "--output-dir", azure.path(name)]);
}

// Without the name of the set: the role assignments of the cluster show it.
const destroy = (azure: TestEmulator, name: string) => azure.cli(["destroy", "all", ...nameOf(name), "--yes", "--purge"]);

async function render(azure: TestEmulator, name: string): Promise<readonly Manifest[]> {
  const release = ["--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"];
  const { stdout } = exits(await azure.cli(["render", "hosted-cluster", "--input-dir", azure.path(name), ...release]), 0);
  return (loadAll(stdout) as readonly Manifest[]).filter(({ kind }) => kind === "HostedCluster");
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly issuerURL: string; readonly serviceAccountSigningKey: { readonly name: string } };
}

/** It has names of its own in its files and its HostedCluster, and everything that it needs in Azure. */
async function isWhole(azure: TestEmulator, name: string): Promise<void> {
  const { privateZoneID, clusterName } = await readInfraOutput(`${azure.path(name)}/infra.json`);
  expect(clusterName).toBe(name);
  expect(privateZoneID).toContain(`/${name}-azurecluster.hcp.example.com`);
  const [cluster] = await render(azure, name);
  expect(cluster?.metadata.name).toBe(name);
  expect(cluster?.spec.issuerURL).toBe("https://shared8d73c7.blob.core.windows.net/shared");
  exits(await azure.cli(["verify", "identities", ...local, "--input-dir", azure.path(name)]), 0);
  exits(await azure.cli(["verify", "infra", ...local, "--infra-file", `${azure.path(name)}/infra.json`]), 0);
}

test("two clusters on one set have their own names, are verified, and are destroyed with the set", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure, "blue"), 0);
  exits(await create(azure, "green"), 0);
  for (const name of ["blue", "green"]) await isWhole(azure, name);
  const keys = await Promise.all(["blue", "green"].map(async (name) => (await render(azure, name))[0]?.spec.serviceAccountSigningKey.name));
  expect(new Set(keys).size).toBe(2);
  const identities = await Promise.all(["blue", "green"].map((name) => readFile(`${azure.path(name)}/identities.json`, "utf8")));
  expect(identities[0]).toBe(identities[1]);

  // A rerun remembers the set, also that of the infrastructure alone.
  await azure.traffic();
  exits(await create(azure, "blue", []), 0);
  exits(await azure.cli(["create", "infra", ...nameOf("blue"), "--base-domain", "hcp.example.com"]), 0);
  expect(await writesSince(azure)).toEqual([]);

  const { stderr } = exits(await destroy(azure, "blue"), 0);
  expect(stderr).toMatch(/identity set shared with its issuer.*green-x1 uses it/);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    `${signingKeys.blue.kid} or ${signingKeys.green.kid}: \`aro-hcp create key-pair --output-dir <directory>\` prints the ID`,
  );
  exits(await azure.cli(["verify", "identities", ...local, "--input-dir", azure.path("green")]), 0);
  const again = exits(await azure.cli(["destroy", "all", ...nameOf("blue"), ...shared, "--yes"]), 0).stderr;
  expect(again).toMatch(/belongs to cluster blue\/blue-x1; infra IDs that exist there: green-x1/);

  exits(await destroy(azure, "green"), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("two clusters on one set that are created and destroyed at the same time are whole, and leave nothing that a rerun does not delete", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  for (const result of await Promise.all((["blue", "green"] as const).map((name) => create(azure, name)))) exits(result, 0);
  for (const name of ["blue", "green"]) await isWhole(azure, name);
  for (const result of await Promise.all(["blue", "green"].map((name) => destroy(azure, name)))) exits(result, 0);
  exits(await azure.cli(["destroy", "all", ...nameOf("green"), ...shared, "--yes", "--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

type AzureState = Parameters<Parameters<typeof changeState>[1]>[0];

const isGreen = (scope: string) => scope.toLowerCase().includes("/resourcegroups/green-");

/** The other cluster has no role assignment with a name of aro-hcp. */
test("a set is kept while another cluster has role assignments of another tool", async () => {
  const change = ({ roleAssignments }: AzureState) => {
    const named = Object.entries(roleAssignments).filter(([, { scope }]) => isGreen(scope));
    for (const [at, [key, one]] of named.entries()) {
      const name = `a55169ed-0000-4000-8000-${String(at).padStart(12, "0")}`;
      delete roleAssignments[key];
      roleAssignments[key.replace(one.name, name)] = { ...one, name };
    }
  };
  const azure = await testEmulator();
  const before = await azure.snapshot();
  for (const name of ["blue", "green"] as const) exits(await create(azure, name), 0);
  await changeState(azure, change);
  expect(exits(await destroy(azure, "blue"), 0).stderr).toMatch(/identity set shared with its issuer.*green-x1 uses it/);
  const set = [...local, "--name", "shared"];
  const group = ["--resource-group-name", "shared-common"];
  for (const alone of [
    ["destroy", "identities", ...set, ...group],
    ["destroy", "encryption-key", ...set, ...group],
    ["destroy", "oidc-issuer", ...set],
  ])
    await refuses(azure, azure.cli([...alone, "--yes"]), 5, "ARO-OWN-006", /green-x1/);
  exits(await azure.cli(["destroy", "all", ...nameOf("green"), ...shared, "--yes", "--purge"]), 0);
  expect((await azure.snapshot()).resources).toEqual(before.resources);
});

test("a configuration file of a cluster names the set for the commands about the set alone", async () => {
  const azure = await testEmulator();
  const flags = ["--resource-group-name", "common", "--oidc-issuer-url", "https://issuer.example.com/shared", "--dry-run", "-o", "json"];
  const env = { ARO_HCP_NAME: "blue", ARO_HCP_IDENTITIES_NAME: "shared" };
  const { stdout } = exits(await azure.cli(["create", "identities", ...local, ...flags], { env }), 0);
  expect(stdout).toContain("azure-disk-MI-shared");
  expect(stdout).not.toContain("blue");
});

test.each(["private", "public"])("with the cluster's %s key, a destroy names its key in the command that retires it", async (half) => {
  const azure = await testEmulator();
  // The key set of the second cluster begins with the key of the first.
  for (const name of ["green", "blue"] as const) exits(await create(azure, name), 0);
  if (half === "public") await rm(azure.path("blue/serviceaccount-signer.private"));
  const files = ["--identities-file", azure.path("blue/identities.json")];
  const { stderr } = exits(await azure.cli(["destroy", "all", ...nameOf("blue"), ...files, "--yes"]), 0);
  const [line = ""] = /aro-hcp create oidc-issuer [^`]*/.exec(stderr.replaceAll(/\s+/g, " ")) ?? [];
  expect(line).toContain(`--retire-key ${signingKeys.blue.kid}`);
  exits(await azure.cli(line.split(" ").slice(1)), 0);
  exits(await azure.cli(["verify", "identities", ...local, "--input-dir", azure.path("green")]), 0);
});

test("a second cluster with the name of the first does not join its issuer without a word", async () => {
  const azure = await testEmulator();
  const run = (infraId: string, directory: string, ...flags: readonly string[]) =>
    azure.cli([
      ...["create", "all", ...local, "--name", "blue", "--infra-id", infraId, ...domain],
      ...["--output-dir", azure.path(directory), ...flags],
    ]);
  await placePrivateKey(azure.path("first"), signingKeys.blue);
  exits(await run("blue-x1", "first"), 0);
  for (const flags of [["--yes"], ["--yes", "--dry-run"]])
    await refuses(azure, run("blue-x2", "second", ...flags), 5, "ARO-OIDC-005", signingKeys.blue.kid, "pass --identities-name blue");
  exits(await run("blue-x2", "second", "--identities-name", "blue"), 0);
  // The key of a cluster that exists may be lost.
  await refuses(azure, run("blue-x1", "lost"), 5, "ARO-OIDC-005", "beside it, pass --yes");
  expect(exits(await run("blue-x1", "lost", "--dry-run"), 0).stderr).toMatch(/with the new signing key, beside \S{43}, \S{43}, which/);
  exits(await run("blue-x1", "lost", "--yes"), 0);
});
