/** Evaluates which actions roles allow: https://learn.microsoft.com/azure/role-based-access-control/role-definitions. */

function matchesAny(patterns: readonly string[], action: string): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "i").test(action);
  });
}

export interface Actions {
  readonly actions?: readonly string[];
  readonly notActions?: readonly string[];
}

interface DataActions {
  readonly dataActions?: readonly string[];
  readonly notDataActions?: readonly string[];
}

/** Whether one of these permissions includes the action and does not exclude it. */
export function allows(permissions: readonly Actions[] | undefined, action: string): boolean {
  return permissions?.some(({ actions, notActions }) => permits(actions, notActions, action)) ?? false;
}

/** The last words of actions, for which a wildcard stands. */
const verbs = ["write", "delete", "action", "read"];

/** What `granted` allows and `denied` denies; a pattern that ends with a wildcard stands for its verbs. */
export function takenAway(granted: readonly Actions[] | undefined, denied: readonly Actions[]): string[] {
  const patterns = [...(granted ?? []), ...denied].flatMap(({ actions = [] }) => actions);
  const examples = patterns.flatMap((pattern) =>
    pattern.endsWith("*") ? verbs.map((verb) => `${pattern === "*" ? "*/" : pattern.slice(0, -1)}${verb}`) : [pattern],
  );
  return [...new Set(examples)].filter((action) => allows(granted, action) && allows(denied, action));
}

/** {@link allows} for data actions, which apply to the contents of a resource. */
export function allowsOnData(permissions: readonly DataActions[] | undefined, action: string): boolean {
  return permissions?.some(({ dataActions, notDataActions }) => permits(dataActions, notDataActions, action)) ?? false;
}

function permits(included: readonly string[] = [], excluded: readonly string[] = [], action: string): boolean {
  return matchesAny(included, action) && !matchesAny(excluded, action);
}
