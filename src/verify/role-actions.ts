/** What roles allow, by their own patterns: https://learn.microsoft.com/azure/role-based-access-control/role-definitions. */
import { matchesAny } from "../domain/action-pattern.js";

interface Actions {
  readonly actions?: readonly string[];
  readonly notActions?: readonly string[];
}

interface DataActions {
  readonly dataActions?: readonly string[];
  readonly notDataActions?: readonly string[];
}

/** Whether one of these permissions has the action and does not take it back. */
export function allows(permissions: readonly Actions[] | undefined, action: string): boolean {
  return permissions?.some(({ actions, notActions }) => permits(actions, notActions, action)) ?? false;
}

/** The same for what is done with the data that a resource holds. */
export function allowsOnData(permissions: readonly DataActions[] | undefined, action: string): boolean {
  return permissions?.some(({ dataActions, notDataActions }) => permits(dataActions, notDataActions, action)) ?? false;
}

function permits(given: readonly string[] = [], taken: readonly string[] = [], action: string): boolean {
  return matchesAny(given, action) && !matchesAny(taken, action);
}
