/** What a destroy of an AKS cluster decides about its resource group, role assignments, vault, DNS records and hosted control planes. */
import { kindFacts } from "../../../src/domain/cluster-kind.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { RecordSet } from "@azure/arm-dns";
import { describe, expect, test } from "vitest";
import { grantName } from "../../../src/domain/role-assignment-name.js";
import { networkContributor } from "../../../src/domain/roles.js";
import { decideAksAssignments, principalsOf, type AksPrincipal } from "../../../src/aks/removal/aks-assignments.js";
import { certificateCandidates } from "../../../src/aks/removal/aks-certificates.js";
import { decideClusterGroup } from "../../../src/aks/removal/cluster-group.js";
import { clusterGroupName } from "../../../src/aks/removal/cluster-group-name.js";
import { decideRecords } from "../../../src/aks/removal/aks-records.js";
import type { ZoneContents } from "../../../src/removal/dns-records.js";
import { etcdVault } from "../../../src/aks/removal/aks-vaults.js";
import { contentsOf } from "../../../src/removal/vaults.js";
import { hostedControlPlanes } from "../../../src/aks/removal/hosted-control-planes.js";
import { aksClusterIds } from "../../harness/aks-cluster.js";

const cluster = { kind: "management-cluster", name: "mgmt" } as const;
const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
const place = { cluster, subscriptionId, groupName: undefined };
const ids = aksClusterIds();
const tags = { "aro-hcp-management-cluster": "mgmt" };
const caller = { objectId: "me" };
const elsewhere = `/subscriptions/${subscriptionId}/resourceGroups/other/providers/Microsoft.Network/virtualNetworks/net`;

const role = networkContributor.id;
const proven = (principalId: string, scope: string): RoleAssignment => ({
  ...{ id: `${principalId} on ${scope}`, name: grantName(principalId, role, scope), scope, principalId },
  roleDefinitionId: `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
});
const others = (principalId: string, scope: string): RoleAssignment => ({ ...proven(principalId, scope), name: "chosen-by-others" });

const fates: readonly AksPrincipal["fate"][] = ["with-aks", "with-us", "stays"];
const assignments: readonly (readonly [what: string, live: RoleAssignment, deleted: readonly AksPrincipal["fate"][]])[] = [
  ["that a create assigned elsewhere", proven("p", elsewhere), fates],
  ["that a create assigned, in other casing", { ...proven("P", elsewhere), scope: elsewhere.toUpperCase() }, fates],
  ["that a create assigned on a deleted resource", proven("p", ids.vnet), fates],
  ["that others assigned elsewhere", others("p", elsewhere), ["with-aks", "with-us"]],
  ["that others assigned on a deleted resource", others("p", ids.vnet), ["with-aks", "with-us"]],
  ["in the group of the nodes", proven("p", `${ids.nodeGroup}/providers/Microsoft.Compute/disks/a`), []],
  ["of another principal that a create assigned on a deleted resource", proven("q", ids.vnet), fates],
  ["of another principal elsewhere", proven("q", elsewhere), []],
  ["of another principal that others assigned on a deleted resource", others("q", ids.vnet), []],
];

test.each(assignments)("an assignment %s", (_what, live, deleted) => {
  for (const fate of fates) {
    const { grants } = decideAksAssignments({
      assigned: [live],
      principals: [{ objectId: "p", holder: "mgmt-msi", fate }],
      deletedIds: [ids.vnet],
      vaultIds: [],
      isInNodeGroup: (id) => id.startsWith(ids.nodeGroup),
      otherUser: () => undefined,
      caller,
    });
    expect([fate, grants.length]).toEqual([fate, deleted.includes(fate) ? 1 : 0]);
    for (const grant of grants) expect(grant.beforeCluster).toBe(fate === "with-aks" && live.principalId?.toLowerCase() === "p");
  }
});

test("an assignment of an identity that another cluster has too is kept, except on what is deleted", () => {
  const question = {
    principals: [{ objectId: "p", holder: "shared-msi", fate: "stays" }] as const,
    ...{ deletedIds: [ids.vnet], vaultIds: [], isInNodeGroup: () => false, otherUser: () => "AKS cluster svc", caller },
  };
  const { grants, kept } = decideAksAssignments({ ...question, assigned: [proven("p", elsewhere), proven("p", ids.vnet)] });
  expect(grants.map(({ scope }) => scope)).toEqual([ids.vnet]);
  expect(kept.map(({ title, why }) => `${title ?? ""}: ${why}`)).toEqual([
    "role assignment Network Contributor for shared-msi on virtual network net: AKS cluster svc has the same identity and needs the assignment",
  ]);
});

test("the identities of a cluster go with it, with this destroy, or stay", () => {
  const existing = elsewhere.replace("Microsoft.Network/virtualNetworks/net", "Microsoft.ManagedIdentity/userAssignedIdentities/theirs");
  const found = principalsOf(
    {
      location: "eastus",
      nodeResourceGroup: "mgmt-nodes",
      identity: { type: "UserAssigned", userAssignedIdentities: { [ids.clusterIdentity]: { principalId: "c" } } },
      identityProfile: { kubeletidentity: { resourceId: existing, objectId: "k" } },
      addonProfiles: {
        azureKeyvaultSecretsProvider: { enabled: true, identity: { resourceId: `${ids.nodeGroup}/providers/a/b/c`, objectId: "s" } },
      },
    },
    [ids.clusterIdentity],
  );
  expect(found.map(({ objectId, holder, fate }) => `${objectId} ${holder}: ${fate}`)).toEqual([
    "c mgmt-msi: with-us",
    "k the nodes: stays",
    "s the secrets provider: with-aks",
  ]);
});

describe("the resource group of a cluster", () => {
  const group = (name: string, tagged: object = tags) => ({
    id: `/subscriptions/${subscriptionId}/resourceGroups/${name}`,
    name,
    location: "eastus",
    tags: { ...tagged },
  });
  const vnetIn = (name: string, tagged: Record<string, string> = tags) => ({
    ...{ id: aksClusterIds({ group: name }).vnet, type: "Microsoft.Network/virtualNetworks", name: "mgmt-vnet", tags: tagged },
  });

  const addressIn = (name: string) => ({
    ...{ id: aksClusterIds({ group: name }).outbound, type: "Microsoft.Network/publicIPAddresses", name: "mgmt-outbound-ip", tags },
  });

  const inShared = (name: string, type: string, path: string) => ({
    id: `${aksClusterIds({ group: name }).group}/providers/${type}/${path}`,
    type,
    name: path,
    tags,
  });
  const clusterIn = (name: string) => inShared(name, "Microsoft.ContainerService/managedClusters", "mgmt");
  const formerIn = (name: string) =>
    inShared(name, "Microsoft.Network/networkSecurityGroups", kindFacts["management-cluster"].formerSecurityGroup);

  test.each([
    ["its own group", [group("mgmt"), group("shared", {})], [addressIn("shared")], "mgmt"],
    ["the group that has its address", [group("shared", {})], [addressIn("shared")], "shared"],
    ["none, where only other resources have its tags and names", [group("shared", {})], [vnetIn("shared")], undefined],
    ["none, where an AKS cluster of its name has its tag", [group("shared", {})], [clusterIn("shared")], undefined],
    [
      "none, where a security group with the name that earlier versions gave has its tag",
      [group("shared", {})],
      [formerIn("shared")],
      undefined,
    ],
    ["a group of its name without tags", [group("mgmt", {})], [], "mgmt"],
    ["none, where tags are on other names only", [group("copied")], [{ ...vnetIn("copied"), id: elsewhere }], undefined],
  ] as const)("is %s", (_what, groups, tagged, name) => {
    expect(clusterGroupName(place, [...groups], [...tagged])).toBe(name);
  });

  test("is not guessed between two groups", () => {
    expect(() => clusterGroupName(place, [], [addressIn("one"), addressIn("two")])).toThrow(
      expect.objectContaining({ code: "ARO-USAGE-001" }),
    );
    expect(clusterGroupName({ ...place, groupName: "two" }, [], [addressIn("one"), addressIn("two")])).toBe("two");
  });

  test("contains resources of the cluster, of others, and without an owner", () => {
    const { resources, unclaimed, kept, ownGroup } = decideClusterGroup(place, "mgmt", {
      groups: [group("mgmt")],
      tagged: [],
      contents: [
        vnetIn("mgmt"),
        { ...vnetIn("mgmt", {}), id: ids.nsg, type: "Microsoft.Network/networkSecurityGroups" },
        { ...vnetIn("mgmt", { "aro-hcp-identities": "demo" }), id: ids.vault, type: "Microsoft.KeyVault/vaults" },
        { ...vnetIn("mgmt"), id: `${ids.vnet}-2` },
        { ...vnetIn("mgmt", {}), id: `${ids.vnet}-3` },
      ],
    });
    expect(ownGroup?.name).toBe("mgmt");
    expect(resources.map(({ id }) => id)).toEqual([ids.vnet]);
    expect(unclaimed.map(({ id }) => id)).toEqual([ids.nsg]);
    expect(kept.map(({ id }) => id)).toEqual([ids.vault, `${ids.vnet}-2`]);
  });
});

test.each([
  ["only the key", { certificates: [], secrets: [] }, ["aks-etcd-encryption"], [], false],
  ["the key in capitals", { certificates: [], secrets: [] }, ["AKS-etcd-encryption"], [], false],
  ["another key", { certificates: [], secrets: [] }, ["aks-etcd-encryption", "b"], ["key b"], false],
  ["a secret", { certificates: [], secrets: [{ name: "s" }] }, [], ["secret s"], false],
  ["a certificate with its key", { certificates: [{ name: "c" }], secrets: [] }, ["c"], ["certificate c"], false],
  ["what the caller cannot read", undefined, ["aks-etcd-encryption"], [], true],
] as const)("the vault of an etcd key with %s", (_what, items, keys, foreign, closed) => {
  const named = keys.map((name) => ({ name }));
  const own = keys.filter((name) => /^aks-etcd-encryption$/i.test(name));
  expect(contentsOf(etcdVault(place), items, named)).toEqual({
    ...{ secrets: [], certificates: [], foreign, ofOwners: [], closed },
    ...(own.length > 0 && { keys: own }),
  });
});

describe("records in zones of others", () => {
  const zoneId = (name: string) => `/subscriptions/${subscriptionId}/resourceGroups/dns/providers/Microsoft.Network/dnsZones/${name}`;
  const address = { id: ids.ingress, ipAddress: "203.0.113.5" };
  const set = (zone: string, type: "A" | "NS" | "TXT", name: string, more: Partial<RecordSet> = {}): RecordSet => ({
    ...{ id: `${zoneId(zone)}/${type}/${name}`, name, metadata: tags, etag: "e" },
    ...more,
  });
  const at = (...addresses: string[]) => ({ aRecords: addresses.map((ipv4Address) => ({ ipv4Address })) });
  const zone = (name: string, ...sets: RecordSet[]): ZoneContents => ({
    zone: { id: zoneId(name), name, nameServers: ["ns1.example."] },
    sets,
  });

  test.each([
    ["at the cluster's address", at("203.0.113.5"), true],
    ["that refers to the cluster's address", { targetResource: { id: ids.ingress.toUpperCase() } }, true],
    ["at another address", at("203.0.113.6"), false],
    ["at both", at("203.0.113.5", "203.0.113.6"), false],
    ["without an address", {}, false],
  ])("a marked A record %s", (_what, more, isDeleted) => {
    const { records, kept } = decideRecords(cluster, [address], [zone("e.example.com", set("e.example.com", "A", "rp", more))]);
    expect([records.length, kept.length]).toEqual(isDeleted ? [1, 0] : [0, 1]);
  });

  test("an A record without the mark, or with that of another cluster, is neither deleted nor listed", () => {
    const unmarked = [undefined, { "aro-hcp-management-cluster": "other" }, { "aro-hcp-service-cluster": "mgmt" }].map((metadata) => {
      const { metadata: _mark, ...rest } = set("e.example.com", "A", "rp", at("203.0.113.5"));
      return metadata === undefined ? rest : { ...rest, metadata };
    });
    expect(decideRecords(cluster, [address], [zone("e.example.com", ...unmarked)])).toEqual({ records: [], kept: [] });
  });

  const delegation = set("example.com", "NS", "e", { nsRecords: [{ nsdname: "NS1.example" }] });
  const own = set("e.example.com", "A", "rp", at("203.0.113.5"));
  test.each([
    ["is deleted with the last record of its zone", [zone("e.example.com", own), zone("example.com", delegation)], undefined],
    [
      "stays while others use the zone",
      [zone("e.example.com", own, set("e.example.com", "TXT", "theirs", { metadata: {} })), zone("example.com", delegation)],
      "zone e.example.com also contains theirs",
    ],
    [
      "stays at other name servers",
      [zone("e.example.com", own), zone("example.com", { ...delegation, nsRecords: [{ nsdname: "ns9.example" }] })],
      "it delegates to other name servers",
    ],
    ["stays if its zone cannot be read", [zone("example.com", delegation)], "the zone that it delegates cannot be read"],
  ])("a marked delegation %s", (_what, zones, why) => {
    const { records, kept } = decideRecords(cluster, [address], zones);
    expect(records.some(({ id }) => id === delegation.id)).toBe(why === undefined);
    expect(kept.map((one) => one.why)).toEqual(why === undefined ? [] : [why]);
  });
});

test("certificates are looked for where the secrets provider has a role on a secret, and where the file names one", () => {
  const vaultId = elsewhere.replace("Microsoft.Network/virtualNetworks/net", "Microsoft.KeyVault/vaults/kv");
  const grants = [
    { scope: `${vaultId}/secrets/tls`, beforeCluster: true },
    { scope: `${vaultId}/secrets/other`, beforeCluster: false },
    { scope: vaultId, beforeCluster: true },
  ];
  expect(certificateCandidates(grants, { vaultId, name: "frontend-cert" }).map(({ vaultId: id, name }) => `${id} ${name}`)).toEqual([
    `${vaultId} tls`,
    `${vaultId} frontend-cert`,
  ]);
});

test("hosted control planes are found by the disks of their etcd, whatever the casing of tags", () => {
  const disk = (name: string, more: Record<string, string>) => ({ id: `/d/${name}`, type: "microsoft.compute/disks", tags: more });
  const claim = (namespace: string, name: string) => ({
    "Kubernetes.io-created-for-PVC-namespace": namespace,
    "kubernetes.io-created-for-pvc-name": name,
  });
  const found = hostedControlPlanes([
    disk("1", claim("clusters-b", "data-etcd-0")),
    disk("2", claim("clusters-a", "data-etcd-0")),
    disk("3", claim("clusters-a", "data-etcd-1")),
    disk("4", claim("monitoring", "prometheus-0")),
    disk("5", {}),
    { ...disk("6", claim("clusters-c", "data-etcd-0")), type: "Microsoft.Compute/snapshots" },
  ]);
  expect(found).toEqual([
    { namespace: "clusters-a", disks: ["/d/2", "/d/3"] },
    { namespace: "clusters-b", disks: ["/d/1"] },
  ]);
});
