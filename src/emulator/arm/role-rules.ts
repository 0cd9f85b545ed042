/** What a role allows: its permission as Azure writes it, and the actions that it matches. */
export interface RoleRules {
  readonly roleName: string;
  /** Null for a custom role without one. */
  readonly description: string | null;
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  readonly dataActions: readonly string[];
  readonly notDataActions: readonly string[];
  /** Whether the role allows an action: `notActions` subtract from its own actions only. */
  readonly allows: (action: string) => boolean;
  readonly allowsOnData: (dataAction: string) => boolean;
}

export type Permission = Pick<RoleRules, "actions" | "notActions" | "dataActions" | "notDataActions">;

/** A permission with what it allows. */
export function rulesOf(permission: Permission) {
  const [allowed, taken] = [matcher(permission.actions), matcher(permission.notActions)];
  const [allowedOnData, takenOnData] = [matcher(permission.dataActions), matcher(permission.notDataActions)];
  return {
    ...permission,
    allows: (action: string) => allowed(action) && !taken(action),
    allowsOnData: (dataAction: string) => allowedOnData(dataAction) && !takenOnData(dataAction),
  };
}

/** `*` matches any characters, including slashes, and between slashes also none; case does not matter. */
function matcher(patterns: readonly string[]): (action: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*").replaceAll("/.*/", "/(?:.*/)?")}$`, "i");
  });
  return (action) => expressions.some((expression) => expression.test(action));
}
