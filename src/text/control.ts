/** Removes what would control a terminal, reorder text or give commands to a CI log from external text. */

/** C0, C1 and DEL control a terminal, and the invisible characters reorder or hide text (CVE-2021-42574). */
const invisible = "\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff";

/** Runs of all these characters. */
const everyRun = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${invisible}]+`, "gu");
/** All but tabs, line ends and the escape character of a color. */
const notOurs = new RegExp(`\\u001b(?!\\[[0-9;]*m)|[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f-\\u009f${invisible}]`, "gu");
/** The characters that JSON does not escape. */
const rawInJson = new RegExp(`[\\u007f-\\u009f${invisible}]`, "gu");

/**
 * What a log obeys anywhere in a line: `##vso[` and `##[` in Azure Pipelines, `##[` in GitHub Actions too, `##teamcity[` in TeamCity, and sections in
 * GitLab.
 */
const inLine = "##(?=[a-z]*\\[)|section_(?:start|end):(?=\\d)";
const inQuotes = new RegExp(inLine, "giu");
/** GitHub Actions obeys `::` at the beginning of a line, also after white space. */
const anyCommand = new RegExp(`${inLine}|^(?:[^\\S\\n]|\\u001b\\[[0-9;]*m)*:(?=:[a-z])`, "gimu");

/** A space for each run. */
export function withoutControl(text: string): string {
  return text.replace(everyRun, " ");
}

/**
 * Text in lines, with our colors, as it may be written to a terminal or a log. The parts that come from others are already one line without colors. A
 * space breaks what a CI system would obey, whether one runs this command or not: its output may be copied to one.
 */
export function terminalText(text: string): string {
  return text.replace(notOurs, " ").replace(anyCommand, "$& ");
}

/** Text in lines that contains words of others, so that no color in it is ours. */
export function uncoloredText(text: string): string {
  return terminalText(text.replaceAll("\u001b", " "));
}

/** JSON that is safe to print: it has the same value for every parser. No line of it begins with a value's own text. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent)
    .replace(rawInJson, (character) => `\\u${hexOf(character, 4)}`)
    .replace(inQuotes, (command) => `${command.slice(0, -1)}\\u${hexOf(command.slice(-1), 4)}`);
}

/** The same for YAML in which each value that `terminalText` would change is in double quotes. */
export function yamlText(text: string): string {
  return text.replace(inQuotes, (command) => `${command.slice(0, -1)}\\x${hexOf(command.slice(-1), 2)}`);
}

function hexOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
