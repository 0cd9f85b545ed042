/** Which resource group each part of a cluster is in, from the settings alone: the one answer for every command. */
import type { Existing, GroupKind } from "./create-parts.js";
import { groupNames, privateZoneGroup, type ClusterKey, type Naming } from "./names.js";
import { groupNameOf, parentId } from "./resource-id.js";

/** The choices that decide the place of each resource; an `InfraSpec` has them, and more. */
export interface PlacementChoice {
  readonly naming: Naming;
  /** An existing group that replaces the managed group. */
  readonly existingGroup: string | undefined;
  /** Everything goes into the managed group. */
  readonly singleResourceGroup: boolean;
  /** IDs of existing resources: used and checked, never changed or deleted. A subnet implies its network. */
  readonly existing: {
    readonly networkSecurityGroupId: string | undefined;
    readonly vnetId: string | undefined;
    readonly subnetId: string | undefined;
  };
  /** The group of the public zone; undefined to search the subscription. */
  readonly dnsZoneGroup: string | undefined;
}

export interface Placement {
  readonly managed: string;
  readonly vnet: string;
  /** Undefined where an existing network has it on its subnet: only Azure knows which it is. */
  readonly nsg: string | undefined;
  readonly privateZone: string;
  readonly dns: string | undefined;
}

/** The ID of the existing virtual network; an existing subnet names its network too. */
export function existingNetworkId({ existing: { vnetId, subnetId } }: Pick<PlacementChoice, "existing">): string | undefined {
  return vnetId ?? (subnetId === undefined ? undefined : parentId(subnetId));
}

/** What is not made because an existing one is used. A network is never altered, so an existing one has its security group on its subnet. */
export function existingParts(choice: Pick<PlacementChoice, "existing" | "existingGroup">): ReadonlySet<Existing> {
  const network = existingNetworkId(choice) !== undefined;
  const existing: Readonly<Record<Existing, boolean>> = {
    managed: choice.existingGroup !== undefined,
    vnet: network,
    nsg: network || choice.existing.networkSecurityGroupId !== undefined,
  };
  return new Set((Object.keys(existing) as Existing[]).filter((kind) => existing[kind]));
}

/** The name of the group of each part. */
export function placeInfra(choice: PlacementChoice & { readonly cluster: ClusterKey }): Placement {
  const { naming, cluster, singleResourceGroup, dnsZoneGroup } = choice;
  const names = groupNames(naming, cluster);
  const managed = choice.existingGroup ?? names.managed;
  const made = singleResourceGroup ? { managed, vnet: managed, nsg: managed } : { ...names, managed };
  const vnetGroup = groupNameOf(existingNetworkId(choice));
  return {
    managed,
    vnet: vnetGroup ?? made.vnet,
    nsg: groupNameOf(choice.existing.networkSecurityGroupId) ?? (vnetGroup === undefined ? made.nsg : undefined),
    // The group of an existing network is not ours to put a zone into.
    privateZone: vnetGroup === undefined ? made[privateZoneGroup(naming)] : managed,
    dns: dnsZoneGroup,
  };
}

/** What is known of it where the cluster need not be named yet: then only the groups of what exists are. */
export function knownPlacement(choice: PlacementChoice & { readonly cluster: ClusterKey | undefined }): {
  readonly [K in GroupKind]?: string | undefined;
} {
  const { cluster, existingGroup: managed, dnsZoneGroup: dns } = choice;
  if (cluster !== undefined) return placeInfra({ ...choice, cluster });
  return { managed, vnet: groupNameOf(existingNetworkId(choice)), nsg: groupNameOf(choice.existing.networkSecurityGroupId), dns };
}
