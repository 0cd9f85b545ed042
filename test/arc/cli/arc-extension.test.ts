/** `create|show|destroy arc extension`: installed, updated, refused, failed with what the agents say, and removed. */
import { expect, test } from "vitest";
import { kubernetesServer } from "../../harness/kubernetes.js";
import { changeResource, resource } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { arcClusterId, arcExtensionId, connectedCluster, registerProviders, startAgents, stopAgents } from "./connected-clusters.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";

const of = ["--cloud", "local", "--name", "demo"];
const create = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["create", "arc", "extension", ...of, "--yes", ...flags]);
const destroy = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["destroy", "arc", "extension", ...of, "--yes", ...flags]);
const show = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["show", "arc", "extension", ...of, ...flags]);
const keyVault = ["--extension-type", "key-vault"];
const provider = arcExtensionId("akvsecretsprovider");

async function connected(helmErrors?: Readonly<Record<string, string>>): Promise<TestEmulator> {
  const azure = await testEmulator();
  await connectedCluster(azure);
  await startAgents(azure, helmErrors);
  return azure;
}

const driver = "secrets-store-csi-driver";

test("the Key Vault provider is installed with rotation, updated in place, and unchanged by a rerun", async () => {
  const azure = await connected();
  exits(await create(azure, ...keyVault), 0);
  expect((await resource(azure, provider))?.properties).toMatchObject({
    extensionType: "Microsoft.AzureKeyVaultSecretsProvider",
    autoUpgradeMinorVersion: true,
    scope: { cluster: { releaseNamespace: "kube-system" } },
    configurationSettings: { [`${driver}.enableSecretRotation`]: "true", [`${driver}.rotationPollInterval`]: "2m" },
  });
  await azure.traffic();
  exits(await create(azure, ...keyVault), 0);
  expect(await writesSince(azure)).toEqual([]);

  exits(await create(azure, ...keyVault, "--rotation-interval", "10m", "--sync-secrets", "on"), 0);
  expect(await writesSince(azure)).toEqual([`PATCH ${provider}`]);
  // What is not set stays.
  expect((await resource(azure, provider))?.properties["configurationSettings"]).toEqual({
    [`${driver}.enableSecretRotation`]: "true",
    [`${driver}.rotationPollInterval`]: "10m",
    [`${driver}.syncSecret.enabled`]: "true",
  });
  const { stdout } = exits(await show(azure, "--output", "json"), 0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    clusterID: arcClusterId,
    extensions: [{ name: "akvsecretsprovider", provisioningState: "Succeeded", currentVersion: "1.7.2", problems: [] }],
  });
});

test("a pinned extension stays pinned in every rerun, and follows a release train only when one is named", async () => {
  const azure = await connected();
  exits(await create(azure, ...keyVault, "--extension-version", "1.5.0"), 0);
  const pinned = { autoUpgradeMinorVersion: false, version: "1.5.0", currentVersion: "1.5.0" };
  const shown = async () => {
    const { stdout } = exits(await show(azure, "--output", "json"), 0);
    return (JSON.parse(stdout) as { extensions: object[] }).extensions[0];
  };
  await azure.traffic();
  expect(exits(await create(azure, ...keyVault), 0).stderr.replace(/\s+/g, " ")).toMatch(
    /stays pinned to 1\.5\.0: to upgrade it automatically, pass --release-train Stable/,
  );
  expect(await writesSince(azure)).toEqual([]);
  // A change of a setting, and the repetition of a failed installation.
  exits(await create(azure, ...keyVault, "--rotation-interval", "10m"), 0);
  expect(await shown()).toMatchObject(pinned);
  await changeResource(azure, provider, (stored) => (stored.properties["provisioningState"] = "Failed"));
  exits(await create(azure, ...keyVault), 0);
  expect(await shown()).toMatchObject({ ...pinned, provisioningState: "Succeeded" });

  exits(await create(azure, ...keyVault, "--release-train", "Stable"), 0);
  expect(await shown()).toMatchObject({ autoUpgradeMinorVersion: true, currentVersion: "1.7.2" });
  // Upgrades that are off without a named version keep the installed one.
  await changeResource(azure, provider, (stored) => (stored.properties["autoUpgradeMinorVersion"] = false));
  await azure.traffic();
  expect(exits(await create(azure, ...keyVault), 0).stderr).toMatch(/stays pinned to 1\.7\.2/);
  expect(await writesSince(azure)).toEqual([]);
});

test("what Azure cannot change is refused before any write, and so is a second provider", async () => {
  const azure = await connected();
  exits(await create(azure, "--extension-type", "microsoft.flux", "--extension-name", "tools", "--release-namespace", "flux"), 0);
  await refuses(
    azure,
    create(azure, "--extension-type", "microsoft.flux", "--extension-name", "tools", "--release-namespace", "other"),
    5,
    /scope\.cluster\.releaseNamespace is flux, not other/,
    /destroy arc extension .*--extension-name tools/,
  );
  await refuses(
    azure,
    create(azure, "--extension-type", "microsoft.flux", "--extension-name", "tools", "--release-train", "Preview"),
    5,
    /releaseTrain is Stable, not Preview/,
  );
  await refuses(azure, create(azure, ...keyVault, "--extension-name", "tools"), 5, /extensionType is microsoft\.flux/);
  exits(await create(azure, ...keyVault, "--extension-name", "secrets"), 0);
  await refuses(azure, create(azure, ...keyVault), 5, /already: cluster extension "secrets"/, /pass --extension-name secrets/);
});

test("Azure Policy registers its provider first", async () => {
  const azure = await connected();
  await registerProviders(azure, { "Microsoft.PolicyInsights": "NotRegistered" });
  await azure.traffic();
  exits(await create(azure, "--extension-type", "policy"), 0);
  const writes = await writesSince(azure);
  expect(writes).toEqual([
    expect.stringMatching(/^POST .*\/providers\/Microsoft\.PolicyInsights\/register$/),
    `PUT ${arcExtensionId("azurepolicy")}`,
  ]);
});

test("the assignments that apply to the cluster are shown with the last evaluation of each", async () => {
  const azure = await connected();
  exits(await create(azure, "--extension-type", "policy"), 0);
  const policyDefinitionId = "/providers/Microsoft.Authorization/policyDefinitions/95edb821-ddaf-4404-9732-666045e056b4";
  const assigned = (name: string) => ({
    [`${arcClusterId}/providers/Microsoft.Authorization/policyAssignments/${name}`]: {
      properties: { displayName: `Policy ${name}`, policyDefinitionId, scope: arcClusterId },
    },
  });
  expect(exits(await show(azure, "--extension-type", "policy"), 0).stdout).toContain("nothing is assigned to the cluster");
  await azure.seed({ resources: { ...assigned("no-privileged"), ...assigned("labels"), ...assigned("new") } });
  await changeResource(azure, arcClusterId, (stored) => {
    stored.properties["agents"] = { ...(stored.properties["agents"] as object), violations: { "no-privileged": 2, labels: 0 } };
  });
  const { stdout } = exits(await show(azure, "--extension-type", "policy"), 0);
  expect(stdout).toMatch(/no-privileged +Policy no-privileged .* not compliant/);
  expect(stdout).toMatch(/labels +Policy labels .* compliant/);
  expect(stdout).toMatch(/new +Policy new .* not evaluated/);
  expect(stdout).toContain("1 assignment not complied with");
  const { policy } = JSON.parse(exits(await show(azure, "--output", "json"), 0).stdout) as { policy: { assignments: object[] } };
  expect(policy).toMatchObject({ nonCompliant: 1, summary: "evaluated" });
  expect(policy.assignments).toHaveLength(3);
});

const taken =
  'rendered manifests contain a resource that already exists. Unable to continue with install: CSIDriver "secrets-store.csi.k8s.io" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata';

test("a failed installation is reported in Helm's words with advice, shown, and repeated", async () => {
  const azure = await connected({ "microsoft.azurekeyvaultsecretsprovider": taken });
  const { stderr } = exits(await create(azure, ...keyVault), 1);
  expect(stderr).toMatch(/ARO-EXT-001/);
  // In the line of the failed step, and in the block of its cause.
  expect(stderr.match(/exists and cannot be imported/g)).toHaveLength(2);
  expect(stderr).toMatch(/helm uninstall csi-secrets-store/);
  const shown = exits(await show(azure), 0);
  expect(shown.stdout).toMatch(/akvsecretsprovider: error \S+: .*cannot be imported/);
  await startAgents(azure);
  await azure.traffic();
  exits(await create(azure, ...keyVault), 0);
  expect(await writesSince(azure)).toEqual([`PUT ${provider}`]);
});

test("with access to the cluster, another Secrets Store CSI driver is refused before any write", async () => {
  const azure = await connected();
  const cluster = await kubernetesServer();
  const release = (name: string) => ({ "meta.helm.sh/release-name": name, "meta.helm.sh/release-namespace": "kube-system" });
  const csiDriver = (annotations: object) => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    metadata: { name: "secrets-store.csi.k8s.io", annotations },
  });
  const access = [...keyVault, "--kubeconfig", cluster.kubeconfig];
  cluster.put(csiDriver(release("csi-secrets-store")));
  await refuses(azure, create(azure, ...access), 5, /Helm release csi-secrets-store in kube-system/, /helm uninstall csi-secrets-store/);
  cluster.put(csiDriver({}));
  await refuses(azure, create(azure, ...access), 5, /without Helm/, /oc delete clustercsidriver/);
  // The extension's own driver is no conflict.
  cluster.put(csiDriver(release("akvsecretsprovider")));
  exits(await create(azure, ...access), 0);
});

test("without connected agents nothing is installed or deleted, unless the deletion is forced", async () => {
  const azure = await testEmulator();
  await refuses(azure, create(azure, ...keyVault), 5, /connected cluster "demo" does not exist in resource group "demo-arc"/);
  await connectedCluster(azure);
  await refuses(azure, create(azure, ...keyVault), 5, /ARO-EXT-002/, /are Connecting/);
  await startAgents(azure);
  exits(await create(azure, ...keyVault), 0);
  await stopAgents(azure);
  await refuses(azure, destroy(azure, ...keyVault), 5, /pass --force-delete/);
  exits(await destroy(azure, ...keyVault, "--force-delete"), 0);
  expect(await resource(azure, provider)).toBeUndefined();
  exits(await destroy(azure, ...keyVault), 0);
});

test("destroy removes one extension by its type, and none of a cluster that create arc did not connect", async () => {
  const azure = await connected();
  exits(await create(azure, ...keyVault), 0);
  exits(await create(azure, "--extension-type", "policy"), 0);
  exits(await destroy(azure, ...keyVault), 0);
  expect(await resource(azure, provider)).toBeUndefined();
  expect(await resource(azure, arcExtensionId("azurepolicy"))).toBeDefined();
  await changeResource(azure, arcClusterId, (stored) => (stored.tags = {}));
  await refuses(azure, destroy(azure, "--extension-type", "policy"), 5, /was not connected by create arc/, /az k8s-extension delete/);
});

test.each<[string, readonly string[], RegExp]>([
  ["a bad name", [...keyVault, "--extension-name", "-x"], /is not a name of an extension/],
  ["another namespace", [...keyVault, "--release-namespace", "x"], /must be kube-system/],
  ["rotation of another type", ["--extension-type", "policy", "--secret-rotation", "on"], /requires --extension-type key-vault/],
  ["a train and a version", [...keyVault, "--release-train", "Preview", "--extension-version", "1.5.0"], /follows no train/],
  ["a bad interval", [...keyVault, "--rotation-interval", "2"], /is not a duration/],
  ["a bad setting", [...keyVault, "--extension-setting", "x"], /use key=value/],
])("%s is refused before any request", async (_what, flags, words) => {
  const azure = await testEmulator();
  const { stderr } = exits(await create(azure, ...flags), 2);
  expect(stderr).toMatch(words);
});
