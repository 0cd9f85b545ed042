/** `create management-cluster` and `show management-cluster`: what a create makes, that a second one writes nothing, drift, existing parts, refusals. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { idKey } from "../../../src/domain/resource-id.js";
import {
  acrPull,
  cryptoOfficer,
  cryptoUser,
  managedIdentityOperator,
  networkContributor,
  secretsUser,
  type Role,
} from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { readAksCluster } from "../../../src/files/aks-cluster-output.js";
import { addOnPrincipal, aksClusterIds } from "../../harness/aks-cluster.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import {
  changeResource,
  changeState,
  deleteResources,
  resource,
  setProperties,
  setProvisioningState,
  updateResource,
} from "../../harness/state-changes.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { testEmulator, type CliResult, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId, subscription } from "../../cli/demo-cluster.js";
import { exits, refuses, titled, writesSince } from "../../cli/expectations.js";

const mgmt = ["--cloud", "local", "--name", "mgmt"];
/** In Azure, operations on an AKS cluster take minutes. */
const faster = { env: { ARO_HCP_LOCAL_TIME_SCALE: "1000" } };
const create = (azure: TestEmulator, ...flags: readonly string[]) =>
  azure.cli(["create", "management-cluster", ...mgmt, "--yes", ...flags], faster);
const show = (azure: TestEmulator, ...flags: readonly string[]) => azure.cli(["show", "management-cluster", ...mgmt, ...flags], faster);

const ids = aksClusterIds();
const registered = { features: { "Microsoft.Compute/EncryptionAtHost": "Registered" } };

const caller = wellKnown.clientPrincipalId;

/** The role Owner. */
const owner = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";

interface Shown {
  readonly resources: readonly { readonly step: string; readonly drift: string; readonly changes: readonly { readonly path: string }[] }[];
}

async function drift(azure: TestEmulator, ...flags: readonly string[]): Promise<Record<string, string>> {
  const { stdout } = exits(await show(azure, "--output", "json", ...flags), 0);
  const { resources } = JSON.parse(stdout) as Shown;
  const different = resources.filter((one) => one.drift !== "none");
  return Object.fromEntries(different.map(({ step, changes }) => [step, changes.map(({ path }) => path).join(", ")]));
}

async function assigned(azure: TestEmulator, principal: string, role: Role, scope: string): Promise<boolean> {
  const { roleAssignments } = await azure.snapshot();
  return Object.values(roleAssignments as Readonly<Record<string, Assignment>>).some(
    (one) => idKey(one.scope) === idKey(scope) && one.principalId === principal && one.roleDefinitionId.toLowerCase().endsWith(role.id),
  );
}

interface Assignment {
  readonly scope: string;
  readonly principalId: string;
  readonly roleDefinitionId: string;
}

async function principalOf(azure: TestEmulator, id: string): Promise<string> {
  return String((await resource(azure, id))?.properties["principalId"]);
}

/** A second run finds nothing to do. */
async function changesNothing(azure: TestEmulator, ...flags: readonly string[]): Promise<CliResult> {
  await azure.traffic();
  const result = exits(await create(azure, ...flags), 0);
  expect(await writesSince(azure)).toEqual([]);
  return result;
}

test("a create makes everything with its roles in order, and writes the IDs; a second one writes nothing", async () => {
  const azure = await testEmulator();
  const file = `${temporaryDirectory().path}/mgmt.json`;
  await azure.traffic();
  exits(await create(azure, "--output-file", file), 0);
  const written = await writesSince(azure);
  const at = (id: string) => written.findIndex((line) => idKey(line.slice(line.indexOf(" ") + 1)) === idKey(id));
  const before = (id: string) =>
    written.findIndex((line) => line.toLowerCase().includes(`${idKey(id)}/providers/microsoft.authorization/`));
  for (const scope of [ids.vnet, ids.outbound, ids.kubeletIdentity]) {
    expect(before(scope), scope).toBeGreaterThan(at(scope));
    expect(at(ids.cluster)).toBeGreaterThan(before(scope));
  }
  const principal = await principalOf(azure, ids.clusterIdentity);
  expect(await assigned(azure, principal, networkContributor, ids.vnet)).toBe(true);
  expect(await assigned(azure, principal, networkContributor, ids.outbound)).toBe(true);
  expect(await assigned(azure, principal, managedIdentityOperator, ids.kubeletIdentity)).toBe(true);
  const { input } = await readAksCluster(file, "management-cluster");
  expect(input).toMatchObject({
    clusterID: ids.cluster,
    nodeResourceGroupName: "mgmt-nodes",
    vnetID: ids.vnet,
    keyVaultAddOn: { objectID: await addOnPrincipal(azure, ids) },
    clusterIdentity: { id: ids.clusterIdentity, objectID: principal },
    egressAddresses: [{ id: ids.outbound, ipTags: [] }],
    options: { location: "eastus" },
  });
  expect(input.oidcIssuerURL).toMatch(/^https:\/\//);
  const { stderr } = await changesNothing(azure, "--output-file", file);
  expect(stderr).toContain("nothing to do");
  expect(await drift(azure)).toEqual({});
});

test("a cluster is compared with its file, and another create brings the file up to date", async () => {
  const azure = await testEmulator();
  const file = azure.path("mgmt.json");
  exits(await create(azure, "--output-file", file), 0);
  exits(await create(azure, "--user-pool", "name=big"), 0);
  const byFile = ["show", "management-cluster", "--cloud", "local", "--management-cluster-file", file];
  expect(exits(await azure.cli(byFile, faster), 0).stdout).not.toContain("agent pool big");
  await changesNothing(azure, "--output-file", file);
  const { stdout } = exits(await azure.cli(byFile, faster), 0);
  expect(stdout).toMatch(/agent pool big +exists +none/);
});

test("the preset production adds encryption of etcd, Entra sign-in, zones and maintenance windows", async () => {
  const azure = await testEmulator();
  await azure.seed(registered);
  exits(await create(azure, "--preset", "production"), 0);
  const live = await resource(azure, ids.cluster);
  expect(live?.properties).toMatchObject({
    disableLocalAccounts: true,
    aadProfile: { managed: true, enableAzureRBAC: true },
    securityProfile: { azureKeyVaultKms: { enabled: true }, imageCleaner: { enabled: true }, workloadIdentity: { enabled: true } },
    autoUpgradeProfile: { upgradeChannel: "patch", nodeOSUpgradeChannel: "NodeImage" },
  });
  const key = (live?.properties["securityProfile"] as { azureKeyVaultKms: { keyId: string } }).azureKeyVaultKms.keyId;
  expect(key).toMatch(/^https:\/\/ah-mgmt-[0-9a-f]{6}\.vault\.azure\.net\/keys\/aks-etcd-encryption\/[0-9a-f]{32}$/);
  expect(await assigned(azure, await principalOf(azure, ids.clusterIdentity), cryptoUser, ids.vault)).toBe(true);
  expect((await resource(azure, `${ids.cluster}/agentPools/user2`))?.properties).toMatchObject({
    ...{ availabilityZones: ["2"], mode: "User", vmSize: "Standard_E16ds_v5" },
  });
  expect(await resource(azure, `${ids.cluster}/maintenanceConfigurations/aksManagedNodeOSUpgradeSchedule`)).toBeDefined();
  // The record says the preset, so neither command needs it again.
  const { stderr } = await changesNothing(azure);
  expect(stderr).toContain("mgmt keeps what exists for it: --preset production");
  expect(await drift(azure)).toEqual({});
});

test("a pool whose size no option names keeps its own, for example the preset's of an earlier version", async () => {
  const azure = await testEmulator();
  await azure.seed(registered);
  exits(await create(azure, "--preset", "production"), 0);
  await setProperties(azure, `${ids.cluster}/agentPools/user2`, { vmSize: "Standard_D4s_v5", osDiskType: "Managed" });
  const { stdout } = await azure.cli(["verify", "management-cluster", "--cloud", "local", "--name", "mgmt", "--output", "json"], faster);
  const { results } = JSON.parse(stdout) as { results: { check: string; subject: string; evidence: string; state: string }[] };
  const ofPool = results.filter(({ subject }) => subject === "agent pool user2");
  expect(ofPool.filter(({ state }) => state !== "passed")).toEqual([]);
  expect(ofPool.find(({ check }) => check === "pool-size")?.evidence).toBe("Standard_D4s_v5 in the zones 2");
  await changesNothing(azure);
  exits(await create(azure, "--user-pool", "min=1,max=4"), 0);
  expect((await resource(azure, `${ids.cluster}/agentPools/user2`))?.properties).toMatchObject({ vmSize: "Standard_D4s_v5", maxCount: 4 });
  await refuses(azure, create(azure, "--user-pool", "size=Standard_E16ds_v5"), 5, "VM size Standard_D4s_v5, not Standard_E16ds_v5");
});

describe("drift", () => {
  test("of rotation, outbound address, bounds, tags and rules is shown, and a create restores it", async () => {
    const azure = await testEmulator();
    const output = ["--output-file", azure.path("mgmt.json")];
    exits(await create(azure, "--tags", "team=blue", ...output), 0);
    await updateResource(azure, ids.cluster, ({ properties, tags }) => ({
      tags: { ...tags, team: "red", theirs: "stays" },
      properties: {
        ...properties,
        addonProfiles: {
          azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: "false", rotationPollInterval: "1h" } },
        },
        networkProfile: { ...(properties["networkProfile"] as object), loadBalancerProfile: { managedOutboundIPs: { count: 1 } } },
      },
    }));
    await updateResource(azure, `${ids.cluster}/agentPools/user`, ({ properties }) => ({
      properties: { ...properties, maxCount: 7, nodeLabels: { ...(properties["nodeLabels"] as object), theirs: "stays" } },
    }));
    await deleteResources(azure, `${ids.nsg}/securityRules/kas-6443-in-internet`);
    const found = await drift(azure, "--management-cluster-file", azure.path("mgmt.json"));
    expect(found["aks-cluster"]).toContain("tags.team");
    expect(found["aks-cluster"]).toContain("addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation");
    expect(found["aks-cluster"]).toContain("networkProfile.loadBalancerProfile.outboundIPs");
    expect(found["agent-pool-user"]).toBe("maxCount");
    exits(await create(azure, "--user-pool", "min=1,max=3", ...output), 0);
    const cluster = await resource(azure, ids.cluster);
    expect(cluster?.tags).toMatchObject({ team: "blue", theirs: "stays", "aro-hcp-management-cluster": "mgmt" });
    expect((cluster?.properties["networkProfile"] as { loadBalancerProfile: object }).loadBalancerProfile).toMatchObject({
      outboundIPs: { publicIPs: [{ id: ids.outbound }] },
    });
    const pool = await resource(azure, `${ids.cluster}/agentPools/user`);
    expect(pool?.properties).toMatchObject({ maxCount: 3, nodeLabels: { theirs: "stays", "aro-hcp.azure.com/role": "worker" } });
    await changesNothing(azure);
  });

  test("a cluster in a failed state is written again, and one that others are changing is waited for", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await setProvisioningState(azure, ids.cluster, "Failed");
    const { stderr } = exits(await create(azure), 0);
    expect(stderr).toContain("its last operation failed, so it is updated again");
    await changesNothing(azure);
  });

  test("an interrupted update leaves the values of the cluster in the output file", async () => {
    const azure = await testEmulator();
    const file = azure.path("mgmt.json");
    exits(await create(azure, "--output-file", file), 0);
    const before = await readFile(file, "utf8");
    await updateResource(azure, ids.cluster, ({ tags }) => ({ tags: { ...tags, "aro-hcp-options": "{}" } }));
    const kill = { method: "PUT", path: "/managedClusters/mgmt$", kill: true };
    const died = await azure.cli(["create", "management-cluster", ...mgmt, "--yes", "--output-file", file], { ...faster, faults: [kill] });
    expect(died.code).toBe("SIGKILL");
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("what is missing is created again, and what exists stays", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await deleteResources(azure, `${ids.cluster}/agentPools/user`);
    await azure.traffic();
    exits(await create(azure), 0);
    expect(await writesSince(azure)).toEqual([expect.stringMatching(/^PUT .*\/agentPools\/user$/i)]);
  });
});

describe("other writers", () => {
  test("keep their tags when a create restores our properties", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await updateResource(azure, ids.cluster, ({ tags }) => ({ tags: { ...tags, "aro-hcp-management-cluster": "mgmt", team: "red" } }));
    await changeResource(azure, ids.cluster, ({ properties }) => {
      properties["addonProfiles"] = { azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: "false" } } };
    });
    exits(await create(azure), 0);
    expect((await resource(azure, ids.cluster))?.tags).toMatchObject({ team: "red" });
    await changesNothing(azure);
  });

  test("keep the version to which they upgraded the cluster, unless a run asks for another one", async () => {
    const azure = await testEmulator();
    exits(await create(azure, "--kubernetes-version", "1.34"), 0);
    const versions = { orchestratorVersion: "1.35", currentOrchestratorVersion: "1.35.6" };
    await changeResource(azure, ids.cluster, ({ properties }) => {
      Object.assign(properties, { kubernetesVersion: "1.35", currentKubernetesVersion: "1.35.6" });
    });
    await setProperties(azure, `${ids.cluster}/agentPools/system`, versions);
    await setProperties(azure, `${ids.cluster}/agentPools/user`, versions);
    await changesNothing(azure);
    expect(await drift(azure)).toEqual({});
    await refuses(azure, create(azure, "--kubernetes-version", "1.34"), 5, "runs Kubernetes 1.35.6, not 1.34");
  });

  test("two creates at once make one cluster, and a third finds nothing to do", async () => {
    const azure = await testEmulator();
    const results = await Promise.all([create(azure), create(azure)]);
    for (const result of results) exits(result, 0);
    await changesNothing(azure);
    const { roleAssignments } = await azure.snapshot();
    const triples = Object.values(roleAssignments as Readonly<Record<string, Assignment>>).map(({ scope, principalId, roleDefinitionId }) =>
      idKey(`${scope} ${principalId} ${roleDefinitionId}`),
    );
    expect(new Set(triples).size).toBe(triples.length);
  });
});

test("an existing resource group is used unchanged; a rerun must name it, because others could have made what shows it", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("shared")]: { location: "eastus", tags: { theirs: "stays" } } } });
  exits(await create(azure, "--resource-group-name", "shared", "--preset", "dev"), 0);
  expect((await resource(azure, groupId("shared")))?.tags).toEqual({ theirs: "stays" });
  await refuses(azure, create(azure), 2, "--resource-group-name shared");
  const { stderr } = await changesNothing(azure, "--resource-group-name", "shared");
  expect(stderr).toContain("--preset dev");
  expect(await drift(azure)).toEqual({});
});

test("of two clusters with one name, the group selects the settings", async () => {
  const azure = await testEmulator();
  for (const group of ["one", "two"]) {
    const tags = { "aro-hcp-management-cluster": "mgmt" };
    const { outbound } = aksClusterIds({ group });
    const properties = { publicIPAllocationMethod: "Static", ipTags: [{ ipTagType: "RoutingPreference", tag: group }] };
    await azure.seed({ resources: { [groupId(group)]: { location: "eastus" } } });
    await azure.seed({ resources: { [outbound]: { location: "eastus", tags, sku: { name: "Standard" }, properties } } });
  }
  for (const group of ["one", "two"]) {
    const { stderr } = exits(await create(azure, "--resource-group-name", group, "--dry-run"), 0);
    expect(stderr).toContain(`--egress-ip-tags RoutingPreference:${group}`);
  }
});

test("a create in an existing group that ended before the AKS cluster keeps its settings", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("shared")]: { location: "eastus" } } });
  exits(await create(azure, "--resource-group-name", "shared", "--preset", "dev"), 0);
  await deleteResources(azure, aksClusterIds({ group: "shared" }).cluster, groupId("mgmt-nodes"));
  const { stderr } = exits(await create(azure, "--resource-group-name", "shared"), 0);
  expect(stderr).toContain("--preset dev");
  expect(await resource(azure, groupId("mgmt"))).toBeUndefined();
  await changesNothing(azure, "--resource-group-name", "shared");
});

describe("what AKS cannot replace is refused", () => {
  test("a key of etcd that somebody deleted is recovered by its owner, not replaced", async () => {
    const azure = await testEmulator();
    await azure.seed(registered);
    exits(await create(azure, "--preset", "production"), 0);
    await deleteResources(azure, `${ids.vault}/keys/aks-etcd-encryption`);
    await refuses(azure, create(azure), 5, "encrypts its etcd with it", "az keyvault key recover");
  });

  test("a soft-deleted key of etcd that no cluster uses is recovered or purged by its owner", async () => {
    const azure = await testEmulator();
    await azure.seed(registered);
    exits(await create(azure, "--preset", "production"), 0);
    await deleteResources(azure, ids.cluster, groupId("mgmt-nodes"), `${ids.vault}/keys/aks-etcd-encryption`);
    await changeState(azure, (state) => {
      const key = { name: "aks-etcd-encryption", versions: [], deleted: { at: Date.now(), busyUntil: 0 } };
      state.vaults = { ...state.vaults, [ids.names.etcdVault]: { certificates: {}, secrets: {}, keys: { [key.name]: key } } };
    });
    const { stderr } = exits(await create(azure), 5);
    expect(stderr).toContain('Key Vault key "aks-etcd-encryption" is soft-deleted in Key Vault ah-mgmt-');
    expect(stderr).toMatch(/az keyvault key recover --vault-name ah-mgmt-\w+ --name aks-etcd-encryption/);
  });

  describe("a soft-deleted key of etcd", () => {
    const name = "aks-etcd-encryption";

    /** Deleted by the signed-in principal, whose role for the keys of the vault is then `role`. */
    async function withDeletedKey(role: Role, ...alsoDeleted: readonly string[]): Promise<TestEmulator> {
      const azure = await testEmulator();
      await azure.seed(registered);
      exits(await create(azure, "--preset", "production"), 0);
      const [before, grant] = [Object.keys((await azure.snapshot()).roleAssignments), { scope: ids.vault, principalId: caller }];
      await azure.seed({ roleAssignments: [{ ...grant, role: cryptoOfficer.id }] });
      const keys = await (await connectedAzure(azure.directory)).vaultKeys(ids.names.etcdVault);
      await (await keys.beginDeleteKey(name, { intervalInMs: 0 })).pollUntilDone();
      await changeState(azure, ({ roleAssignments }) => {
        for (const key of Object.keys(roleAssignments)) if (!before.includes(key)) delete roleAssignments[key];
      });
      await azure.seed({ roleAssignments: [{ ...grant, role: role.id }] });
      await deleteResources(azure, ...alsoDeleted);
      return azure;
    }

    test.each([
      ["the cluster uses", []],
      ["no cluster uses", [ids.cluster, groupId("mgmt-nodes")]],
    ])("that %s is recovered if it is the cluster's own", async (_what, gone) => {
      const azure = await withDeletedKey(cryptoOfficer, ...gone);
      const { stderr } = exits(await create(azure), 0);
      expect(stderr).toMatch(/~ update +Key Vault key aks-etcd-encryption: it is soft-deleted and can be recovered with its versions/);
      const versions = Object.keys((await azure.snapshot()).resources).filter((id) => id.includes(`/keys/${name}/versions/`));
      expect(versions).toHaveLength(1);
      await changesNothing(azure);
    });

    test.each([
      ["of others", cryptoOfficer, "it does not have the tag of this cluster"],
      ["that the signed-in principal cannot recover", cryptoUser, 'has no role to recover it, such as "Key Vault Crypto Officer"'],
    ])("%s is refused before the first write", async (what, role, because) => {
      const azure = await withDeletedKey(role, ids.cluster, groupId("mgmt-nodes"));
      await changeState(azure, ({ vaults }) => {
        for (const version of vaults?.[ids.names.etcdVault]?.keys?.[name]?.versions ?? []) if (what === "of others") delete version.tags;
      });
      await refuses(azure, create(azure), 5, 'Key Vault key "aks-etcd-encryption" is soft-deleted', because, "az keyvault key recover");
    });
  });

  test("a soft-deleted vault of etcd in another location", async () => {
    const azure = await testEmulator();
    await azure.seed(registered);
    exits(await create(azure, "--preset", "production"), 0);
    exits(await azure.cli(["destroy", "management-cluster", ...mgmt, "--yes"], faster), 0);
    const elsewhere = ["--preset", "production", "--location", "westus2"];
    await refuses(azure, create(azure, ...elsewhere), 5, "it was in eastus, and can only be recovered there", "wait until Azure purges it");
  });

  test("an identity of the nodes that was deleted and created again", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await changeResource(azure, ids.cluster, ({ properties }) => {
      const [clientId, objectId] = ["c1000000-0000-4000-8000-000000000001", "c1000000-0000-4000-8000-000000000002"];
      properties["identityProfile"] = { kubeletidentity: { resourceId: ids.kubeletIdentity, clientId, objectId } };
    });
    await refuses(azure, create(azure), 5, "was deleted and created again", /az aks update .*--assign-kubelet-identity/);
  });

  test("an agent pool that a stopped cluster lacks", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await setProperties(azure, ids.cluster, { powerState: { code: "Stopped" } });
    await changesNothing(azure);
    await deleteResources(azure, `${ids.cluster}/agentPools/user`);
    await refuses(azure, create(azure), 5, "is stopped, so it cannot be updated", 'agent pool "user" does not exist', "az aks start");
  });

  test("a resource that lost its tag, with the command that adds it", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await changeResource(azure, ids.cluster, (stored) => {
      stored.tags = {};
    });
    await refuses(azure, create(azure), 5, "does not have the ownership tags", /az tag update .*aro-hcp-management-cluster=mgmt/);
  });
});

test("rules whose priorities somebody exchanged get their own again", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const rule = (name: string) => `${ids.nsg}/securityRules/${name}`;
  await setProperties(azure, rule("kas-443-in-internet"), { priority: 130 });
  await setProperties(azure, rule("kas-6443-in-internet"), { priority: 120 });
  exits(await create(azure), 0);
  expect((await resource(azure, rule("kas-443-in-internet")))?.properties).toMatchObject({ priority: 120, destinationPortRange: "443" });
  expect((await resource(azure, rule("kas-6443-in-internet")))?.properties).toMatchObject({ priority: 130, destinationPortRange: "6443" });
  await changesNothing(azure);
});

describe("existing parts are used and never changed", () => {
  const shared = groupId("shared");
  const network = `${shared}/providers/Microsoft.Network`;
  const vnet = `${network}/virtualNetworks/net`;
  const address = `${network}/publicIPAddresses/out`;
  const identities = `${shared}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  const vault = `${shared}/providers/Microsoft.KeyVault/vaults/kv-demo`;
  const registry = `${shared}/providers/Microsoft.ContainerRegistry/registries/images`;
  const seed = {
    resources: {
      [shared]: { location: "eastus" },
      [vnet]: {
        location: "eastus",
        properties: {
          addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
          subnets: [
            { name: "nodes", properties: { addressPrefix: "10.1.0.0/16" } },
            { name: "pods", properties: { addressPrefix: "10.2.0.0/16" } },
          ],
        },
      },
      [address]: { location: "eastus", sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } },
      [vault]: {
        location: "eastus",
        properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
      },
      [registry]: { location: "eastus", sku: { name: "Basic" }, properties: {} },
    },
    identities: [
      { id: `${identities}/cluster`, location: "eastus", principalId: "a2000000-0000-4000-8000-000000000001" },
      { id: `${identities}/nodes`, location: "eastus", principalId: "a2000000-0000-4000-8000-000000000002" },
    ],
  };
  const flags = [
    ...["--node-subnet-id", `${vnet}/subnets/nodes`, "--pod-subnet-id", `${vnet}/subnets/pods`, "--outbound-ip-id", address],
    ...["--cluster-identity-id", `${identities}/cluster`, "--kubelet-identity-id", `${identities}/nodes`],
    ...["--key-vault-id", vault, "--registry-id", registry],
  ];

  test("with roles on the subnets, the address, the vault and the registry", async () => {
    const azure = await testEmulator();
    await azure.seed(seed);
    await azure.traffic();
    exits(await create(azure, ...flags), 0);
    const written = await writesSince(azure);
    expect(written.filter((line) => /\/shared\//i.test(line) && !/roleAssignments/i.test(line))).toEqual([]);
    const [cluster, nodes] = seed.identities.map(({ principalId }) => principalId);
    expect(await assigned(azure, String(cluster), networkContributor, `${vnet}/subnets/nodes`)).toBe(true);
    expect(await assigned(azure, String(cluster), networkContributor, `${vnet}/subnets/pods`)).toBe(true);
    expect(await assigned(azure, String(cluster), networkContributor, vnet)).toBe(false);
    expect(await assigned(azure, String(nodes), acrPull, registry)).toBe(true);
    expect(await assigned(azure, await addOnPrincipal(azure, ids), secretsUser, vault)).toBe(true);
    await changesNothing(azure, ...flags);
    expect(await drift(azure)).toEqual({});
  });

  test("a vault in another subscription, whose role a destroy deletes", async () => {
    const azure = await testEmulator();
    const other = "5b5c0000-0000-4000-8000-00000000000f";
    const there = (id: string) => id.replace(wellKnown.subscriptionId, other);
    await changeState(azure, ({ subscriptions }) => {
      const [first] = subscriptions;
      if (first !== undefined) subscriptions.push({ ...first, subscriptionId: other });
    });
    await azure.seed({
      resources: { [there(shared)]: { location: "eastus" }, [there(vault)]: seed.resources[vault] },
      roleAssignments: [{ scope: `/subscriptions/${other}`, role: owner, principalId: wellKnown.clientPrincipalId }],
    });
    const { roleAssignments } = await azure.snapshot();
    exits(await create(azure, "--key-vault-id", there(vault)), 0);
    expect(await assigned(azure, await addOnPrincipal(azure, ids), secretsUser, there(vault))).toBe(true);
    await changesNothing(azure);
    await changesNothing(azure, "--key-vault-id", there(vault), "--output-file", azure.path("mgmt.json"));
    const file = ["--management-cluster-file", azure.path("mgmt.json")];
    exits(await azure.cli(["destroy", "management-cluster", ...mgmt, ...file, "--yes"], faster), 0);
    expect((await azure.snapshot()).roleAssignments).toEqual(roleAssignments);
  });

  test("an address that somebody else uses is refused before any write", async () => {
    const azure = await testEmulator();
    const gateway = `${network}/natGateways/theirs`;
    const inUse = { location: "eastus", sku: { name: "Standard" }, properties: { publicIpAddresses: [{ id: address }] } };
    await azure.seed({ resources: { [shared]: seed.resources[shared], [address]: seed.resources[address] } });
    await azure.seed({ resources: { [gateway]: inUse } });
    await refuses(azure, create(azure, "--outbound-ip-id", address), 5, 'public IP address "out" is in use', "natGateways/theirs");
  });

  test("a subnet that is not in the network, or delegated to another service, is refused", async () => {
    const azure = await testEmulator();
    await azure.seed(seed);
    await refuses(azure, create(azure, "--node-subnet-id", `${vnet}/subnets/none`), 5, 'subnet "none" is not in virtual network "net"');
    await changeResource(azure, `${vnet}/subnets/pods`, ({ properties }) => {
      properties["delegations"] = [{ name: "other", properties: { serviceName: "Microsoft.Sql/managedInstances" } }];
    });
    await refuses(azure, create(azure, ...flags), 5, "is delegated to Microsoft.Sql/managedInstances");
  });
});

describe("refused before the first write", () => {
  const cases = [
    {
      what: "a Kubernetes version that the region does not offer",
      flags: ["--kubernetes-version", "1.10"],
      words: ["does not offer Kubernetes 1.10", "--kubernetes-version"],
    },
    {
      what: "a VM size that does not exist",
      flags: ["--user-pool", "size=Standard_X9s_v9"],
      words: ["Standard_X9s_v9", "not available in eastus"],
    },
    {
      what: "more nodes than the quota allows",
      flags: ["--user-pool", "size=Standard_D32ds_v5,min=30,max=40"],
      words: ["the vCPU quota of standardDDSv5Family in eastus has no room"],
    },
    {
      what: "IP tags of a subscription that is not enrolled",
      flags: ["--egress-ip-tags", "FirstPartyUsage:/NonProd"],
      words: ["Microsoft.Network/AllowBringYourOwnPublicIpAddress is NotRegistered"],
    },
    {
      what: "encryption at the host without its feature",
      flags: ["--preset", "production"],
      words: ["Microsoft.Compute/EncryptionAtHost is NotRegistered"],
    },
    {
      what: "every feature that is not registered, together",
      flags: ["--preset", "production", "--environment", "stg"],
      words: [
        "Microsoft.Compute/EncryptionAtHost is NotRegistered",
        "Microsoft.Network/AllowBringYourOwnPublicIpAddress is NotRegistered",
        "2 refused",
      ],
    },
  ];
  test.each(titled(cases))("%s", async (_, { flags, words }) => {
    const azure = await testEmulator();
    await refuses(azure, create(azure, ...flags), 5, ...words);
  });

  test("a node resource group that exists", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: { [`${subscription}/resourceGroups/mgmt-nodes`]: { location: "eastus" } } });
    await refuses(azure, create(azure), 5, 'resource group "mgmt-nodes" exists already', "--node-resource-group-name");
  });

  test("a wish that cannot be fulfilled for an existing cluster, with the reason", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await refuses(azure, create(azure, "--aks-service-cidr", "10.131.0.0/16"), 5, "service range 10.130.0.0/16, not 10.131.0.0/16");
    await refuses(azure, create(azure, "--vnet-cidr", "10.0.0.0/8"), 5, "has the address range 10.128.0.0/14, not 10.0.0.0/8");
    await refuses(
      azure,
      create(azure, "--user-pool", "size=Standard_D16ds_v5,min=1,max=3"),
      5,
      "VM size Standard_D8ds_v5, not Standard_D16ds_v5",
    );
    const { stderr } = exits(await show(azure, "--aks-service-cidr", "10.131.0.0/16"), 0);
    expect(stderr).toBe("");
  });

  test("a stopped cluster that differs", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await changeResource(azure, ids.cluster, (stored) => {
      stored.properties["powerState"] = { code: "Stopped" };
      stored.properties["addonProfiles"] = { azureKeyvaultSecretsProvider: { enabled: false } };
    });
    await refuses(azure, create(azure), 5, 'AKS cluster "mgmt" is stopped', "az aks start --resource-group mgmt --name mgmt");
  });

  test("a cluster of another owner", async () => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    await changeResource(azure, ids.group, (stored) => (stored.tags = { "aro-hcp-management-cluster": "other" }));
    await refuses(azure, create(azure), 5, 'resource group "mgmt" exists but has a different owner');
  });
});

test("show of a cluster that does not exist says how to create it", async () => {
  const azure = await testEmulator();
  const { stderr } = exits(await show(azure), 2);
  expect(stderr).toContain("no management cluster mgmt was found");
  expect(stderr).toContain("aro-hcp create management-cluster");
});
