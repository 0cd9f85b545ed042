/** The groups that a cluster's resources may be in besides its own: existing groups that replaced its managed group. */
import { isManagedGroup, type ClusterPlaces } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { ownedBy } from "../domain/ownership.js";
import { groupIn, parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Tags } from "../domain/tags.js";
import { sameText } from "../text/same-text.js";

interface Tagged {
  readonly id?: string;
  readonly tags?: Tags;
}

export interface SettingsOfGroup {
  readonly cluster: ClusterKey;
  /** The existing group that replaces the managed group, of an option or a file. */
  readonly existingGroup: string | undefined;
}

/** `groups`, `tagged`: those with the tag of a cluster. */
export function placesOf(
  { cluster, existingGroup }: SettingsOfGroup,
  { groups, tagged }: { readonly groups: readonly Tagged[]; readonly tagged: readonly Tagged[] },
): ClusterPlaces {
  const shown = shownGroup(cluster, groups, tagged);
  return { cluster, existingGroups: [existingGroup, shown].filter((group) => group !== undefined) };
}

/**
 * The existing group of a cluster without a managed group: the only group with its load balancer or its first address. Tags and names elsewhere may
 * be copies.
 */
export function shownGroup(cluster: ClusterKey, groups: readonly Tagged[], tagged: readonly Tagged[]): string | undefined {
  const isOwn = ({ tags }: Tagged) => ownedBy(tags, cluster) === "ours";
  const marked = tagged.flatMap((one) =>
    isOwn(one) && showsGroup(cluster, one.id ?? "") ? (groupIn(one.id ?? "")?.resourceGroup ?? []) : [],
  );
  const [first, ...others] = marked;
  const hasManaged = groups.some((one) => isOwn(one) && isManagedGroup(cluster, parseResourceId(one.id ?? "").name));
  const isOnly = others.every((other) => sameText(other, first));
  return first === undefined || !isOnly || hasManaged || isManagedGroup(cluster, first) ? undefined : first;
}

/** Whether it is the load balancer or the first address, which a destroy deletes last in an existing group: they lead the next one there. */
export function showsGroup(cluster: ClusterKey, id: string): boolean {
  const { type, name } = parseResourceId(id);
  const isMark = [resourceTypes.loadBalancer, resourceTypes.publicIpAddress].some((row) => sameType(row.type, type));
  return isMark && sameText(name, cluster.infraId);
}

/** Why a resource is kept that may be the cluster's, or a copy of others. `command`: the destroy that accepts the flag. */
export function unrecordedGroupReason(group: string, command: string): string {
  return `has tags and a name of this cluster, but nothing shows that resource group ${group} is the cluster's; if it is, pass --resource-group-name ${group} to ${command}`;
}
