/** The choices that a cluster was made with as tags of a resource: where no output file is at hand, show, verify and destroy find them there. */
import type { Tags } from "./ownership.js";

export const optionsTag = "aro-hcp-options";
/** Azure's limit on the value of a tag. */
const longestValue = 256;

/** A tag for every 256 characters of JSON. A value that is full is continued in the next tag, so what an earlier, longer text left behind is not read. */
export function optionTags(options: object): Record<string, string> {
  const json = JSON.stringify(options);
  const text = json.length % longestValue === 0 ? `${json} ` : json;
  const count = Math.ceil(text.length / longestValue);
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [tagName(at), text.slice(at * longestValue, (at + 1) * longestValue)]),
  );
}

/** The JSON in the tags; undefined where there are none. */
export function optionTagText(tags: Tags): string | undefined {
  const found = new Map(Object.entries(tags ?? {}).map(([tag, value]) => [tag.toLowerCase(), value]));
  let text = "";
  for (let at = 0; ; at += 1) {
    const value = found.get(tagName(at));
    if (value === undefined) return undefined;
    text += value;
    if (value.length < longestValue) return text;
  }
}

function tagName(at: number): string {
  return at === 0 ? optionsTag : `${optionsTag}-${String(at + 1)}`;
}
