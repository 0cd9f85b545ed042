/** Settings of management and service clusters: every mistake is reported at once, at its flag, with what is meant. */
import { describe, expect, test } from "vitest";
import { aksClusterSpec } from "../../../src/aks/inputs/aks-cluster-spec.js";
import { withClusterRecord } from "../../../src/aks/inputs/aks-recorded-options.js";
import type { ClusterKind } from "../../../src/domain/cluster-kind.js";
import { commands as aksCommands } from "../../../src/aks/commands.js";
import type { Sources } from "../../../src/settings/resolve.js";
import { nsgId, problemsOf, resolve, subnetId, subscription, vnetId } from "../../settings/resolving.js";

type Flags = Sources["flags"];

const group = `/subscriptions/${subscription}/resourceGroups/net/providers`;
const addressId = `${group}/Microsoft.Network/publicIPAddresses/out`;
const identityId = `${group}/Microsoft.ManagedIdentity/userAssignedIdentities/one`;
const vaultId = `${group}/Microsoft.KeyVault/vaults/kv`;
const registryId = `${group}/Microsoft.ContainerRegistry/registries/acr`;

function create(flags: Flags, kind: ClusterKind = "management-cluster") {
  return resolve(`create ${kind}` as const, { name: "mgmt", ...flags });
}

async function problems(flags: Flags, kind: ClusterKind = "management-cluster"): Promise<string[]> {
  const withoutRecord = create(flags, kind).then((resolved) => withClusterRecord(resolved, kind, undefined));
  return (await problemsOf(withoutRecord)).map(({ origin, message }) => `${origin} ${message}`);
}

async function specOf(flags: Flags, kind: ClusterKind = "management-cluster") {
  const { settings } = await create(flags, kind);
  return aksClusterSpec(kind, settings, { subscriptionId: subscription, tenantId: subscription });
}

test.each(Object.entries(aksCommands))("%s takes each option once", (_name, { options }) => {
  expect(options.filter((name, at) => (options as readonly string[]).indexOf(name) !== at)).toEqual([]);
});

test("a name is enough, for both kinds", async () => {
  expect(await problems({})).toEqual([]);
  expect(await problems({}, "service-cluster")).toEqual([]);
  expect(await problems({ preset: "dev" })).toEqual([]);
  expect(await problems({ preset: "production" })).toEqual([]);
});

test("everything wrong is reported together", async () => {
  const found = await problems({
    ...{ preset: "big", userPool: ["size=D8ds_v5"], egressIpTags: "FirstPartyUsage=/NonProd", kubernetesVersion: "v1.33" },
    ...{ clusterType: "svc", nodeSubnetCidr: "10.128.8.1/21", keyVaultId: "kv", adminGroupId: "admins" },
  });
  // Without a preset, nothing is known that depends on it.
  expect(found).toHaveLength(2);
  const all = await problems({
    ...{ userPool: ["size=D8ds_v5"], egressIpTags: "FirstPartyUsage=/NonProd", kubernetesVersion: "v1.33" },
    ...{ clusterType: "svc", nodeSubnetCidr: "10.128.8.1/21", keyVaultId: "kv", adminGroupId: "admins" },
  });
  expect(all).toHaveLength(7);
});

test.each<[Flags, string]>([
  [{ userPool: ["size=D8ds_v5"] }, '--user-pool "size=D8ds_v5" is not the name of a VM size; did you mean "size=Standard_D8ds_v5"?'],
  [{ systemPool: ["min=0,max=1"] }, "--system-pool a system pool needs at least 1 node"],
  [{ userPool: ["count=1", "count=1"] }, '--user-pool two agent pools are named "user"; set name= on one of them'],
  [{ egressIpTags: "FirstPartyUsage=/NonProd" }, '--egress-ip-tags "FirstPartyUsage=/NonProd" has an equals sign between type and tag'],
  [{ egressIpTags: "FirstPartyUsage:/a:/b" }, '--egress-ip-tags "FirstPartyUsage:/a:/b" has a second colon'],
  [{ ingressAddress: true, ingressIpTags: "a b" }, '--ingress-ip-tags "a b" contains a space'],
  [{ ingressIpTags: "FirstPartyUsage:/a" }, "--ingress-ip-tags requires --ingress-address"],
  [
    { environment: "prod" },
    '--environment "prod" is not in the published table of service tags for a management cluster; pass --egress-ip-tags',
  ],
  [{ environment: "dev" }, '--environment "dev" is not one of none, int, stg, prod'],
  [
    { environment: "stg", ingressAddress: true },
    '--environment the table of "stg" has no tag for the ingress address of a management cluster',
  ],
  [{ clusterType: "svc" }, '--cluster-type "svc" is not the type of a management cluster; omit it, or pass mgmt'],
  [{ kubernetesVersion: "v1.33" }, '--kubernetes-version "v1.33" is not a Kubernetes version; did you mean "1.33"?'],
  [{ kubernetesVersion: "latest" }, '--kubernetes-version "latest" is not a Kubernetes version, such as 1.33'],
  [{ outboundIpId: addressId, egressIpTags: "FirstPartyUsage:/a" }, "--egress-ip-tags cannot be combined with --outbound-ip-id"],
  [{ outboundIpId: vnetId }, "--outbound-ip-id"],
  [{ clusterIdentityId: vaultId }, "--cluster-identity-id"],
  [{ kubeletIdentityId: "one" }, '--kubelet-identity-id "one" is not an Azure resource ID'],
  [{ keyVaultId: [registryId] }, "--key-vault-id"],
  [{ registryId: [vaultId] }, "--registry-id"],
  [{ adminGroupId: ["admins"] }, '--admin-group-id "admins" is not a UUID: expected the object ID of a group, not its name'],
  [
    { etcdKeyId: "https://kv.vault.azure.net/keys/etcd" },
    '--etcd-key-id "https://kv.vault.azure.net/keys/etcd" is not the ID of a key with its version',
  ],
  [
    { preset: "dev", vnetCidr: "10.0.0.0/16" },
    "--node-subnet-cidr its default 10.128.8.0/21 is not inside the virtual network, 10.0.0.0/16",
  ],
  [{ podSubnetCidr: "10.128.0.0/20" }, "--pod-subnet-cidr 10.128.0.0/20 overlaps the node subnet, 10.128.8.0/21"],
  [{ aksServiceCidr: "10.128.0.0/20" }, "--aks-service-cidr 10.128.0.0/20 overlaps the node subnet, 10.128.8.0/21; AKS refuses that"],
  [{ aksServiceCidr: "10.0.0.0/8" }, '--aks-service-cidr "10.0.0.0/8" is not between /12 and /28'],
  [
    { podSubnetCidr: "10.128.64.0/24" },
    "--pod-subnet-cidr 10.128.64.0/24 has room for 251, but the nodes and pods of the agent pools can need 1300 addresses",
  ],
  [
    { nodeSubnetCidr: "10.128.8.0/29" },
    "--node-subnet-cidr 10.128.8.0/29 has room for 3, but the nodes and pods of the agent pools can need 8 addresses",
  ],
  [{ preset: "dev", nodeSubnetCidr: "10.128.8.0/24" }, "can need 1004 addresses"],
  [{ vnetId }, "--vnet-id requires --node-subnet-id"],
  [{ podSubnetId: subnetId }, "--pod-subnet-id requires --node-subnet-id"],
  [{ nodeSubnetId: subnetId, podSubnetId: `${vnetId}2/subnets/pods` }, `--pod-subnet-id is in ${vnetId}2, not in ${vnetId}`],
  [{ nodeSubnetId: subnetId, podSubnetId: subnetId }, "--pod-subnet-id is the node subnet"],
  [{ nodeSubnetId: subnetId, podSubnetId: subnetId.replace("resourceGroups", "resourcegroups") }, "--pod-subnet-id is the node subnet"],
  [{ nodeSubnetId: subnetId, nodeSubnetCidr: "10.128.8.0/21" }, "--node-subnet-cidr cannot be combined with --node-subnet-id"],
  [{ nodeSubnetId: subnetId, vnetCidr: "10.0.0.0/8" }, "--vnet-cidr cannot be combined with --node-subnet-id"],
  [{ nodeSubnetId: vnetId }, "--node-subnet-id"],
  [{ subscription: "22222222-2222-2222-2222-222222222222", nodeSubnetId: subnetId }, `--node-subnet-id is in subscription ${subscription}`],
  [{ nodeResourceGroupName: "mgmt" }, "--node-resource-group-name is the resource group of the cluster itself"],
  [{ nodeResourceGroupName: "a.".repeat(2) }, '--node-resource-group-name resource group name "a.a." is not valid'],
  [{ tags: "aro-hcp-management-cluster=x" }, '--tags tag "aro-hcp-management-cluster" is reserved'],
  [{ name: "x".repeat(60) }, `virtual network name "${"x".repeat(60)}-vnet" has 65 characters`],
  [{ outputFile: "a.json", outputKubeconfig: "a.json" }, "is also the path of --output-file"],
])("%o is refused", async (flags, problem) => {
  const found = await problems(flags);
  expect(found).toEqual([expect.stringContaining(problem)]);
});

test.each<[Flags, string]>([
  [{ environment: "prod" }, "pass --egress-ip-tags and --ingress-ip-tags with the tags of your enrollment"],
  [{ clusterType: "mgmt" }, '--cluster-type "mgmt" is not the type of a service cluster; omit it, or pass svc'],
  [{ sreServiceTag: "Corp Net" }, '--sre-service-tag "Corp Net" is not the name of a service tag'],
  [{ istioRevision: ["1.27"] }, '--istio-revision "1.27" is not a revision of the add-on, such as asm-1-27'],
  [{ istioRevision: ["asm-1-25,asm-1-26,asm-1-27"] }, "--istio-revision has more than 2 revisions"],
])("%o is refused for a service cluster", async (flags, problem) => {
  expect(await problems(flags, "service-cluster")).toEqual([expect.stringContaining(problem)]);
});

describe("the wanted cluster", () => {
  test("has defaults from name and preset", async () => {
    expect(await specOf({ tags: "team=a" })).toMatchObject({
      cluster: { kind: "management-cluster", name: "mgmt" },
      group: { name: "mgmt", isExisting: false },
      nodeGroupName: "mgmt-nodes",
      network: { podSubnetCidr: "10.128.64.0/18", serviceCidr: "10.130.0.0/16", dnsServiceIp: "10.130.0.10" },
      features: { tier: "Standard", etcdEncryption: false },
      tags: { team: "a" },
      ingress: undefined,
    });
  });

  test("has what the options choose", async () => {
    const etcdKeyId = "https://kv1.vault.azure.net/keys/etcd/1";
    const flags = { resourceGroupName: "theirs", tier: "Premium", etcdKeyId, keyVaultId: [vaultId], registryId: [registryId] };
    const existing = { nodeSubnetId: subnetId, networkSecurityGroupId: nsgId, clusterIdentityId: identityId, outboundIpId: addressId };
    expect(await specOf({ ...flags, ...existing, environment: "stg" })).toMatchObject({
      group: { name: "theirs", isExisting: true },
      features: { tier: "Premium", etcdEncryption: true },
      network: { podSubnetCidr: undefined },
      existing: {
        nodeSubnetId: subnetId,
        networkSecurityGroupId: nsgId,
        clusterIdentityId: identityId,
        outboundAddressId: addressId,
        etcdKeyId,
      },
      // An existing address keeps its own.
      egressIpTags: [],
      vaultIds: [vaultId],
      registryIds: [registryId],
    });
  });

  test("has the tags of its environment, and an ingress only if asked or for a service cluster", async () => {
    const stg = { environment: "stg" } as const;
    expect((await specOf(stg)).egressIpTags).toEqual([{ type: "FirstPartyUsage", tag: "/aro-hcp-prod-outbound-cx" }]);
    expect((await specOf({ ingressAddress: true })).ingress).toMatchObject({ ipTags: [], ops: false });
    expect((await specOf(stg, "service-cluster")).ingress).toMatchObject({
      ipTags: [{ type: "FirstPartyUsage", tag: "/aro-hcp-prod-inbound-svc" }],
      genevaServiceTag: "GenevaActions",
      sreServiceTag: "CorpNetSaw",
    });
  });

  test("in production without a group of administrators, a notice says who can sign in", async () => {
    expect((await create({ preset: "production" })).notices).toEqual([expect.stringContaining("no --admin-group-id is set")]);
    expect((await create({ preset: "production", adminGroupId: [subscription] })).notices).toEqual([]);
  });
});
