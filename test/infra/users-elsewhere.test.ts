/** Resources of others that use what a destroy would delete, which no tag shows: where the same resources may be its own, and until they are gone. */
import { expect, test } from "vitest";
import { cryptoServiceUser } from "../../src/domain/roles.js";
import { unlessUsedElsewhere } from "../../src/removal/users-elsewhere.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { seedAksCluster } from "../harness/aks-cluster.js";
import { changeState, deleteResources, resource } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, groups, ids, ownership } from "../cli/demo-cluster.js";
import { create, destroy, exits, refuses } from "../cli/expectations.js";
import { createSet, destroySet, setFlags, vaultId } from "../identities/cli/identity-sets.js";

const theirs = groupId("theirs");
const ownGroup = { [theirs]: { location: "eastus" } };
const machine = `${theirs}/providers/Microsoft.Compute/virtualMachines/build`;
const principal = "c1000000-0000-4000-8000-000000000001";

/** A virtual machine of others with an identity. */
async function seedMachine(azure: TestEmulator, identity: string, id = machine, tags: Record<string, string> = {}): Promise<void> {
  await azure.seed({ resources: { ...ownGroup, [id]: { location: "eastus", tags, properties: {} } } });
  await changeState(azure, ({ resources }) => {
    const stored = resources[id.toLowerCase()];
    if (stored)
      stored.beside = { ...stored.beside, identity: { type: "UserAssigned", userAssignedIdentities: { [identity.toUpperCase()]: {} } } };
  });
}

/** Like the identity of a disk encryption set. */
const seedKeyUser = (azure: TestEmulator, scope: string) =>
  azure.seed({ roleAssignments: [{ scope, role: cryptoServiceUser.id, principalId: principal }] });

test("the machines of an AKS cluster's own node resource group are not others", async () => {
  const azure = await testEmulator();
  const ids = await seedAksCluster(azure);
  const destroy = () => azure.cli(["destroy", "management-cluster", "--cloud", "local", "--name", "mgmt", "--yes"]);
  await seedMachine(azure, ids.kubeletIdentity);
  await refuses(azure, destroy(), 5, "ARO-OWN-010", machine);
  await deleteResources(azure, machine);
  const pool = `${ids.nodeGroup}/providers/Microsoft.Compute/virtualMachineScaleSets/aks-system-12345678-vmss`;
  await seedMachine(azure, ids.kubeletIdentity, pool, { "aks-managed-poolName": "system" });
  exits(await destroy(), 0);
});

const vault = vaultId("kv-of-demo");
const key = `${vault}/keys/demo-etcd-encryption`;

test.each([
  ["the key", key],
  ["its vault", vault],
])("a key is not deleted while a principal of others encrypts with it: its role is on %s", async (_what, scope) => {
  const azure = await testEmulator();
  exits(await createSet(azure, ["--enable-kms", "--key-vault-name", "kv-of-demo"]), 0);
  exits(await azure.cli(["create", "encryption-key", ...setFlags, "--key-vault-name", "kv-of-demo"]), 0);
  await seedKeyUser(azure, scope);
  const destroyKey = () => azure.cli(["destroy", "encryption-key", ...setFlags, "--key-vault-name", "kv-of-demo", "--yes"]);
  for (const destroy of [destroyKey, () => destroySet(azure)]) await refuses(azure, destroy(), 5, "ARO-OWN-010", `principal ${principal}`);
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, { principalId }] of Object.entries(roleAssignments)) if (principalId === principal) delete roleAssignments[id];
  });
  exits(await destroyKey(), 0);
  exits(await destroySet(azure), 0);
});

const encryptionSet = `${theirs}/providers/Microsoft.Compute/diskEncryptionSets/disks`;
const subscription = theirs.slice(0, theirs.indexOf("/resourceGroups/"));

test("an inherited role counts if a resource with that principal names the vault", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, ["--enable-kms", "--key-vault-name", "kv-of-demo"]), 0);
  await seedKeyUser(azure, subscription);
  const setKey = (keyUrl: string) =>
    azure.seed({
      resources: { ...ownGroup, [encryptionSet]: { location: "eastus", properties: { activeKey: { keyUrl } } } },
    });
  const setIdentity = () =>
    changeState(azure, ({ resources }) => {
      const stored = resources[encryptionSet.toLowerCase()];
      if (stored) stored.beside = { ...stored.beside, identity: { type: "SystemAssigned", principalId: principal } };
    });
  await setKey("https://KV-of-demo.vault.azure.net/keys/demo-etcd-encryption/1");
  await setIdentity();
  await refuses(azure, destroySet(azure), 5, "ARO-OWN-010", encryptionSet);
  await setKey("https://kv-of-others.vault.azure.net/keys/disks/1");
  await setIdentity();
  exits(await destroySet(azure), 0);
});

const interfaceOf = (subnet: string) => ({
  [`${theirs}/providers/Microsoft.Network/networkInterfaces/theirs`]: {
    location: "eastus",
    properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: subnet } } }] },
  },
});
const network = `${theirs}/providers/Microsoft.Network/virtualNetworks/theirs`;
const linkTo = (zone: string, tags: Record<string, string> = {}) => ({
  [network]: { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.99.0.0/16"] } } },
  [`${zone}/virtualNetworkLinks/theirs`]: {
    location: "global",
    tags,
    properties: { virtualNetwork: { id: network }, registrationEnabled: false },
  },
});

const guardedBy = (nsg: string) => ({
  [network]: {
    location: "eastus",
    properties: {
      addressSpace: { addressPrefixes: ["10.99.0.0/16"] },
      subnets: [{ name: "theirs", properties: { addressPrefix: "10.99.0.0/24", networkSecurityGroup: { id: nsg } } }],
    },
  },
});

const space = (addressPrefix: string, more: object = {}) => ({ addressSpace: { addressPrefixes: [addressPrefix] }, ...more });
const theirInterface = (configuration: object) => ({
  [network]: {
    location: "eastus",
    properties: space("10.99.0.0/16", { subnets: [{ name: "theirs", properties: { addressPrefix: "10.99.0.0/24" } }] }),
  },
  [`${theirs}/providers/Microsoft.Network/networkInterfaces/theirs`]: {
    location: "eastus",
    properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: `${network}/subnets/theirs` }, ...configuration } }] },
  },
});
const peering = (of: string, to: string) => ({
  [`${of}/virtualNetworkPeerings/theirs`]: { properties: { remoteVirtualNetwork: { id: to } } },
});
const otherNetwork = (id: string) => ({ [id]: { location: "eastus", properties: space("10.99.0.0/16") } });

test.each([
  ["a subnet of others with the security group", guardedBy(ids.nsg), "subnets/theirs"],
  ["an interface of others in a subnet", interfaceOf(ids.subnet), "networkInterfaces/"],
  ["a network of others that is linked to the zone", linkTo(ids.privateZone), network],
  ["such a network, with the cluster's tags on the link", linkTo(ids.privateZone, ownership), network],
  [
    "an interface of others behind the load balancer",
    theirInterface({ loadBalancerBackendAddressPools: [{ id: `${ids.loadBalancer}/backendAddressPools/demo-x7k2` }] }),
    /load balancer "demo-x7k2" is used by others[^]*networkInterfaces\/theirs\/ipConfigurations\/one/i,
  ],
])("%s stops a destroy before its first deletion", async (_what, resources, words) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed({ resources: { ...ownGroup, ...resources } });
  await refuses(azure, destroy(azure), 5, "ARO-OWN-010", words);
});

test("an interface of others with the cluster's address stops it too", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await deleteResources(azure, ids.loadBalancer);
  await azure.seed({ resources: { ...ownGroup, ...theirInterface({ publicIPAddress: { id: ids.publicIp } }) } });
  await refuses(azure, destroy(azure), 5, "ARO-OWN-010", /public IP address "demo-x7k2" is used by others[^]*networkInterfaces\/theirs/i);
});

test("a peering that somebody created stops it, and goes with the network with --delete-foreign, which names the other network", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed({ resources: { ...ownGroup, ...otherNetwork(network), ...peering(ids.vnet, network), ...peering(network, ids.vnet) } });
  const named = `is peered with ${network}, whose own peering would stay as Disconnected`;
  await refuses(azure, destroy(azure), 5, "ARO-OWN-004", named, "--delete-foreign");
  expect(exits(await destroy(azure, ["--delete-foreign"]), 0).stderr).toContain(named);
  expect(await resource(azure, network)).toBeDefined();
});

test.each([
  ["the network", ids.vnet],
  ["its resource group", groupId(groups.vnet)],
])("a peering that somebody creates after the plan stops the deletion of %s", async (_what, resourceId) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed({ resources: { ...ownGroup, ...otherNetwork(network), ...peering(ids.vnet, network), ...peering(network, ids.vnet) } });
  const deletions: string[] = [];
  const removal = { id: resourceId, title: resourceId, resourceId, after: [], remove: async () => void deletions.push(resourceId) };
  const client = await connectedAzure(azure.directory);
  const remove = (deleteForeign: boolean) =>
    unlessUsedElsewhere(client, [removal], { ids: [resourceId], byAzure: [ids.vnet], deleteForeign })[0]?.remove({
      ...{ step: resourceId, signal: new AbortController().signal, note: () => undefined },
    });
  await expect(remove(false)).rejects.toMatchObject({ code: "ARO-OWN-004" });
  expect(deletions).toEqual([]);
  await remove(true);
  expect(deletions).toEqual([resourceId]);
});

test("a peering with a network that is deleted too is no use of others", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const second = ids.vnet.replace(/[^/]+$/, "second");
  await azure.seed({ resources: { ...otherNetwork(second), ...peering(ids.vnet, second), ...peering(second, ids.vnet) } });
  expect(exits(await destroy(azure, ["--delete-foreign"]), 0).stderr).not.toContain("Disconnected");
});
