/** `destroy arc`: what it deletes in which order, what it keeps, and how it continues. */
import { expect, test } from "vitest";
import { testHelm } from "../../harness/helm.js";
import { kubernetesServer } from "../../harness/kubernetes.js";
import { changeResource, deleteResources, resource } from "../../harness/state-changes.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { arcClusterId, arcExtensionId, connectedCluster, startAgents, stopAgents } from "./connected-clusters.js";
import { subscription } from "../../cli/demo-cluster.js";
import { exits, writesSince } from "../../cli/expectations.js";

const demo = ["--cloud", "local", "--name", "demo", "--yes"];
const provider = arcExtensionId("akvsecretsprovider");

/** Connected, with the Key Vault provider. */
async function connected() {
  const azure = await testEmulator();
  await connectedCluster(azure);
  await startAgents(azure);
  exits(await azure.cli(["create", "arc", "extension", ...demo, "--extension-type", "key-vault"]), 0);
  await azure.traffic();
  return azure;
}

/** With helm or without, agents that belong to this connected cluster. */
async function agentsOf({ name = "demo", groupName = "demo-arc" } = {}, hasHelm = true) {
  const kubernetes = await kubernetesServer();
  const helm = await testHelm(temporaryDirectory().path, hasHelm);
  if (hasHelm) await helm.setStatus("deployed");
  const namespace = (named: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name: named } });
  kubernetes.put(namespace("azure-arc"), namespace("azure-arc-release"), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "azure-clusterconfig", namespace: "azure-arc" },
    data: { AZURE_SUBSCRIPTION_ID: subscription.split("/").at(-1), AZURE_RESOURCE_GROUP: groupName, AZURE_RESOURCE_NAME: name },
  });
  const destroy = (azure: TestEmulator) =>
    azure.cli(["destroy", "arc", ...demo, "--kubeconfig", kubernetes.kubeconfig], { env: { PATH: helm.path } });
  return { kubernetes, helm, destroy, areKept: () => kubernetes.get("Namespace", undefined, "azure-arc") !== undefined };
}

const destroy = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["destroy", "arc", ...demo, ...flags]);

test("without access, the extensions go before the connected cluster, and the agents stay with the commands that remove them", async () => {
  const azure = await connected();
  const { stderr } = exits(await destroy(azure), 0);
  const text = stderr.replace(/\s+/g, " ");
  // Neither a vault nor an application is deleted.
  expect(text).not.toContain("Azure keeps");
  expect(text).toContain("warning: the agents stay in the cluster");
  expect(text).toContain("`helm uninstall azure-arc --namespace azure-arc-release --ignore-not-found --wait`");
  expect(text).toContain("`oc delete clusterrolebinding aro-hcp-arc-kube-aad-proxy --ignore-not-found`");
  expect(text).toContain("`oc delete namespace azure-arc azure-arc-release --ignore-not-found`");
  const group = arcClusterId.split("/providers/")[0] ?? "";
  const writes = (await writesSince(azure)).map((write) => write.toLowerCase());
  expect(writes).toEqual([provider, arcClusterId, group].map((id) => `delete ${id.toLowerCase()}`));
});

test("agents that are not connected uninstall nothing: Azure deletes the extensions with the cluster", async () => {
  const azure = await connected();
  await stopAgents(azure);
  const { stderr } = exits(await destroy(azure), 0);
  expect(stderr.replace(/\s+/g, " ")).toContain("deleted with the connected cluster; its pods stay in the cluster");
  expect(await writesSince(azure)).not.toContain(`DELETE ${provider}`);
  expect(await resource(azure, provider)).toBeUndefined();
});

test("with access, the agents go after the extensions and before the connected cluster", async () => {
  const azure = await connected();
  const { destroy: withAccess, areKept, helm } = await agentsOf();
  exits(await withAccess(azure), 0);
  expect(await helm.calls()).toEqual(["uninstall azure-arc --namespace"]);
  expect(areKept()).toBe(false);
  expect(await resource(azure, arcClusterId)).toBeUndefined();
});

test.each([
  ["of another connected cluster", { name: "other", groupName: "other-arc" }],
  ["of a connected cluster with the same name in another resource group", { groupName: "elsewhere" }],
])("agents %s are kept", async (_what, place) => {
  const azure = await connected();
  const { destroy: withAccess, areKept, helm } = await agentsOf(place);
  const { stderr } = exits(await withAccess(azure), 0);
  expect(stderr.replace(/\s+/g, " ")).toContain(`in resource group "${place.groupName}", so its agents are kept`);
  expect(areKept()).toBe(true);
  expect(await helm.calls()).toEqual([]);
  expect(await resource(azure, arcClusterId)).toBeUndefined();
});

test("a connected cluster that create arc did not create is kept with its agents and extensions", async () => {
  const azure = await connected();
  await changeResource(azure, arcClusterId, (stored) => (stored.tags = {}));
  const { destroy: withAccess, areKept, helm } = await agentsOf();
  exits(await withAccess(azure), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(areKept()).toBe(true);
  expect(await helm.calls()).toEqual([]);
});

test("without helm, the agents stay with the commands that remove them", async () => {
  const azure = await connected();
  const { destroy: withAccess, areKept } = await agentsOf({}, false);
  expect(exits(await withAccess(azure), 0).stderr).toContain("the agents stay in the cluster");
  expect(areKept()).toBe(true);
});

test("agents of a connected cluster that is already deleted are removed", async () => {
  const azure = await connected();
  await deleteResources(azure, arcClusterId);
  const { destroy: withAccess, areKept } = await agentsOf();
  exits(await withAccess(azure), 0);
  expect(areKept()).toBe(false);
});

test("a destroy that failed continues where it stopped", async () => {
  const azure = await connected();
  const refused = { method: "DELETE", path: "/connectedClusters/demo$", times: 9, answer: { status: 403, body: "{}" } };
  const failed = await azure.cli(["destroy", "arc", ...demo], { faults: [refused] });
  expect(failed.code).not.toBe(0);
  expect(await resource(azure, provider)).toBeUndefined();
  expect(await resource(azure, arcClusterId)).toBeDefined();
  await azure.traffic();
  exits(await destroy(azure), 0);
  expect(await writesSince(azure)).not.toContain(`DELETE ${provider}`);
  expect(await resource(azure, arcClusterId)).toBeUndefined();
});

test("a HostedCluster that does not exist any more is no error for a destroy, and one for a create", async () => {
  const azure = await connected();
  const { kubeconfig } = await kubernetesServer();
  const access = ["--management-kubeconfig", kubeconfig, "--hosted-cluster", "clusters/demo"];
  const created = await azure.cli(["create", "arc", ...demo, "--output-dir", azure.path("arc"), ...access]);
  expect(exits(created, 5).stderr).toContain("the HostedCluster clusters/demo does not exist");
  expect(exits(await azure.cli(["verify", "arc", ...demo.slice(0, -1), ...access]), 5).stderr).toContain("does not exist");
  exits(await destroy(azure, ...access), 0);
  expect(await resource(azure, arcClusterId)).toBeUndefined();
});
