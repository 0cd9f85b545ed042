/** Which resources belong to an AKS cluster: only those with its tag and a name that it gives in its group. */
import { describe, expect, test } from "vitest";
import type { AksClusterKey } from "../../../src/domain/cluster-kind.js";
import { aksClusterNames } from "../../../src/aks/domain/cluster-names.js";
import { aksClusterOwns, aksClusterResource, formerSecurityGroup } from "../../../src/aks/domain/cluster-resource.js";
import { nameProblem } from "../../../src/domain/name-rules.js";
import { hasOtherOwner, ownedBy, ownershipTags } from "../../../src/domain/ownership.js";

const cluster: AksClusterKey = { kind: "management-cluster", name: "mgmt" };
const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
const names = aksClusterNames(cluster, subscriptionId);
const own = { cluster, subscriptionId, existingGroups: [] };
const idIn = (group: string, path: string) => `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/${path}`;

describe("ownership", () => {
  test("is a tag with the kind and the name", () => {
    expect(ownershipTags(cluster)).toEqual({ "aro-hcp-management-cluster": "mgmt" });
    expect(ownershipTags({ ...cluster, kind: "service-cluster" })).toEqual({ "aro-hcp-service-cluster": "mgmt" });
  });

  test.each<[Record<string, string>, "ours" | "other-owner" | "untagged", boolean]>([
    [{ "ARO-HCP-management-cluster": "mgmt" }, "ours", false],
    [{ "aro-hcp-management-cluster": "other" }, "other-owner", true],
    [{ "aro-hcp-service-cluster": "mgmt" }, "untagged", true],
    [{ "aro-hcp-name": "mgmt", "aro-hcp-infra-id": "mgmt-x" }, "untagged", true],
    [{ "aro-hcp-identities": "mgmt" }, "untagged", true],
    [{ team: "a" }, "untagged", false],
  ])("of %o", (tags, owned, other) => {
    expect(ownedBy(tags, cluster)).toBe(owned);
    expect(hasOtherOwner(tags, cluster)).toBe(other);
  });

  test("of a hosted cluster is not that of an AKS cluster", () => {
    expect(hasOtherOwner({ "aro-hcp-management-cluster": "mgmt" }, { name: "mgmt", infraId: "mgmt-x" })).toBe(true);
    expect(hasOtherOwner({ "aro-hcp-service-cluster": "svc" }, { identitySet: "svc" })).toBe(true);
  });
});

describe("a name in the group", () => {
  test.each([
    ["Microsoft.ContainerService/managedClusters/mgmt", "AKS cluster"],
    ["microsoft.network/virtualnetworks/MGMT-vnet", "virtual network"],
    ["Microsoft.Network/networkSecurityGroups/mgmt-node-nsg", "network security group"],
    ["Microsoft.Network/publicIPAddresses/mgmt-outbound-ip", "public IP address"],
    ["Microsoft.Network/publicIPAddresses/mgmt-ops-ingress-ip", "public IP address"],
    ["Microsoft.ManagedIdentity/userAssignedIdentities/mgmt-kubelet-msi", "managed identity"],
    [`Microsoft.KeyVault/vaults/${names.etcdVault}`, "Key Vault"],
  ])("%s is the cluster's", (path, label) => {
    expect(aksClusterResource(own, idIn("MGMT", path))?.label).toBe(label);
    expect(aksClusterResource(own, idIn("theirs", path))).toBeUndefined();
    expect(aksClusterResource({ ...own, existingGroups: ["theirs"] }, idIn("theirs", path))?.label).toBe(label);
    expect(aksClusterResource({ ...own, existingGroups: undefined }, idIn("any", path))?.label).toBe(label);
  });

  test.each([
    "Microsoft.ContainerService/managedClusters/other",
    "Microsoft.Network/publicIPAddresses/mgmt",
    "Microsoft.Compute/disks/mgmt",
  ])("%s is not", (path) => {
    expect(aksClusterResource(own, idIn("mgmt", path))).toBeUndefined();
  });

  test("of the group itself is its own, and never that of an existing group", () => {
    const group = (name: string) => `/subscriptions/${subscriptionId}/resourceGroups/${name}`;
    expect(aksClusterResource(own, group("mgmt"))?.label).toBe("resource group");
    expect(aksClusterResource({ ...own, existingGroups: ["theirs"] }, group("theirs"))).toBeUndefined();
  });

  test("proves nothing without the tag, nor does the tag without the name", () => {
    const id = idIn("mgmt", "Microsoft.Network/virtualNetworks/mgmt-vnet");
    const tags = ownershipTags(cluster);
    expect(aksClusterOwns(own, { id, tags })).toBe(true);
    expect(aksClusterOwns(own, { id, tags: {} })).toBe(false);
    expect(aksClusterOwns(own, { id: `${id}2`, tags })).toBe(false);
    expect(aksClusterOwns(own, { tags })).toBe(false);
  });

  test("that an earlier version gave to a security group is the cluster's only with the tag", () => {
    const id = idIn("mgmt", "Microsoft.Network/networkSecurityGroups/mgmt-cluster-node-nsg");
    expect(aksClusterResource(own, id)).toBeUndefined();
    expect(aksClusterOwns(own, { id, tags: {} })).toBe(false);
    expect(aksClusterOwns(own, { id, tags: ownershipTags({ ...cluster, name: "other" }) })).toBe(false);
    expect(aksClusterOwns(own, { id, tags: ownershipTags(cluster) })).toBe(true);
  });
});

test.each(["a", "a--b", `${"a".repeat(15)}-b`, "a-".repeat(20) + "a"])("the vault of %s has a name that Azure accepts", (name) => {
  const { etcdVault } = aksClusterNames({ ...cluster, name }, subscriptionId);
  expect(nameProblem("keyVault", etcdVault)).toBeUndefined();
  expect(aksClusterNames({ ...cluster, name }, subscriptionId.replace("1", "2")).etcdVault).not.toBe(etcdVault);
});

test("the security group of an earlier version is found among what the cluster owns, by type and name", () => {
  const inGroup = (path: string) => `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/${path}`;
  const service = { kind: "service-cluster", name: "demo" } as const;
  const former = inGroup("networkSecurityGroups/SVC-cluster-node-nsg");
  const others = [inGroup("networkSecurityGroups/mgmt-cluster-node-nsg"), inGroup("virtualNetworks/svc-cluster-node-nsg")];
  expect(formerSecurityGroup(service, [...others, former])).toBe("svc-cluster-node-nsg");
  expect(formerSecurityGroup(service, others)).toBeUndefined();
  expect(formerSecurityGroup(service, [])).toBeUndefined();
});
