/** Of an inventory: what is to go, by itself or with its group, what forbids it, and what stays. */
import { isOrdered, labelled, titleOf } from "../domain/resource-catalogue.js";
import { Failure } from "../errors/failure.js";
import { unownedReason, type FoundGroup, type FoundResource, type Inventory, type Kept } from "./inventory.js";

export interface RemovalOptions {
  /** Keep the groups, remove only what is ours in them. */
  readonly preserveGroups: boolean;
  /** Delete groups of ours along with what others put there. */
  readonly deleteForeign: boolean;
}

/** Why the groups of a cluster must not be deleted, where something else is in them. */
export function foreignRefusal({ groups }: Inventory, { preserveGroups, deleteForeign }: RemovalOptions): Failure | undefined {
  if (preserveGroups || deleteForeign) return undefined;
  const foreign = groups.filter(({ ours }) => ours).flatMap(({ contents }) => contents.filter(({ origin }) => origin === "foreign"));
  if (foreign.length === 0) return undefined;
  return new Failure("ARO-OWN-004", `${foreign.length} resources in groups of this cluster are not its own`, {
    because: foreign.map(({ id }) => id).join(", "),
    next: [
      "move them elsewhere",
      "or keep the groups, and remove only what is the cluster's: --preserve-resource-group",
      "or delete them along with the groups: --delete-foreign",
    ],
  });
}

/** Every id that is to be gone in the end, sorted; what goes with its group by itself, too. */
export function idsToRemove({ groups, assignments }: Inventory, { preserveGroups }: RemovalOptions): string[] {
  const contents = groups.flatMap((group) => group.contents.filter(({ origin }) => origin !== "foreign"));
  const goingGroups = groups.filter(({ ours }) => ours && !preserveGroups);
  return [...assignments, ...contents, ...goingGroups].map(({ id }) => id).toSorted();
}

/** What has no removal of its own, because its group goes in one piece and takes it along. */
export function cascadedResources(
  { groups }: Inventory,
  { preserveGroups }: RemovalOptions,
): (FoundResource & { readonly title: string })[] {
  if (preserveGroups) return [];
  return groups
    .filter(isWholeGroup)
    .flatMap(({ contents }) => contents.map((resource) => ({ ...resource, title: titleOf(labelled(resource.type), resource.name) })));
}

/** What stays, and why: what is not ours, and where groups are preserved, those and what others put into them. */
export function retainedResources({ groups, kept }: Inventory, { preserveGroups }: RemovalOptions): Kept[] {
  const preserved = preserveGroups ? groups.filter(({ ours }) => ours) : [];
  return [
    ...kept,
    ...preserved.flatMap(({ id, contents }) => [
      { id, why: "--preserve-resource-group keeps it" },
      ...contents.filter(({ origin }) => origin === "foreign").map((unowned) => ({ id: unowned.id, why: unownedReason })),
    ]),
  ];
}

/**
 * Whether a group goes in one piece. Normally each resource is removed by itself and the empty group after: that takes Azure half the time of
 * deleting a full group. A group with kinds that we cannot order is left to Azure's own order.
 */
export function isWholeGroup({ ours, contents }: FoundGroup): boolean {
  return ours && contents.some(({ type, origin }) => !isOrdered(type) || origin === "foreign");
}

/** What is removed by itself of a group. */
export function itemsOf(group: FoundGroup, groupGoes: boolean): FoundResource[] {
  if (groupGoes && isWholeGroup(group)) return [];
  return group.contents.filter(({ origin }) => origin !== "foreign");
}
