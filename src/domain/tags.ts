/** Reads and merges tags as Azure does: names without regard to case, values with it. */

/** The tags of an ARM resource, or the metadata of a blob container. */
export type Tags = Readonly<Record<string, string | undefined>> | undefined;

/** The value of a tag; undefined if there is none. */
export function tagValue(tags: Tags, name: string): string | undefined {
  return tagsInLowerCase(tags).find(([tag]) => tag === name.toLowerCase())?.[1];
}

/** All tags, with their names in lower case. */
export function tagsInLowerCase(tags: Tags): readonly (readonly [string, string])[] {
  return Object.entries(tags ?? {}).flatMap(([tag, value]) => (value === undefined ? [] : [[tag.toLowerCase(), value] as const]));
}

/** The tags with `more`; a tag that exists keeps its spelling. */
export function mergedTags(live: Tags, more: Readonly<Record<string, string>>): Record<string, string> {
  const merged = Object.fromEntries(Object.entries(live ?? {}).flatMap(([tag, value]) => (value === undefined ? [] : [[tag, value]])));
  for (const [name, value] of Object.entries(more)) {
    const spelled = Object.keys(merged).find((tag) => tag.toLowerCase() === name.toLowerCase());
    merged[spelled ?? name] = value;
  }
  return merged;
}
