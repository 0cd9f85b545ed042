/**
 * Control characters in external text: Azure's responses, file names, the environment. C0, C1 and DEL control a terminal, and the invisible ones
 * reorder or hide what follows (CVE-2021-42574).
 */

const invisible = "\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff";

/** All of them, in runs. */
const everyRun = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${invisible}]+`, "gu");
/** All but tabs, line ends and the escape character of a color. */
const notOurs = new RegExp(`\\u001b(?!\\[[0-9;]*m)|[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f-\\u009f${invisible}]`, "gu");
/** Those that JSON leaves as they are. */
const rawInJson = new RegExp(`[\\u007f-\\u009f${invisible}]`, "gu");

/** A space for each run. */
export function withoutControl(text: string): string {
  return text.replace(everyRun, " ");
}

/** Text in lines, with our colors, as it may be written to a terminal. The parts that come from others are already one line without colors. */
export function terminalText(text: string): string {
  return text.replace(notOurs, " ");
}

/** Text in lines that contains words of others, so that no color in it is ours. */
export function uncoloredText(text: string): string {
  return terminalText(text.replaceAll("\u001b", " "));
}

/** JSON that is safe to print: it has the same value for every parser. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    rawInJson,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
