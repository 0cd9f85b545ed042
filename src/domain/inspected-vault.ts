/** The mark of a vault whose contents a destroy has read and found to be all its own. */
import { tagValue, type Tags } from "./tags.js";

/** A soft-deleted vault does not show its contents, and purging it destroys them. */
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
