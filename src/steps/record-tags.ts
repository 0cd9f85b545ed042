/** The tags of a resource that records a cluster's settings: the record is left out where Azure's limit leaves no room for it. */
import { isOptionTag } from "../domain/option-tags.js";
import type { Change } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { mergedTags } from "../domain/tags.js";
import { missingTags } from "./missing-tags.js";

type TagValues = Readonly<Record<string, string>>;

/** Azure's limit for each resource. */
const mostTags = 50;

export interface TagChanges {
  /** The tags to merge with those of the resource. */
  readonly merged: TagValues;
  /** The tags that only an earlier, longer record has, with their values. */
  readonly deleted: TagValues;
  /** Whether they must be deleted before, because Azure's limit leaves no room. Otherwise they are deleted last: until then, no record is cut off. */
  readonly deletesFirst: boolean;
  readonly changes: readonly Change[];
}

/**
 * `own`: the user's tags and the ownership tags. `record`: undefined if nothing is recorded, so that an existing record stays.
 * Existing tags of others stay and count too. A Failure if they leave too little room. `what`: `resource group "demo"`.
 */
export function tagChanges(live: TagValues, own: TagValues, record: TagValues | undefined, what: string): TagChanges | Failure {
  const isReplaced = (tag: string) => record !== undefined && isOptionTag(tag);
  const kept = Object.keys(live).filter((tag) => !isReplaced(tag));
  // Azure compares the names of tags case-insensitively.
  const count = new Set([...kept, ...Object.keys(own)].map((tag) => tag.toLowerCase())).size;
  if (count > mostTags) {
    return new Failure("ARO-OWN-003", `${what} would have ${plural(count, "tag")}; Azure accepts ${String(mostTags)}`, {
      because: "its existing tags are kept, including those that others set",
      next: ["pass fewer --resource-group-tags, or delete tags of the group"],
    });
  }
  const isRecorded = record !== undefined && count + Object.keys(record).length <= mostTags;
  const merged = { ...own, ...(isRecorded && record) };
  const names = new Set(Object.keys(merged).map((tag) => tag.toLowerCase()));
  // A record that is left out must not leave an earlier one, which other commands would read.
  const deleted = Object.fromEntries(Object.entries(live).filter(([tag]) => isReplaced(tag) && !names.has(tag.toLowerCase())));
  const removals = Object.entries(deleted).map(([tag, from]) => ({ path: `tags.${tag}`, from, to: undefined }));
  const together = new Set([...Object.keys(live).map((tag) => tag.toLowerCase()), ...names]).size;
  return { merged, deleted, deletesFirst: together > mostTags, changes: [...missingTags(live, merged), ...removals] };
}

export interface RecordedTags {
  changes(live: TagValues | undefined): readonly Change[] | Failure;
  /** All tags, for a PUT, which replaces those of the resource. */
  merged(live: TagValues | undefined): Record<string, string>;
}

/** The tags of a resource whose PUT replaces all tags. Without a record, its tags are written only at its creation. */
export function recordedTags(own: TagValues, record: TagValues | undefined, what: string): RecordedTags {
  return {
    changes(live = {}) {
      if (record === undefined) return [];
      const found = tagChanges(live, own, record, what);
      return found instanceof Failure ? found : found.changes;
    },
    merged(live = {}) {
      const found = tagChanges(live, own, record, what);
      if (found instanceof Failure) throw found;
      return mergedTags(Object.fromEntries(Object.entries(live).filter(([tag]) => !Object.hasOwn(found.deleted, tag))), found.merged);
    },
  };
}
