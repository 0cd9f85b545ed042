/** The settings that a cluster was created with, as tags of a resource: without an output file, other commands read them there. */
import { parseJsonObject } from "../text/json.js";
import { isIdOf } from "./resource-id.js";
import { tagValue, type Tags } from "./tags.js";

export const optionsTag = "aro-hcp-options";
/** Azure's limit on the value of a tag. */
const longestValue = 256;

/** A tag for every 256 characters of JSON. A full value continues in the next tag, so leftover tags of an earlier, longer text are not read. */
export function optionTags(options: object): Record<string, string> {
  const json = JSON.stringify(options);
  const text = json.length % longestValue === 0 ? `${json} ` : json;
  const count = Math.ceil(text.length / longestValue);
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [tagName(at), text.slice(at * longestValue, (at + 1) * longestValue)]),
  );
}

/** The JSON in the tags; undefined if there are none. */
export function optionTagText(tags: Tags): string | undefined {
  let text = "";
  for (let at = 0; ; at += 1) {
    const value = tagValue(tags, tagName(at));
    if (value === undefined) return undefined;
    text += value;
    if (value.length < longestValue) return text;
  }
}

/** The recorded value of an option; undefined if it is not recorded as text. */
export function recordedOption(tags: Tags, key: string): string | undefined {
  const value = parseJsonObject(optionTagText(tags) ?? "")?.[key];
  return typeof value === "string" ? value : undefined;
}

/** The recorded ID of a resource of that type; undefined for anything else, because anybody may edit a tag. */
export function recordedId(tags: Tags, key: string, type: string): string | undefined {
  const id = recordedOption(tags, key);
  return id !== undefined && isIdOf(id, type) ? id : undefined;
}

/** Whether it is a tag of a record. */
export function isOptionTag(tag: string): boolean {
  return /^aro-hcp-options(?:-\d+)?$/i.test(tag);
}

function tagName(at: number): string {
  return at === 0 ? optionsTag : `${optionsTag}-${String(at + 1)}`;
}
