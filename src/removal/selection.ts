/** Selects from an inventory what is deleted, by itself or with its group, what blocks the destroy, and what is retained. */
import { plural } from "../text/plural.js";
import { isOrdered, labelled, titleOf } from "../domain/resource-catalogue.js";
import { advise, withFlag } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { unownedReason, type FoundGroup, type FoundResource, type Inventory } from "./inventory.js";
import type { Kept } from "./owned.js";

export interface RemovalOptions {
  /** Keep the groups and delete only the cluster's resources in them. */
  readonly preserveGroups: boolean;
  /** Delete the cluster's groups with the resources of others in them. */
  readonly deleteForeign: boolean;
}

/** The failure if the groups of a cluster contain resources of others. */
export function foreignRefusal({ groups }: Inventory, { preserveGroups, deleteForeign }: RemovalOptions): Failure | undefined {
  if (preserveGroups || deleteForeign) return undefined;
  const foreign = groups.filter(({ ours }) => ours).flatMap(({ contents }) => contents.filter(({ origin }) => origin === "foreign"));
  if (foreign.length === 0) return undefined;
  return new Failure("ARO-OWN-004", `this cluster's groups contain ${plural(foreign.length, "resource")} not owned by it`, {
    because: foreign.map((one) => (one.copiedTags ? `${one.id}, which ${unownedReason(one)}` : one.id)).join(", "),
    next: [
      `move ${foreign.length === 1 ? "it" : "them"} elsewhere`,
      advise`or delete ${foreign.length === 1 ? "it" : "them"} with the groups: --delete-foreign${withFlag("--preserve-resource-group", ", or keep the groups and delete only the cluster's resources: --preserve-resource-group")}`,
    ],
  });
}

/** The IDs of everything that is deleted, sorted, including resources that are deleted with their group. */
export function idsToRemove({ groups, assignments }: Inventory, { preserveGroups }: RemovalOptions): string[] {
  const contents = groups.flatMap((group) => group.contents.filter(({ origin }) => origin !== "foreign"));
  const deletedGroups = groups.filter(({ ours }) => ours && !preserveGroups);
  return [...assignments, ...contents, ...deletedGroups].map(({ id }) => id).toSorted();
}

/** The resources that are deleted with their whole group, without a removal of their own. */
export function cascadedResources(
  { groups }: Inventory,
  { preserveGroups }: RemovalOptions,
): (FoundResource & { readonly title: string })[] {
  if (preserveGroups) return [];
  return groups
    .filter(isWholeGroup)
    .flatMap(({ contents }) => contents.map((resource) => ({ ...resource, title: titleOf(labelled(resource.type), resource.name) })));
}

/** The retained resources with the reason: those of others and, with `--preserve-resource-group`, the groups. */
export function retainedResources({ groups, kept }: Inventory, { preserveGroups }: RemovalOptions): Kept[] {
  const preserved = preserveGroups ? groups.filter(({ ours }) => ours) : [];
  return [
    ...kept,
    ...preserved.flatMap(({ id, contents }) => [
      { id, why: "--preserve-resource-group keeps it" },
      ...contents.filter(({ origin }) => origin === "foreign").map((unowned) => ({ id: unowned.id, why: unownedReason(unowned) })),
    ]),
  ];
}

/**
 * Whether a group is deleted as a whole. Normally each resource is deleted first and then the empty group: that takes Azure half the time of
 * deleting a full group. If a group contains types without a known order, Azure orders the deletion.
 */
export function isWholeGroup({ ours, contents }: FoundGroup): boolean {
  return ours && contents.some(({ type, origin }) => !isOrdered(type) || origin === "foreign");
}

/** The resources of a group that have their own removals. */
export function itemsOf(group: FoundGroup, groupGoes: boolean): FoundResource[] {
  if (groupGoes && isWholeGroup(group)) return [];
  return group.contents.filter(({ origin }) => origin !== "foreign");
}

export interface RemovalMode {
  /** Permanently, as far as Azure allows it. */
  readonly purge: boolean;
}
