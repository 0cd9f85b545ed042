/** Computes the resource group of each part of a cluster from the settings alone, for every command. */
import type { ExistingKind, GroupKind } from "./create-parts.js";
import { groupNames, privateZoneGroup, type ClusterKey, type Naming } from "./names.js";
import { groupNameOf, parentId } from "./resource-id.js";

/** The settings that determine the resource group of each resource; `InfraSpec` extends them. */
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
  /** Undefined if an existing network has it on its subnet: then only Azure knows it. */
  readonly nsg: string | undefined;
  readonly privateZone: string;
  readonly dns: string | undefined;
}

/** The ID of the existing virtual network; the ID of an existing subnet includes it. */
export function existingNetworkId({ existing: { vnetId, subnetId } }: Pick<PlacementChoice, "existing">): string | undefined {
  return vnetId ?? (subnetId === undefined ? undefined : parentId(subnetId));
}

/** The parts that are existing resources. An existing network is never changed, so its network security group exists too. */
export function existingParts(choice: Pick<PlacementChoice, "existing" | "existingGroup">): ReadonlySet<ExistingKind> {
  const network = existingNetworkId(choice) !== undefined;
  const existing: Readonly<Record<ExistingKind, boolean>> = {
    managed: choice.existingGroup !== undefined,
    vnet: network,
    nsg: network || choice.existing.networkSecurityGroupId !== undefined,
  };
  return new Set((Object.keys(existing) as ExistingKind[]).filter((kind) => existing[kind]));
}

/** The name of the group of each part. */
export function placeInfra(choice: PlacementChoice & { readonly cluster: ClusterKey }): Placement {
  const { naming, cluster, singleResourceGroup, dnsZoneGroup } = choice;
  const names = groupNames(naming, cluster);
  const managed = choice.existingGroup ?? names.managed;
  const created = singleResourceGroup ? { managed, vnet: managed, nsg: managed } : { ...names, managed };
  const vnetGroup = groupNameOf(existingNetworkId(choice));
  return {
    managed,
    vnet: vnetGroup ?? created.vnet,
    nsg: groupNameOf(choice.existing.networkSecurityGroupId) ?? (vnetGroup === undefined ? created.nsg : undefined),
    // No zone is created in the group of an existing network, which others own.
    privateZone: vnetGroup === undefined ? created[privateZoneGroup(naming)] : managed,
    dns: dnsZoneGroup,
  };
}

/** The known groups. Without a cluster, only the groups of existing resources are known. */
export function knownPlacement(choice: PlacementChoice & { readonly cluster: ClusterKey | undefined }): {
  readonly [K in GroupKind]?: string | undefined;
} {
  const { cluster, existingGroup: managed, dnsZoneGroup: dns } = choice;
  if (cluster !== undefined) return placeInfra({ ...choice, cluster });
  return { managed, vnet: groupNameOf(existingNetworkId(choice)), nsg: groupNameOf(choice.existing.networkSecurityGroupId), dns };
}
