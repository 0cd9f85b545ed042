/** `destroy management-cluster` and `destroy service-cluster` beside others: clusters that share resources, hosted control planes, existing groups, zones of others. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { acrPull, secretsOfficer, secretsUser } from "../../../src/domain/roles.js";
import { wellKnown } from "../../../src/emulator/index.js";
import { fast } from "../../faults/fault-runs.js";
import { addOnPrincipal, aksClusterIds, assigned, kubeletPrincipal, seedAksCluster } from "../../harness/aks-cluster.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { addSecret, changeState, deleteResources, setProperties } from "../../harness/state-changes.js";
import { testEmulator, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId, inGroup, keyOf } from "../../cli/demo-cluster.js";
import { exits, refuses } from "../../cli/expectations.js";

const local = ["--cloud", "local"];
const destroy = (azure: TestEmulator, flags: readonly string[] = [], kind = "management-cluster", name = "mgmt", options?: CliOptions) =>
  azure.cli(["destroy", kind, ...local, "--name", name, "--yes", ...flags], options);

const ids = aksClusterIds();
const svc = aksClusterIds({ kind: "service-cluster", name: "svc" });

async function keys(azure: TestEmulator): Promise<string[]> {
  return Object.keys((await azure.snapshot()).resources);
}

describe("what another AKS cluster uses stays until that cluster is gone", () => {
  test("a network with its security group, and an identity with its roles", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure);
    const other = groupId("other");
    const otherCluster = `${other}/providers/Microsoft.ContainerService/managedClusters/other`;
    const body = {
      location: "eastus",
      identity: { type: "UserAssigned", userAssignedIdentities: { [ids.clusterIdentity]: {} } },
      properties: {
        ...{ dnsPrefix: "other", nodeResourceGroup: "other-nodes" },
        agentPoolProfiles: [{ name: "system", mode: "System", count: 1, vnetSubnetID: `${ids.vnet}/subnets/${ids.names.nodeSubnet}` }],
      },
    };
    await azure.seed({ resources: { [other]: { location: "eastus" }, [otherCluster]: body } });
    const { stderr } = exits(await destroy(azure), 0);
    for (const id of [ids.vnet, ids.clusterIdentity]) expect(stderr).toMatch(new RegExp(`keep +${id}: used by AKS cluster other`, "i"));
    expect(stderr).toMatch(new RegExp(`keep +${ids.nsg}: used by ${ids.vnet}`));
    expect(stderr).toMatch(/keep +role assignment Network Contributor for mgmt-msi .*: AKS cluster other has the same identity/);
    expect(await keys(azure)).toEqual(expect.arrayContaining([ids.vnet, ids.nsg, ids.clusterIdentity, ids.group].map(keyOf)));
    expect(await keys(azure)).not.toContain(keyOf(ids.cluster));
    await deleteResources(azure, other, groupId("other-nodes"));
    exits(await destroy(azure, ["--purge"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("a network with somebody's network interface", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const nic = inGroup("other", "networkInterfaces/theirs");
    const subnet = { id: `${ids.vnet}/subnets/${ids.names.nodeSubnet}` };
    await azure.seed({
      resources: {
        [groupId("other")]: { location: "eastus" },
        [nic]: { location: "eastus", properties: { ipConfigurations: [{ name: "one", properties: { subnet } }] } },
      },
    });
    const { stderr } = exits(await destroy(azure), 0);
    expect(stderr).toMatch(new RegExp(`keep +${ids.vnet}: used by ${nic}/`, "i"));
    await deleteResources(azure, nic);
    exits(await destroy(azure), 0);
    expect(await keys(azure)).not.toContain(keyOf(ids.group));
  });
});

describe("the vault of the etcd key", () => {
  test("stays with a key of others in it, and says which", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: { [`${ids.vault}/keys/theirs`]: { properties: { kty: "RSA" } } } });
    const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
    expect(stderr).toMatch(new RegExp(`keep +${ids.vault}: it also contains key theirs, not created by aro-hcp`));
    expect(await keys(azure)).toContain(keyOf(ids.vault));
  });

  test("is deleted but not purged with purge protection, and the summary says until when Azure keeps it", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await setProperties(azure, ids.vault, { enablePurgeProtection: true });
    const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
    expect(stderr).toMatch(/Key Vault ah-mgmt-\w+ can be recovered until/);
    expect((await keys(azure)).filter((key) => key.includes("deletedvaults"))).toHaveLength(1);
    exits(await destroy(azure, ["--purge"]), 0);
  });

  test.each([[["--purge"]], [[]]])("is read before its deletion, and a secret of others in it stops that (%j)", async (mode) => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    const name = ids.names.etcdVault;
    await addSecret(azure, name, "theirs");
    const { stderr } = exits(await destroy(azure, mode), 5);
    expect(stderr).toMatch(/Key Vault "ah-mgmt-\w+" also contains what aro-hcp did not create/);
    expect(stderr).toMatch(/because\S* +secret theirs$/m);
    expect(await keys(azure)).toContain(keyOf(ids.vault));
    await changeState(azure, ({ vaults = {} }) => delete vaults[name]?.secrets["theirs"]);
    exits(await destroy(azure, mode), 0);
    expect(await keys(azure)).not.toContain(keyOf(ids.vault));
  });
});

test("a deleted secret of others with the name of the etcd key is not purged with its vault", async () => {
  const azure = await testEmulator();
  await seedAksCluster(azure);
  await azure.seed({ roleAssignments: [{ scope: ids.vault, role: secretsOfficer.id, principalId: wellKnown.clientPrincipalId }] });
  const content = await (await connectedAzure(azure.directory)).vaultContent(ids.names.etcdVault);
  await addSecret(azure, ids.names.etcdVault, ids.names.etcdKey);
  await (await content.secrets.beginDeleteSecret(ids.names.etcdKey, { intervalInMs: 0 })).pollUntilDone();
  const { stderr } = await destroy(azure, ["--purge"]);
  expect(stderr).toMatch(/deleted secret aks-etcd-encryption/);
  expect((await content.secrets.getDeletedSecret(ids.names.etcdKey)).name).toBe(ids.names.etcdKey);
});

describe("hosted control planes", () => {
  const disk = `${ids.nodeGroup}/providers/Microsoft.Compute/disks/pvc-1`;
  const tags = { "kubernetes.io-created-for-pvc-namespace": "clusters-demo", "kubernetes.io-created-for-pvc-name": "data-etcd-0" };

  test("on the cluster block the destroy, until their disks are gone", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: { [disk]: { location: "eastus", tags, properties: {} } } });
    await refuses(azure, destroy(azure), 5, "ARO-OWN-008", "clusters-demo");
    await deleteResources(azure, disk);
    exits(await destroy(azure), 0);
  });

  test("are deleted with --delete-foreign, and the plan names each disk with its claim", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure);
    await azure.seed({ resources: { [disk]: { location: "eastus", tags, properties: {} } } });
    const { stderr } = exits(await destroy(azure, ["--delete-foreign"]), 0);
    expect(stderr).toMatch(/remove +disk pvc-1: deleted with resource group mgmt-nodes \(volume of claim clusters-demo\/data-etcd-0\)/);
  });
});

test("identity sets whose vaults the cluster reads are named with the clusters that use them", async () => {
  const azure = await testEmulator();
  exits(
    await azure.cli([
      "create",
      "all",
      ...local,
      "--name",
      "demo",
      "--infra-id",
      "demo-x7k2",
      "--base-domain",
      "hcp.example.com",
      "--dns-zone-rg-name",
      "dns",
      "--output-dir",
      azure.path("out"),
      "--yes",
    ]),
    0,
  );
  const before = await azure.snapshot();
  const vault = Object.values((await azure.snapshot()).resources as Record<string, { id: string; type: string }>).find(
    ({ type }) => type === "Microsoft.KeyVault/vaults",
  );
  await seedAksCluster(azure, { vaultIds: [vault?.id ?? ""] });
  const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
  expect(stderr).toMatch(
    /warning: the pods of the management cluster "mgmt" read the secrets of the identity set "demo" in Key Vault \S+, which demo-x7k2 uses/,
  );
  expect(await azure.snapshot()).toEqual(before);
});

test("the role assignments of an existing identity go after the cluster, also if an earlier destroy was interrupted there", async () => {
  const azure = await testEmulator();
  const [shared, identity] = ["shared", `${groupId("shared")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/theirs`] as const;
  await azure.seed({ resources: { [groupId(shared)]: { location: "eastus" } }, identities: [{ id: identity }] });
  const before = await azure.snapshot();
  const name = [...local, "--name", "mgmt"];
  const theirs = inGroup(shared, "virtualNetworks/net");
  await azure.seed({
    resources: {
      [theirs]: {
        location: "eastus",
        properties: {
          addressSpace: { addressPrefixes: ["10.128.0.0/14"] },
          subnets: [{ name: "nodes", properties: { addressPrefix: "10.128.8.0/21" } }],
        },
      },
    },
  });
  const flags = ["--preset", "dev", "--cluster-identity-id", identity, "--node-subnet-id", `${theirs}/subnets/nodes`];
  const existing = await azure.snapshot();
  const file = azure.path("mgmt.json");
  exits(await azure.cli(["create", "management-cluster", ...name, ...flags, "--yes", "--output-file", file]), 0);
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "not allowed" } } };
  const faults = [{ method: "DELETE", path: "/roleAssignments/", times: 99, answer }];
  const { code } = await azure.cli(["destroy", "management-cluster", ...name, "--purge", "--yes"], { faults });
  expect(code).not.toBe(0);
  expect(await keys(azure)).not.toContain(keyOf(ids.cluster));
  // Without the AKS cluster, only the file still names its identity.
  exits(await destroy(azure, ["--purge", "--management-cluster-file", file]), 0);
  expect(await azure.snapshot()).toEqual(existing);
  await deleteResources(azure, theirs);
  expect(await azure.snapshot()).toEqual(before);
});

describe("in an existing group", () => {
  test("only the cluster's resources go, and its registry's role with them", async () => {
    const azure = await testEmulator();
    const registry = `${groupId("shared")}/providers/Microsoft.ContainerRegistry/registries/images`;
    const theirs = inGroup("shared", "virtualNetworks/theirs");
    await azure.seed({
      resources: {
        [groupId("shared")]: { location: "eastus" },
        [theirs]: { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } },
        [registry]: { location: "eastus", sku: { name: "Basic" }, properties: {} },
      },
    });
    const before = await azure.snapshot();
    await seedAksCluster(azure, { group: "shared" });
    await azure.seed({ roleAssignments: [assigned(kubeletPrincipal, acrPull, registry)] });
    const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
    expect(stderr).toMatch(new RegExp(`keep +${groupId("shared")}: not created by aro-hcp`));
    expect(await azure.snapshot()).toEqual(before);
  });

  test("loses last what shows the group, so that a destroy that ended early finds the rest again", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: { [groupId("shared")]: { location: "eastus" } } });
    const ids = await seedAksCluster(azure, { group: "shared" });
    const { stdout } = exits(await destroy(azure, ["--dry-run", "--output", "json"]), 0);
    const { removed } = JSON.parse(stdout) as { removed: { id: string; after: string[] }[] };
    for (const id of [ids.clusterIdentity, ids.kubeletIdentity, ids.outbound, ids.nsg]) {
      const last = removed.find((one) => one.id === keyOf(id));
      expect(last?.after).toEqual(expect.arrayContaining([ids.vnet, ids.vault].map(keyOf)));
    }
  });

  test("with existing identities and address, the security group shows it: the roles of the identities go after the cluster", async () => {
    const azure = await testEmulator();
    const identities = ["cluster", "nodes"].map(
      (name) => `${groupId("shared")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/their-${name}`,
    );
    const [identity = "", kubelet = ""] = identities;
    const address = inGroup("shared", "publicIPAddresses/their-address");
    await azure.seed({
      resources: {
        [groupId("shared")]: { location: "eastus" },
        ...Object.fromEntries(identities.map((id) => [id, { location: "eastus" }])),
        [address]: { location: "eastus", sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } },
      },
    });
    const before = await azure.snapshot();
    const existing = ["--cluster-identity-id", identity, "--kubelet-identity-id", kubelet, "--outbound-ip-id", address];
    const file = azure.path("mgmt.json");
    const own = ["--resource-group-name", "shared", "--output-file", file];
    const create = ["create", "management-cluster", ...local, "--name", "mgmt", ...own, ...existing];
    exits(await azure.cli(create, { env: fast }), 0);
    const faults = [
      { method: "DELETE", path: "/(?:roleAssignments|networkSecurityGroups)/", answer: { status: 403, body: {} }, times: 100 },
    ];
    exits(await azure.cli(["destroy", "management-cluster", ...local, "--name", "mgmt", "--yes"], { faults, env: fast }), 5);
    exits(await destroy(azure, ["--purge", "--management-cluster-file", file]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("is read again at the end: a deletion without effect is reported although the record is gone", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: { [groupId("shared")]: { location: "eastus" } } });
    const ids = await seedAksCluster(azure, { group: "shared" });
    const faults = [{ method: "DELETE", path: "/publicIPAddresses/[^/]+$", answer: { status: 200 }, times: 100 }];
    const { stderr } = exits(
      await azure.cli(["destroy", "management-cluster", ...local, "--name", "mgmt", "--yes"], { faults, env: fast }),
      1,
    );
    expect(stderr).toMatch(/ARO-DELETE-003/);
    expect(stderr).toContain(ids.outbound);
  });

  test("of two clusters with one name, --resource-group-name selects one", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: { [groupId("one")]: { location: "eastus" }, [groupId("two")]: { location: "eastus" } } });
    await seedAksCluster(azure, { group: "one" });
    const second = aksClusterIds({ group: "two" });
    const body = {
      location: "eastus",
      tags: { "aro-hcp-management-cluster": "mgmt" },
      sku: { name: "Standard" },
      properties: { publicIPAllocationMethod: "Static" },
    };
    await azure.seed({ resources: { [second.outbound]: body } });
    await refuses(
      azure,
      destroy(azure),
      2,
      "ARO-USAGE-001",
      "2 resource groups contain resources of the management cluster",
      "--resource-group-name",
    );
    const { stderr } = exits(await destroy(azure, ["--resource-group-name", "one"]), 0);
    expect(stderr).toMatch(new RegExp(`keep +${second.outbound}: has the ownership tag, but is not in resource group one`));
    expect(await keys(azure)).toContain(keyOf(second.outbound));
    exits(await destroy(azure), 0);
    expect(await keys(azure)).not.toContain(keyOf(second.outbound));
  });
});

test("a management cluster and a service cluster with one name are different clusters", async () => {
  const azure = await testEmulator();
  await seedAksCluster(azure);
  const before = await azure.snapshot();
  const { stderr } = exits(await destroy(azure, ["--delete-foreign", "--purge"], "service-cluster"), 0);
  expect(stderr).toMatch(new RegExp(`keep +${ids.cluster}: has a name of this cluster, but its ownership tags name another owner`));
  expect(await azure.snapshot()).toEqual(before);
});

test("without the permission to list AKS clusters, nothing that they may use is deleted", async () => {
  const azure = await testEmulator();
  await seedAksCluster(azure);
  const before = await azure.snapshot();
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "not allowed" } } };
  const list = "^/subscriptions/[^/]+/providers/Microsoft.ContainerService/managedClusters$";
  const { stderr } = exits(
    await destroy(azure, ["--purge"], undefined, undefined, { faults: [{ method: "GET", path: list, times: 99, answer }] }),
    5,
  );
  expect(stderr).toContain("AuthorizationFailed");
  expect(await azure.snapshot()).toEqual(before);
});

describe("a service cluster", () => {
  const zone = `${groupId("dns")}/providers/Microsoft.Network/dnszones/hcp.example.com`;
  const kind = "service-cluster";
  const metadata = { "aro-hcp-service-cluster": "svc" };

  async function withRecord(
    azure: TestEmulator,
    name: string,
    record: { readonly ipAddress: string; readonly metadata?: Record<string, string> },
  ) {
    const { recordSets } = await (await connectedAzure(azure.directory)).dns();
    await recordSets.createOrUpdate("dns", "hcp.example.com", name, "A", {
      ttl: 300,
      aRecords: [{ ipv4Address: record.ipAddress }],
      ...(record.metadata && { metadata: record.metadata }),
    });
  }

  test("loses its A records in zones of others; those without its mark, or at other addresses, stay", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await seedAksCluster(azure, { kind, name: "svc", ingress: true });
    const { ipAddress } = (await liveBody(azure, svc.ingress)).properties as { ipAddress: string };
    await withRecord(azure, "rp", { ipAddress, metadata });
    const { stderr } = exits(await destroy(azure, ["--purge"], kind, "svc"), 0);
    expect(stderr).toContain("A record rp.hcp.example.com");
    expect(await azure.snapshot()).toEqual(before);

    await seedAksCluster(azure, { kind, name: "svc", ingress: true });
    await withRecord(azure, "moved", { ipAddress: "203.0.113.99", metadata });
    await withRecord(azure, "theirs", { ipAddress });
    const second = exits(await destroy(azure, ["--purge"], kind, "svc"), 0);
    expect(second.stderr).toMatch(/keep +A record moved.hcp.example.com: points to an address that is not deleted with this cluster/);
    expect(await keys(azure)).toEqual(expect.arrayContaining([keyOf(`${zone}/A/moved`), keyOf(`${zone}/A/theirs`)]));
  });

  test("whose address somebody deleted: its marked records are still reported", async () => {
    const azure = await testEmulator();
    await seedAksCluster(azure, { kind, name: "svc" });
    await withRecord(azure, "rp", { ipAddress: "203.0.113.99", metadata });
    const { stderr } = exits(await destroy(azure, ["--dry-run"], kind, "svc"), 0);
    expect(stderr).toMatch(/keep +A record rp.hcp.example.com: points to an address that is not deleted with this cluster/);
  });

  test("loses its certificate in an existing vault, which stays", async () => {
    const azure = await testEmulator();
    const vault = `${groupId("shared")}/providers/Microsoft.KeyVault/vaults/kv-shared`;
    const properties = { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true };
    await azure.seed({
      resources: { [groupId("shared")]: { location: "eastus" }, [vault]: { location: "eastus", properties } },
      roleAssignments: [{ scope: vault, role: "a4417e6f-fecd-4de8-b567-7b0420556985", principalId: wellKnown.clientPrincipalId }],
    });
    const before = await azure.snapshot();
    await seedAksCluster(azure, { kind, name: "svc" });
    const { certificates } = await (await connectedAzure(azure.directory)).vaultContent("kv-shared");
    const policy = { issuerName: "Self", subject: "CN=rp.example.com" };
    for (const [name, tags] of [
      ["frontend-cert", metadata],
      ["theirs", {}],
    ] as const) {
      await (await certificates.beginCreateCertificate(name, policy, { tags })).pollUntilDone();
    }
    const addOn = await addOnPrincipal(azure, svc);
    await azure.seed({
      roleAssignments: ["frontend-cert", "theirs"].map((name) => assigned(addOn, secretsUser, `${vault}/secrets/${name}`)),
    });
    const { stderr } = exits(await destroy(azure, ["--purge"], kind, "svc"), 0);
    expect(stderr).toContain("certificate frontend-cert");
    const { resources, roleAssignments } = await azure.snapshot();
    expect(Object.keys(resources)).toEqual(Object.keys(before.resources));
    expect(roleAssignments).toEqual(before.roleAssignments);
    expect(await certificates.getCertificate("theirs")).toMatchObject({ name: "theirs" });
    await expect(certificates.getCertificate("frontend-cert")).rejects.toMatchObject({ statusCode: 404 });
  });
});

interface Body {
  readonly location: string;
  readonly tags: Record<string, string>;
  readonly identity?: object;
  readonly properties: Record<string, unknown>;
}

/** As a client sends it again. */
async function liveBody(azure: TestEmulator, id: string): Promise<Body> {
  const { manager } = await connectedAzure(azure.directory).then(async (one) => ({ manager: await one.manager() }));
  const { body } = await manager.get(id, id.includes("managedClusters") ? "2025-07-01" : "2024-05-01", z.custom<Body & { id: string }>());
  return body;
}
