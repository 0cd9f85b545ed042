/** What is deleted with a resource: all that is below it, and the role assignments and locks at or below its scope. */
import type { StoredResource, AzureState } from "../state/state.js";
import { assignmentsByScope, resourcesByScope } from "./indexes.js";
import { keyOf } from "./resource-id.js";
import type { Moment, OperationError } from "./resource-type.js";

/** Removes a resource whose delete has ended; returns the error of a failed delete. */
export function removeResource(moment: Moment, resource: StoredResource): OperationError | undefined {
  const type = moment.types.of(resource);
  if (type.removeAtEnd !== undefined) return type.removeAtEnd(moment, resource);
  removeTree(moment.state, resource.id);
  type.afterChange?.(moment, resource.id);
  return undefined;
}

/** Assignments are deleted with their scope; those of a deleted principal stay, as orphans. */
export function removeTree(state: AzureState, id: string): void {
  for (const key of resourcesByScope.namesOf(state.resources, keyOf(id))) delete state.resources[key];
  for (const key of assignmentsByScope.namesOf(state.roleAssignments, keyOf(id))) delete state.roleAssignments[key];
}
