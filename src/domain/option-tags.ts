/** The tags in which earlier versions recorded settings: nothing reads them, and the next create removes them. */

export const optionsTag = "aro-hcp-options";

export function isOptionTag(tag: string): boolean {
  return /^aro-hcp-options(?:-\d+)?$/i.test(tag);
}

export function withoutOptionTags(tags: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).filter(([tag]) => !isOptionTag(tag)));
}
