/** `destroy management-cluster`: which resources are deleted or kept, and how it ends if it is interrupted. */
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { certificatesOfficer, networkContributor, secretsOfficer, secretsUser } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import { plainCopy } from "../../src/emulator/state/plain-copy.js";
import type { StoredResource } from "../../src/emulator/state/state.js";
import { aksClusterOutput } from "../../src/files/aks-cluster-output.js";
import { addOnPrincipal, aksClusterIds, assigned, clusterPrincipal, seedAksCluster } from "../harness/aks-cluster.js";
import { changeResource, changeState, deleteResources } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup, keyOf, subscription } from "../cli/demo-cluster.js";
import { exits, refuses, writesSince } from "../cli/expectations.js";

const mgmt = ["--cloud", "local", "--name", "mgmt"];
/** In Azure, operations on an AKS cluster take minutes. */
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "100" } };
const destroy = (azure: TestEmulator, flags: readonly string[] = [], options?: Parameters<TestEmulator["cli"]>[1]) =>
  azure.cli(["destroy", "management-cluster", ...mgmt, "--yes", ...flags], options);

const ids = aksClusterIds();
const tag = { "aro-hcp-management-cluster": "mgmt" };
const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };
const storage = { location: "eastus", sku: { name: "Standard_LRS" }, kind: "StorageV2", properties: {} };
const storageIn = (group: string) => `${groupId(group)}/providers/Microsoft.Storage/storageAccounts/theirs`;

/** The vault of an identity set, in a group of its own. */
const setVault = `${groupId("demo-common")}/providers/Microsoft.KeyVault/vaults/kv-demo`;
const identitySet = {
  resources: {
    [groupId("demo-common")]: { location: "eastus", tags: { "aro-hcp-identities": "demo" } },
    [setVault]: {
      location: "eastus",
      tags: { "aro-hcp-identities": "demo", "aro-hcp-created-as": "kv-demo" },
      properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
    },
  },
};

async function writeClusterFile(path: string, objectID: string): Promise<void> {
  const known = {
    ...({ kind: "management-cluster", name: "mgmt", cloud: "AzurePublicCloud", location: "eastus" } as const),
    ...{ subscriptionId: wellKnown.subscriptionId, tenantId: wellKnown.tenantId, resourceGroupName: "mgmt" },
    keyVaultAddOn: {
      id: `${ids.nodeGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/a`,
      clientId: objectID,
      objectId: objectID,
    },
  };
  await writeFile(path, JSON.stringify(aksClusterOutput(known)));
}

async function keys(azure: TestEmulator): Promise<string[]> {
  return Object.keys((await azure.snapshot()).resources).filter((key) => !/services\/default$/.test(key));
}

test("everything that create made is deleted, the cluster first, and a second destroy has nothing to do", async () => {
  const azure = await testEmulator();
  await azure.seed(identitySet);
  const before = await azure.snapshot();
  await seedAksCluster(azure, { vaultIds: [setVault] });
  const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
  expect(stderr).toContain("resource group mgmt-nodes: deleted with AKS cluster mgmt");
  // The plan, the first line of the progress and the summary have the same number, and count apart what goes with the cluster.
  const [, planned] = /^(\d+) to remove, 1 to remove with them$/m.exec(stderr) ?? [];
  expect(stderr).toContain(` destroy management-cluster mgmt: ${String(planned)} steps`);
  expect(stderr).toMatch(new RegExp(`is done in \\S+ ${String(planned)} removed, 1 removed with them$`, "m"));
  expect(await azure.snapshot()).toEqual(before);
  await azure.traffic();
  const { stderr: again } = exits(await destroy(azure), 0);
  expect(again).toContain('notice: nothing in subscription 5b5c0000-0000-4000-8000-000000000001 belongs to the management cluster "mgmt"');
  expect(await writesSince(azure)).toEqual([]);
});

test("the role of the add-on goes before the cluster, and those of the cluster's identity after it", async () => {
  const azure = await testEmulator();
  await azure.seed(identitySet);
  await seedAksCluster(azure, { vaultIds: [setVault] });
  await azure.traffic();
  exits(await destroy(azure), 0);
  const deleted = (await writesSince(azure)).map((line) => line.replace(/[0-9a-f-]{36}$/, "ID"));
  const at = (end: string) => deleted.findIndex((line) => line.toLowerCase().endsWith(end.toLowerCase()));
  expect(at(`${setVault}/providers/Microsoft.Authorization/roleAssignments/ID`)).toBe(0);
  expect(at(ids.cluster)).toBe(1);
  expect(at(`${ids.vnet}/providers/Microsoft.Authorization/roleAssignments/ID`)).toBeGreaterThan(1);
  expect(at(ids.clusterIdentity)).toBeGreaterThan(at(`${ids.vnet}/providers/Microsoft.Authorization/roleAssignments/ID`));
  expect(at(ids.nsg)).toBeGreaterThan(at(ids.vnet));
  expect(at(ids.group)).toBe(deleted.length - 1);
});

test("a dry run lists what goes and what stays, and deletes nothing", async () => {
  const azure = await testEmulator();
  await seedAksCluster(azure);
  const before = await azure.snapshot();
  const { stdout } = exits(await destroy(azure, ["--dry-run", "--output", "json"]), 0);
  const plan = JSON.parse(stdout) as { removed: { resourceId: string }[]; removedAlong: { id: string; why: string }[] };
  expect(plan.removed.map(({ resourceId }) => keyOf(resourceId))).toEqual(
    expect.arrayContaining(
      [ids.cluster, ids.vnet, ids.nsg, ids.outbound, ids.clusterIdentity, ids.kubeletIdentity, ids.vault, ids.group].map(keyOf),
    ),
  );
  expect(plan.removedAlong).toMatchObject([{ id: expect.stringMatching(/mgmt-nodes$/) as string, why: "deleted with AKS cluster mgmt" }]);
  expect(await azure.snapshot()).toEqual(before);
});

describe("resources of others", () => {
  test("in the cluster's group stay with the group, are listed, and a rerun finds nothing else", async () => {
    const azure = await testEmulator();
    const before = await keys(azure);
    await seedAksCluster(azure);
    const other = inGroup("mgmt", "virtualNetworks/theirs");
    await azure.seed({ resources: { [other]: network, [storageIn("mgmt")]: storage } });
    const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
    expect(stderr).toMatch(new RegExp(`keep +${ids.group}: it still contains .*${other}`));
    expect(await keys(azure)).toEqual([...before, keyOf(ids.group), keyOf(other), keyOf(storageIn("mgmt"))].sort());
    exits(await destroy(azure), 0);
  });

  test("go with the group if --delete-foreign says so, and the plan lists them", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    await azure.seed({ resources: { [storageIn("mgmt")]: storage } });
    const { stdout } = exits(await destroy(azure, ["--delete-foreign", "--dry-run", "--output", "json"]), 0);
    expect(JSON.parse(stdout)).toMatchObject({
      removedAlong: [{ title: "storage account theirs", why: "deleted with resource group mgmt (not owned by this cluster)" }, {}],
    });
    const { stderr } = exits(await destroy(azure, ["--delete-foreign", "--purge"]), 0);
    expect(stderr).toMatch(/remove +storage account theirs: deleted with resource group mgmt \(not owned by this cluster\)/);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("stay if a policy copied the tag to them, in the cluster's group and elsewhere", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const [near, far] = [inGroup("mgmt", "virtualNetworks/theirs"), inGroup("other", "virtualNetworks/theirs")];
    const namesake = inGroup("other", "virtualNetworks/mgmt-vnet");
    const resources = {
      [groupId("other")]: { location: "eastus", tags: tag },
      ...Object.fromEntries([near, far, namesake].map((id) => [id, { ...network, tags: tag }])),
    };
    await azure.seed({ resources });
    const { stderr } = exits(await destroy(azure), 0);
    for (const id of [near, far, groupId("other")]) {
      expect(stderr).toMatch(new RegExp(`keep .*${id}\\b.*: has the ownership tag but not a name that this cluster gives`));
    }
    expect(stderr).toMatch(new RegExp(`keep +${namesake}: has the ownership tag, but is not in resource group mgmt`));
    expect(await keys(azure)).toEqual(expect.arrayContaining(Object.keys(resources).map(keyOf)));
  });

  test("with the tag and a name of the cluster stay in another group in every run, until the flag names it", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const namesake = inGroup("other", "virtualNetworks/mgmt-vnet");
    await azure.seed({ resources: { [groupId("other")]: { location: "eastus" }, [namesake]: { ...network, tags: tag } } });
    exits(await destroy(azure), 0);
    const { stderr } = exits(await destroy(azure), 0);
    expect(stderr).toMatch(
      new RegExp(
        `keep +${namesake}: has tags and a name of this cluster, but nothing .*pass --resource-group-name other to destroy management`,
      ),
    );
    expect(await keys(azure)).toContain(keyOf(namesake));
    exits(await destroy(azure, ["--resource-group-name", "other"]), 0);
    expect(await keys(azure)).not.toContain(keyOf(namesake));
  });

  test("with a name of the cluster and the tag of another owner stay", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await changeResource(azure, ids.outbound, (stored) => (stored.tags = { "aro-hcp-management-cluster": "other" }));
    const { stderr } = exits(await destroy(azure), 0);
    expect(stderr).toMatch(new RegExp(`keep +${ids.outbound}: has a name of this cluster, but its ownership tags name another owner`));
    expect(await keys(azure)).toContain(keyOf(ids.outbound));
  });

  test("with a name of the cluster and no tag are never deleted, and the exit code says that something is left", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await changeResource(azure, ids.outbound, (stored) => (stored.tags = {}));
    const { stderr } = exits(await destroy(azure), 5);
    expect(stderr).toContain("ARO-OWN-007");
    expect(stderr).toContain(`az tag update --resource-id ${ids.outbound} --operation Merge --tags aro-hcp-management-cluster=mgmt`);
    expect(await keys(azure)).toContain(keyOf(ids.outbound));
    expect(await keys(azure)).not.toContain(keyOf(ids.cluster));
  });
});

test("tag names that a policy wrote in another case still name the owner", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await seedAksCluster(azure);
  for (const id of Object.values(ids).filter((one) => typeof one === "string")) {
    if (id === ids.nodeGroup || id === ids.ingress) continue;
    await changeResource(
      azure,
      id.replace("/resourceGroups/", "/resourceGroups/"),
      (stored) => (stored.tags = { "ARO-HCP-Management-Cluster": "mgmt" }),
    );
  }
  exits(await destroy(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

describe("locks and deny assignments", () => {
  const lockOn = (scope: string) => `${scope}/providers/Microsoft.Authorization/locks/keep`;
  const denial = (scope: string, action: string) => ({
    [`${scope}/providers/Microsoft.Authorization/denyAssignments/d0000000-0000-4000-8000-000000000001`]: {
      properties: {
        denyAssignmentName: "aks",
        permissions: [{ actions: [action] }],
        principals: [{ id: "00000000-0000-0000-0000-000000000000", type: "SystemDefined" }],
        excludePrincipals: [],
      },
    },
  });

  test.each([
    ["the cluster", ids.cluster],
    ["its group", ids.group],
    ["the group of its nodes", ids.nodeGroup],
    ["the subscription", subscription],
  ])("a lock on %s blocks the destroy, which deletes nothing", async (_what, scope) => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: { [lockOn(scope)]: { properties: { level: "CanNotDelete" } } } });
    await refuses(azure, destroy(azure), 5, "ARO-SUB-004", `"keep" (CanNotDelete) on ${scope}`);
    await deleteResources(azure, lockOn(scope));
    exits(await destroy(azure), 0);
  });

  test("AKS's own deny assignment on the group of the nodes does not: AKS deletes that group", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: denial(ids.nodeGroup, "*/delete") });
    exits(await destroy(azure), 0);
  });

  test("a deny assignment on the cluster's group does", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: denial(ids.group, "*/delete") });
    await refuses(azure, destroy(azure), 5, "ARO-AUTHZ-001", '"aks" on');
  });

  test("the nodes of a cluster that the caller may not read are not taken for leftovers", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: denial(ids.group, "*") });
    await azure.traffic();
    exits(await destroy(azure), 0);
    expect(await writesSince(azure)).toEqual([]);
  });
});

describe("a cluster", () => {
  test.each(["Creating", "Updating", "Upgrading"])("that is %s is deleted when the operation has ended", async (state) => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    await changeResource(azure, ids.cluster, (stored) => (stored.properties["provisioningState"] = state));
    const running = await azure.startCli(["destroy", "management-cluster", ...mgmt, "--yes", "--purge"], faster);
    await running.shows(`AKS reports ${state}`);
    await changeResource(azure, ids.cluster, (stored) => (stored.properties["provisioningState"] = "Succeeded"));
    exits(await running.ended, 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("that another client is deleting is waited for", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    await changeResource(azure, ids.cluster, (stored) => (stored.properties["provisioningState"] = "Deleting"));
    const running = await azure.startCli(["destroy", "management-cluster", ...mgmt, "--yes", "--purge"], faster);
    await running.shows("an earlier deletion is in progress");
    await deleteResources(azure, ids.cluster, ids.nodeGroup);
    exits(await running.ended, 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test.each([
    ["stopped", (properties: Record<string, unknown>) => (properties["powerState"] = { code: "Stopped" })],
    ["failed", (properties: Record<string, unknown>) => (properties["provisioningState"] = "Failed")],
  ])("that is %s is deleted as it is", async (_what, change) => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    await changeResource(azure, ids.cluster, (stored) => change(stored.properties));
    exits(await destroy(azure, ["--purge"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("a cluster on which another client starts an operation just before is deleted after that", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await seedAksCluster(azure);
  const message = "Operation is not allowed because there's an in progress update managed cluster operation";
  const answer = { status: 409, body: { error: { code: "OperationNotAllowed", message } } };
  const faults = [{ method: "DELETE", path: "/managedClusters/mgmt$", times: 2, answer }];
  exits(await destroy(azure, ["--purge"], { ...faster, faults }), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("roles that a create assigns to the identities meanwhile are deleted too, on resources of others", async () => {
  const azure = await testEmulator();
  await azure.seed(identitySet);
  const before = await azure.snapshot();
  await seedAksCluster(azure, { vaultIds: [setVault] });
  const addOn = await addOnPrincipal(azure, ids);
  await changeResource(azure, ids.cluster, (stored) => (stored.properties["provisioningState"] = "Updating"));
  const running = await azure.startCli(["destroy", "management-cluster", ...mgmt, "--yes", "--purge"], faster);
  await running.shows("AKS reports Updating");
  const group = groupId("demo-common");
  await azure.seed({ roleAssignments: [assigned(addOn, secretsUser, setVault), assigned(clusterPrincipal, networkContributor, group)] });
  await changeResource(azure, ids.cluster, (stored) => (stored.properties["provisioningState"] = "Succeeded"));
  exits(await running.ended, 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a cluster that a create creates again meanwhile keeps its identities and its key, and no other can get the identity of the nodes", async () => {
  const azure = await testEmulator();
  await seedAksCluster(azure);
  const body = (await azure.snapshot()).resources[keyOf(ids.cluster)] as { readonly properties: { readonly identityProfile?: unknown } };
  const azureKeyVaultKms = { enabled: true, keyId: `https://${ids.names.etcdVault}.vault.azure.net/keys/aks-etcd-encryption/1` };
  const identity = { type: "UserAssigned", userAssignedIdentities: { [ids.clusterIdentity]: {} } };
  // As AKS answers for a new cluster: without the identity of its nodes.
  const { identityProfile: _absent, ...properties } = body.properties;
  const again = { ...body, identity, properties: { ...properties, securityProfile: { azureKeyVaultKms } } };
  // The first two read it for the inventory, and before its deletion.
  const created = { method: "GET", path: "/managedClusters/mgmt$", nth: 3, times: 9, answer: { status: 200, body: again } };
  // As if the create had assigned its roles after the inventory.
  const unseen = { method: "GET", path: "/roleAssignments$", answer: { status: 200, body: { value: [] } } };
  const { stderr } = exits(await destroy(azure, ["--purge"], { ...faster, faults: [created, unseen] }), 5);
  expect(stderr).toContain('AKS cluster "mgmt" was created again during the destroy');
  expect(await keys(azure)).toEqual(expect.arrayContaining([ids.clusterIdentity, ids.kubeletIdentity, ids.vault].map(keyOf)));
  const { roleAssignments } = await azure.snapshot();
  expect(keyOf(JSON.stringify(roleAssignments))).not.toContain(`"scope":"${keyOf(ids.kubeletIdentity)}"`);
});

test("a cluster that a create makes while the identity of the nodes is deleted is deleted too: it could never work", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  await seedAksCluster(azure);
  let cluster: StoredResource | undefined;
  await changeState(azure, ({ resources }) => (cluster = plainCopy(resources[keyOf(ids.cluster)])));
  // Azure has deleted the identity when the answer is on its way.
  const slow = { method: "DELETE", path: "/mgmt-kubelet-msi$", when: "after", delay: 500 };
  const running = await azure.startCli(["destroy", "management-cluster", ...mgmt, "--yes", "--purge"], { ...faster, faults: [slow] });
  await expect.poll(() => keys(azure)).not.toContain(keyOf(ids.kubeletIdentity));
  expect(await keys(azure)).not.toContain(keyOf(ids.cluster));
  await changeState(azure, ({ resources }) => Object.assign(resources, { [keyOf(ids.cluster)]: cluster }));
  exits(await running.ended, 0);
  expect(await azure.snapshot()).toEqual(before);
});

describe("after an interruption", () => {
  /** What an earlier destroy, or somebody else, has deleted already. */
  const half: readonly (readonly [what: string, ...deleted: string[]])[] = [
    ["the cluster", ids.cluster, ids.nodeGroup],
    ["the cluster, but not the group of its nodes", ids.cluster],
    [
      "everything but the group and the vault",
      ...[ids.cluster, ids.nodeGroup, ids.vnet, ids.nsg, ids.outbound, ids.clusterIdentity, ids.kubeletIdentity],
    ],
  ];

  test.each(half)("that deleted %s, a destroy deletes the rest", async (_what, ...deleted) => {
    const azure = await testEmulator();
    const { resources } = await azure.snapshot();
    await seedAksCluster(azure);
    await deleteResources(azure, ...deleted);
    exits(await destroy(azure, ["--purge"]), 0);
    expect((await azure.snapshot()).resources).toEqual(resources);
  });

  test.each([
    ["the cluster", { method: "DELETE", path: "/managedClusters/mgmt" }],
    ["a role assignment", { method: "DELETE", path: "/virtualNetworks/mgmt-vnet/providers/Microsoft.Authorization/roleAssignments/" }],
    ["the vault", { method: "DELETE", path: "/vaults/ah-mgmt" }],
    ["the group", { method: "DELETE", path: "/resourcegroups/mgmt" }],
  ])("at %s, a rerun completes it", async (_what, fault) => {
    const azure = await testEmulator();
    await azure.seed(identitySet);
    const before = await azure.snapshot();
    await seedAksCluster(azure, { vaultIds: [setVault] });
    const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "not allowed" } } };
    const { code } = await destroy(azure, ["--purge"], { faults: [{ ...fault, times: 99, answer }] });
    expect(code).not.toBe(0);
    exits(await destroy(azure, ["--purge"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("without --purge, the vault stays soft-deleted: the summary says until when, and --purge deletes it later", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    const { stderr } = exits(await destroy(azure), 0);
    expect(stderr).toMatch(/Key Vault ah-mgmt-\w+ can be recovered until .*: rerun the original create management-cluster/);
    exits(await destroy(azure, ["--purge"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("role assignments that others gave to other principals stay, and all of the deleted identities go", async () => {
  const azure = await testEmulator();
  await azure.seed(identitySet);
  await seedAksCluster(azure, { vaultIds: [setVault] });
  const theirs = assigned("a1000000-0000-4000-8000-0000000000ff", secretsUser, setVault);
  const given = { scope: groupId("demo-common"), role: networkContributor.id, principalId: clusterPrincipal };
  await azure.seed({ roleAssignments: [theirs, given] });
  exits(await destroy(azure), 0);
  const left = Object.values((await azure.snapshot()).roleAssignments) as { principalId: string }[];
  const principals = left.map(({ principalId }) => principalId);
  expect(principals).toContain(theirs.principalId);
  expect(principals).not.toContain(clusterPrincipal);
});

test("without its cluster, only the file shows the add-on, whose assignments are then deleted", async () => {
  const azure = await testEmulator();
  await azure.seed(identitySet);
  const before = await azure.snapshot();
  const seeded = await seedAksCluster(azure, { vaultIds: [setVault] });
  const objectID = await addOnPrincipal(azure, seeded);
  await deleteResources(azure, ids.cluster, ids.nodeGroup);
  const path = azure.path("management-cluster.json");
  await writeClusterFile(path, objectID);
  exits(await azure.cli(["destroy", "management-cluster", "--cloud", "local", "--management-cluster-file", path, "--yes", "--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

/** What the create command itself made, and not only what these tests say that it makes. */
test.each([
  ["management-cluster", []],
  ["management-cluster", ["--preset", "production", "--no-purge-protection", "--ingress-address"]],
  ["service-cluster", ["--ops-ingress", "--regional-zone", "hcp.example.com", "--certificate-vault-id", setVault]],
] as const)("nothing is left of a %s that was created with %j", async (kind, flags) => {
  const azure = await testEmulator();
  await azure.seed(identitySet);
  // For the certificate.
  const mayCertify = [certificatesOfficer, secretsOfficer].map((role) => ({
    scope: setVault,
    role: role.id,
    principalId: wellKnown.clientPrincipalId,
  }));
  await azure.seed({ roleAssignments: mayCertify, features: { "Microsoft.Compute/EncryptionAtHost": "Registered" } });
  const before = await azure.snapshot();
  const name = ["--cloud", "local", "--name", "made"];
  const vault = kind === "management-cluster" ? ["--key-vault-id", setVault] : [];
  exits(await azure.cli(["create", kind, ...name, ...vault, ...flags, "--yes"]), 0);
  const { stderr } = exits(await azure.cli(["destroy", kind, ...name, "--purge", "--yes"]), 0);
  expect(stderr).not.toMatch(/= keep/);
  const { resources, roleAssignments, vaults } = await azure.snapshot();
  expect({ resources, roleAssignments }).toEqual({ resources: before.resources, roleAssignments: before.roleAssignments });
  for (const contents of Object.values(vaults ?? {})) expect(contents).toEqual({ certificates: {}, secrets: {} });
});
