/** Finds the resource of a cluster that has a given ID, by type, name and group in both naming schemes. */
import { infraNames, privateZoneGroup, type ClusterKey, type GroupNames, type InfraNames, type Naming } from "./names.js";
import { ownedBy } from "./ownership.js";
import { parseResourceId, sameType } from "./resource-id.js";
import { typesCreatedBy } from "./resource-catalogue.js";
import { resourceTypes, type ResourceType, type ResourceUse } from "./resource-types.js";
import type { Tags } from "./tags.js";
import { sameText } from "../text/same-text.js";

type ClusterGroup = keyof GroupNames;

/** A cluster, and the existing groups that its resources may be in. */
export interface ClusterPlaces {
  readonly cluster: ClusterKey;
  /** Groups that replace the managed group (`--resource-group-name`); undefined if unknown: then any group may be one. */
  readonly existingGroups: readonly string[] | undefined;
}

/** `existingGroup` replaces the managed group; undefined if there is none. */
export function clusterPlaces(cluster: ClusterKey, existingGroup: string | undefined): ClusterPlaces {
  return { cluster, existingGroups: existingGroup === undefined ? [] : [existingGroup] };
}

export interface ClusterResource {
  readonly row: NamedRow;
  /** The group that it is, or is in. */
  readonly group: ClusterGroup;
  /** The naming schemes that give this name in this group. */
  readonly namings: readonly Naming[];
}

type NamedRow = Pick<ResourceType, "type" | "label"> & Partial<Pick<ResourceType, "use">>;

interface NamedType {
  readonly row: NamedRow;
  /** The groups that it may be in. Everything may be in the managed group: in single-group mode, or beside an existing network. */
  groups(naming: Naming): readonly ClusterGroup[];
  /** `path`: the names of its parents, then its own. */
  isNamed(names: InfraNames, path: readonly string[]): boolean;
}

const groupType: NamedType = { row: resourceTypes.resourceGroup, groups: () => ["managed", "vnet", "nsg"], isNamed: () => true };

/** The group of a part, in which its resources are, and the managed group. */
function groupsOf({ group }: ResourceUse, naming: Naming): readonly ClusterGroup[] {
  if (group === "privateZone") return ["managed", privateZoneGroup(naming)];
  return group === "vnet" || group === "nsg" ? ["managed", group] : ["managed"];
}

/** A zone and its link are below the base domain, which the names here lack. */
const isZoneNamed: Readonly<Record<string, NamedType["isNamed"]>> = {
  [resourceTypes.privateDnsZone.type]: (names, [zone]) => isOwnZone(names, zone),
  [resourceTypes.virtualNetworkLink.type]: (names, [zone, link]) => isOwnZone(names, zone) && sameText(link, names.privateZoneLink),
};

/** Every type that `create infra` creates in a group. */
export const namedTypes: readonly (NamedType & { readonly row: ResourceType })[] = typesCreatedBy(new Set(["infra"])).map((row) => ({
  row,
  groups: (naming) => groupsOf(row.use, naming),
  isNamed: isZoneNamed[row.type] ?? ((names, [name]) => row.use.names?.(names).some((one) => sameText(one, name)) ?? false),
}));

/** What hypershift of 2022 also created: one identity for all components, and an image of the nodes with its storage account. */
const earlierTypes: readonly NamedType[] = [
  ofHypershift(resourceTypes.managedIdentity, ({ vnet }) => vnet),
  ofHypershift(resourceTypes.storageAccount, ({ loadBalancer }) => accountOf2022(loadBalancer)),
  ofHypershift({ type: "Microsoft.Compute/images", label: "image" }, ({ loadBalancer }) => loadBalancer),
];

function ofHypershift(row: NamedRow, nameOf: (names: InfraNames) => string): NamedType {
  return {
    row,
    groups: (naming) => (naming === "hypershift" ? ["managed"] : []),
    isNamed: (names, [name]) => sameText(nameOf(names), name),
  };
}

export function accountOf2022(infraId: string): string {
  return `cluster${infraId}`;
}

const namingSchemes: readonly Naming[] = ["documented", "hypershift"];

/** Whether the group has the name of the cluster's managed group. */
export function isManagedGroup(cluster: ClusterKey, group: string): boolean {
  // Both naming schemes give it the same name.
  return sameText(infraNames("documented", { ...cluster, baseDomain: "" }).groups.managed, group);
}

/** `id` is that of a resource group or a resource. Undefined if the cluster has no such name for that type in that group. */
export function clusterResource({ cluster, existingGroups }: ClusterPlaces, id: string): ClusterResource | undefined {
  const { type, names: path, resourceGroup } = parseResourceId(id);
  const isGroup = sameType(type, groupType.row.type);
  const known = isGroup ? groupType : [...namedTypes, ...earlierTypes].find(({ row }) => sameType(row.type, type));
  if (known === undefined) return undefined;
  const mayBeExisting = !isGroup && (existingGroups === undefined || existingGroups.some((one) => sameText(one, resourceGroup)));
  const groupIn = (naming: Naming, { groups }: InfraNames) =>
    known.groups(naming).find((group) => sameText(groups[group], resourceGroup) || (group === "managed" && mayBeExisting));
  const found = namingSchemes.flatMap((naming) => {
    const names = infraNames(naming, { ...cluster, baseDomain: "" });
    const group = known.isNamed(names, path) ? groupIn(naming, names) : undefined;
    return group === undefined ? [] : [{ naming, group }];
  });
  const [first] = found;
  return first && { row: known.row, group: first.group, namings: found.map(({ naming }) => naming) };
}

/** Whether it has the tags of the cluster and the name of a cluster's resource in that place. A policy may copy tags. */
export function clusterOwns(places: ClusterPlaces, { id = "", tags }: { readonly id?: string; readonly tags?: Tags }): boolean {
  return id !== "" && ownedBy(tags, places.cluster) === "ours" && clusterResource(places, id) !== undefined;
}

/** A zone's name ends with the base domain, which the names here lack. */
function isOwnZone({ privateZone }: InfraNames, zone = ""): boolean {
  return zone.length > privateZone.length && zone.toLowerCase().startsWith(privateZone.toLowerCase());
}
