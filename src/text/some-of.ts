/** Lists of names that may be long. */

/** "cpo, disk, file and 6 more": at most `most` parts. */
export function someOf(names: readonly string[], most: number): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most - 1).join(", ")} and ${String(names.length - most + 1)} more`;
}
