/** Compares the tags of a resource with the wanted ones. */
import type { Change } from "../engine/step.js";

/** The changes that add all wanted tags. Tags of others stay. */
export function missingTags(live: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): Change[] {
  return Object.entries(wanted)
    .map(([tag, value]) => ({ path: `tags.${tag}`, from: Object.hasOwn(live, tag) ? live[tag] : undefined, to: value }))
    .filter(({ from, to }) => from !== to);
}
