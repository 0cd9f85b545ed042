/** Turns an inventory into ordered removals: role assignments before groups, referring resources before referenced ones. */
import type { Azure } from "../../azure/azure.js";
import { isRemovedBefore } from "../../domain/resource-catalogue.js";
import { isWithin } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { apiVersionLookup, grantRemoval, groupRemoval, resourceRemoval } from "../../removal/azure-removals.js";
import type { FoundGroup, FoundResource, Inventory } from "../../removal/inventory.js";
import type { OwnedRemoval } from "../../removal/owned.js";
import { isWholeGroup, itemsOf, type RemovalOptions } from "../../removal/selection.js";

export function removalsOf(azure: Azure, inventory: Inventory, options: RemovalOptions): OwnedRemoval[] {
  const apiVersions = apiVersionLookup(azure);
  const isDeleted = (group: FoundGroup) => group.ours && !options.preserveGroups;
  const assignments = inventory.assignments.map((assignment) => ({
    assignment,
    removal: grantRemoval(azure, { ...assignment, holder: assignment.component }),
  }));
  const resources = inventory.groups
    .filter((group) => !group.deleting)
    .flatMap((group) => itemsOf(group, isDeleted(group)))
    .map((resource) => ({ resource, removal: resourceRemoval(azure, resource, apiVersions) }));
  const groups = inventory.groups.filter(isDeleted).map((group) => ({ group, removal: groupRemoval(azure, group) }));

  const types = [...new Set(resources.map(({ resource }) => resource.type))];
  const isHeld = (type: string, by: string): boolean =>
    isRemovedBefore(by, type) || types.some((between) => isRemovedBefore(by, between) && isHeld(type, between));
  const goesBefore = (other: FoundResource, last: FoundResource) =>
    other.group === last.group && other.showsGroup !== true && !isHeld(other.type, last.type);
  const after = (ids: readonly { readonly removal: OwnedRemoval }[]) => ids.map(({ removal }) => removal.id);
  return [
    ...assignments.map(({ removal }) => removal),
    ...resources.map(({ resource, removal }) => ({
      ...removal,
      after: [
        ...after(resources.filter((other) => isRemovedBefore(other.resource.type, resource.type))),
        // If the run is interrupted, only this one leads the next run to the others, except for those that it holds itself.
        ...(resource.showsGroup ? after(resources.filter((other) => goesBefore(other.resource, resource))) : []),
        // The contents of a whole group may use a network in another group.
        ...after(groups.filter(({ group }) => group.name !== resource.group && isWholeGroup(group) && outlives(resource.type))),
      ],
    })),
    ...groups.map(({ group, removal }) => ({
      ...removal,
      after: [
        ...after(assignments.filter(({ assignment }) => isWithin(assignment.scope, group.id))),
        ...after(
          resources.filter(({ resource }) => resource.group === group.name || (isWholeGroup(group) && mayUseNetworks(resource.type))),
        ),
        ...(isWholeGroup(group) ? [] : after(groups.filter((other) => isWholeGroup(other.group)))),
      ],
    })),
  ];
}

/** Types that may be attached to a network in a group that is deleted as a whole: they are deleted before it. */
function mayUseNetworks(type: string): boolean {
  return isRemovedBefore(type, resourceTypes.virtualNetwork.type);
}

/** Types that resources of a group that is deleted as a whole may be attached to: they are deleted after it. */
function outlives(type: string): boolean {
  return isRemovedBefore(resourceTypes.networkInterface.type, type) && !mayUseNetworks(type);
}
