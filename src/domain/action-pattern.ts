/** Azure's patterns of actions: `*` stands for any characters, slashes among them, and case does not count. */

export function matchesAny(patterns: readonly string[], action: string): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${parts.join(".*")}$`, "i").test(action);
  });
}
