/** Everything that is made in a location, by its provider; what is global is in none. Pure. */
import type { Part } from "../../domain/required-actions.js";

/** A resource type that is made, and by which part. */
interface MadeType {
  readonly part: Part;
  readonly namespace: string;
  readonly type: string;
  /** Where the provider tells how much of a region's limit is used. */
  readonly quota?: RegionalQuota;
}

interface RegionalQuota {
  /** "virtual networks" */
  readonly words: string;
  /** Of the usages that the provider tells of a region: not every region tells all of them. */
  readonly names: readonly string[];
  /** Of the provider's interface that tells them. */
  readonly version: string;
}

function ofNetwork(type: string, words: string, ...names: readonly string[]): MadeType {
  return { part: "infra", namespace: "Microsoft.Network", type, quota: { words, names, version: "2024-10-01" } };
}

export const madeTypes: readonly MadeType[] = [
  ofNetwork("virtualNetworks", "virtual networks", "VirtualNetworks"),
  ofNetwork("networkSecurityGroups", "network security groups", "NetworkSecurityGroups"),
  ofNetwork(
    "publicIPAddresses",
    "public IP addresses",
    "PublicIPAddresses",
    "StandardSkuPublicIpAddresses",
    "IPv4StandardSkuPublicIpAddresses",
  ),
  ofNetwork("loadBalancers", "load balancers", "LoadBalancers", "StandardSkuLoadBalancers"),
  { part: "identities", namespace: "Microsoft.KeyVault", type: "vaults" },
  { part: "identities", namespace: "Microsoft.ManagedIdentity", type: "userAssignedIdentities" },
  {
    part: "issuer",
    namespace: "Microsoft.Storage",
    type: "storageAccounts",
    quota: { words: "storage accounts", names: ["StorageAccounts"], version: "2025-01-01" },
  },
];

/** The providers of what is made. */
export function namespacesOf(made: ReadonlySet<Part>): string[] {
  return [...new Set(madeTypes.filter(({ part }) => made.has(part)).map(({ namespace }) => namespace))];
}
