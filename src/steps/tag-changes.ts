/** The tags of its owner and user that a resource gets, and the tags of earlier versions that it loses. */
import { isOptionTag, withoutOptionTags } from "../domain/option-tags.js";
import type { Change } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { missingTags } from "./missing-tags.js";

type TagValues = Readonly<Record<string, string>>;

const mostTags = 50;

export interface TagChanges {
  /** The tags to merge with those of the resource. */
  readonly merged: TagValues;
  /** The tags of earlier versions, with their values. */
  readonly deleted: TagValues;
  readonly changes: readonly Change[];
}

/**
 * `own`: the user's tags and the ownership tags. Existing tags of others stay and count too. A Failure if they leave too little room. `what`:
 * `resource group "demo"`.
 */
export function tagChanges(live: TagValues, own: TagValues, what: string): TagChanges | Failure {
  // Azure compares the names of tags case-insensitively.
  const count = new Set([...Object.keys(withoutOptionTags(live)), ...Object.keys(own)].map((tag) => tag.toLowerCase())).size;
  if (count > mostTags) {
    return new Failure("ARO-OWN-003", `${what} would have ${plural(count, "tag")}; Azure accepts ${String(mostTags)}`, {
      because: "its existing tags are kept, including those that others set",
      next: ["pass fewer --resource-group-tags, or delete tags of the group"],
    });
  }
  const deleted = Object.fromEntries(Object.entries(live).filter(([tag]) => isOptionTag(tag)));
  return { merged: own, deleted, changes: [...missingTags(live, own), ...removedOptionTags(live)] };
}

/** The changes that remove the tags of earlier versions. */
export function removedOptionTags(live: TagValues = {}): Change[] {
  return Object.entries(live).flatMap(([tag, from]) => (isOptionTag(tag) ? [{ path: `tags.${tag}`, from, to: undefined }] : []));
}
