/** `destroy management-cluster` where others have something in the node resource group or the vault, for the plan or only after it. */
import { describe, expect, test } from "vitest";
import { secretsOfficer } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import { aksClusterIds, seedAksCluster } from "../harness/aks-cluster.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { changeResource, changeState, deleteResources } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { keyOf } from "../cli/demo-cluster.js";
import { exits, refuses } from "../cli/expectations.js";

const flags = ["destroy", "management-cluster", "--cloud", "local", "--name", "mgmt"];
const destroy = (azure: TestEmulator, ...more: readonly string[]) => azure.cli([...flags, "--yes", ...more]);
const ids = aksClusterIds();
const inNodeGroup = (type: string, name: string) => `${ids.nodeGroup}/providers/${type}/${name}`;

const claim = (namespace: string, name: string) => ({
  ...{ "k8s-azure-created-by": "kubernetes-azure-dd", "kubernetes.io-created-for-pv-name": "pvc-1" },
  ...{ "kubernetes.io-created-for-pvc-namespace": namespace, "kubernetes.io-created-for-pvc-name": name },
});
const volume = inNodeGroup("Microsoft.Compute/disks", "pvc-1");

/** Puts it into the state without the checks of a service. */
function add(azure: TestEmulator, id: string, tags: Record<string, string> = {}): Promise<void> {
  const [type = "", name = ""] = [id.split("/").slice(6, 8).join("/"), id.split("/")[8]];
  return changeState(azure, ({ resources }) => {
    resources[keyOf(id)] = { id, name, type, location: "eastus", tags, createdAt: 0, properties: { provisioningState: "Succeeded" } };
  });
}

async function keys(azure: TestEmulator): Promise<string[]> {
  return Object.keys((await azure.snapshot()).resources);
}

const kinds: readonly (readonly [what: string, id: string, tags: Record<string, string>, line: RegExp])[] = [
  ["a persistent volume", volume, claim("monitoring", "data-0"), /remove +disk pvc-1: .*mgmt-nodes \(volume of claim monitoring\/data-0\)/],
  [
    "a storage account of the CSI driver",
    inNodeGroup("Microsoft.Storage/storageAccounts", "f0a1b2"),
    { "k8s-azure-created-by": "azure" },
    /remove +storage account f0a1b2: deleted with resource group mgmt-nodes \(AKS did not create it\)/,
  ],
  [
    "a SQL server of others",
    inNodeGroup("Microsoft.Sql/servers", "payroll"),
    { "aks-managed-cluster-name": "mgmt" },
    /remove +Microsoft.Sql\/servers payroll: deleted with resource group mgmt-nodes \(AKS did not create it\)/,
  ],
  ["a snapshot", inNodeGroup("Microsoft.Compute/snapshots", "before-upgrade"), {}, /remove +snapshot before-upgrade: deleted with/],
];

describe.each([
  ["with its cluster", false],
  ["whose cluster is gone", true],
])("a node resource group %s", (_which, isGone) => {
  test.each(kinds)("stops the destroy with %s in it, until --delete-foreign says that it goes", async (_what, id, tags, line) => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    if (isGone) await deleteResources(azure, ids.cluster);
    await add(azure, id, tags);
    await refuses(azure, destroy(azure, "--purge"), 5, "ARO-OWN-004", id, line, "--delete-foreign");
    const { stderr } = exits(await destroy(azure, "--purge", "--delete-foreign"), 0);
    expect(stderr).toMatch(line);
    expect((await azure.snapshot()).resources).toEqual(before.resources);
  });

  test("needs no flag for what AKS and the cloud provider of Kubernetes created in it", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await add(azure, inNodeGroup("Microsoft.Network/publicIPAddresses", "kubernetes-a0b1"), { "k8s-azure-service": "default/web" });
    await add(azure, inNodeGroup("Microsoft.Network/loadBalancers", "kubernetes-internal"));
    if (isGone) await deleteResources(azure, ids.cluster);
    exits(await destroy(azure), 0);
    expect(await keys(azure)).not.toContain(keyOf(ids.nodeGroup));
  });

  test("of a hosted control plane stops it as such, and the plan lists its disks", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    if (isGone) await deleteResources(azure, ids.cluster);
    await add(azure, volume, claim("clusters-demo", "data-etcd-0"));
    await refuses(azure, destroy(azure), 5, "ARO-OWN-008", "clusters-demo", "volume of claim clusters-demo/data-etcd-0");
    exits(await destroy(azure, "--delete-foreign"), 0);
  });
});

/** Starts a destroy that waits for an operation of AKS, changes something, and lets it go on. */
async function between(azure: TestEmulator, change: () => Promise<unknown>, ...more: readonly string[]) {
  const setState = (state: string) => changeResource(azure, ids.cluster, (stored) => (stored.properties["provisioningState"] = state));
  await setState("Updating");
  const running = await azure.startCli([...flags, "--yes", ...more]);
  await running.shows("AKS reports Updating");
  await change();
  await setState("Succeeded");
  return running.ended;
}

describe("what appears after the plan stops the deletion", () => {
  const late: readonly (readonly [what: string, id: string, tags: Record<string, string>])[] = [
    ["the etcd disk of a new hosted control plane", volume, claim("clusters-demo", "data-etcd-0")],
    ["a volume", volume, claim("monitoring", "data-0")],
    ["a storage account", inNodeGroup("Microsoft.Storage/storageAccounts", "theirs"), {}],
  ];

  test.each(late)("of the cluster: %s", async (_what, id, tags) => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const { stderr } = exits(await between(azure, () => add(azure, id, tags), "--purge"), 5);
    expect(stderr).toContain('resource group "mgmt-nodes" got new contents during the destroy');
    expect(stderr).toContain(id);
    expect(stderr).toContain("rerun the command to see the plan with it");
    expect(await keys(azure)).toEqual(expect.arrayContaining([ids.cluster, ids.nodeGroup, id, ids.vnet, ids.vault].map(keyOf)));
  });

  test("of the cluster also with --delete-foreign, if the plan did not list it", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await add(azure, volume, claim("monitoring", "data-0"));
    const second = `${volume}2`;
    const { stderr } = exits(await between(azure, () => add(azure, second, claim("monitoring", "data-1")), "--delete-foreign"), 5);
    expect(stderr).toMatch(new RegExp(`because\\S* +${second}$`, "m"));
    exits(await destroy(azure, "--delete-foreign"), 0);
  });

  test("but not what Kubernetes creates for a service, or what is gone by then", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await add(azure, volume, claim("monitoring", "data-0"));
    const change = async () => {
      await add(azure, inNodeGroup("Microsoft.Network/publicIPAddresses", "kubernetes-a0b1"), { "k8s-azure-service": "default/web" });
      await deleteResources(azure, volume);
    };
    exits(await between(azure, change, "--delete-foreign"), 0);
  });

  test.each([
    ["with the cluster", []],
    ["without it", [ids.cluster]],
  ])("at the prompt, before anything is deleted, %s", async (_which, gone) => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await deleteResources(azure, ...gone);
    const before = await azure.snapshot();
    const running = await azure.startCli(flags);
    await running.shows("Type mgmt to confirm");
    await add(azure, volume, claim("clusters-demo", "data-etcd-0"));
    running.type("mgmt\n");
    const { stderr } = exits(await running.ended, 5);
    expect(stderr).toContain("ARO-RUN-007");
    await deleteResources(azure, volume);
    expect(await azure.snapshot()).toEqual(before);
  });
});

describe("the vault of the etcd key is read again before its deletion", () => {
  const role = (principalId: string) => ({ scope: ids.vault, role: secretsOfficer.id, principalId });
  const setSecret = async (azure: TestEmulator) =>
    (await (await connectedAzure(azure.directory)).vaultContent(ids.names.etcdVault)).secrets.setSecret("theirs", "value");

  test.each([[["--purge"]], [[]]])("with %j, a secret that somebody added stops it", async (mode) => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const certificates = { ...role(wellKnown.clientPrincipalId), role: "00482a5a-887f-4fb3-b363-3b7fe8e74483" };
    await azure.seed({ roleAssignments: [certificates] });
    const { stderr } = exits(await between(azure, () => setSecret(azure), ...mode), 5);
    expect(stderr).toMatch(/Key Vault "ah-mgmt-\w+" got new contents during the destroy/);
    expect(stderr).toMatch(/because\S* +secret theirs$/m);
    expect(await keys(azure)).toContain(keyOf(ids.vault));
    const again = exits(await destroy(azure, ...mode), 0);
    expect(again.stderr).toMatch(new RegExp(`keep +${ids.vault}: it also contains secret theirs`));
  });

  test("a key of others stops it", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const key = { [`${ids.vault}/keys/theirs`]: { properties: { kty: "RSA" } } };
    const { stderr } = exits(await between(azure, () => azure.seed({ resources: key }), "--purge"), 5);
    expect(stderr).toMatch(/because\S* +key theirs$/m);
    expect(await keys(azure)).toContain(keyOf(ids.vault));
  });
});
