/** Compares the tags of a resource with the wanted ones. */
import { tagValue, type Tags } from "../domain/tags.js";
import type { Change } from "../engine/step.js";

/** The changes that add all wanted tags. Tags of others stay. */
export function missingTags(live: Tags, wanted: Readonly<Record<string, string>>): Change[] {
  return Object.entries(wanted)
    .map(([tag, value]) => ({ path: `tags.${tag}`, from: tagValue(live, tag), to: value }))
    .filter(({ from, to }) => from !== to);
}
