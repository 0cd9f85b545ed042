/**
 * The mark that a destroy leaves on a vault before it deletes it: it has read the contents, and they are all its own. A soft-deleted vault does not
 * show its contents, and purging it destroys them.
 */
import { tagValue, type Tags } from "./tags.js";

const inspectedTag = "aro-hcp-inspected";

/** How long the deletion may take to follow the mark. A vault that is recovered keeps the tag, and may get other contents. */
const longestMs = 10 * 60_000;

export function inspectedTags(now: Date): Record<string, string> {
  return { [inspectedTag]: now.toISOString() };
}

export function isInspected(tags: Tags, deletedOn: Date): boolean {
  const marked = Date.parse(tagValue(tags, inspectedTag) ?? "");
  return Math.abs(deletedOn.getTime() - marked) < longestMs;
}
