/** The text that each command prints for `--help` and `--help-all` where output is not a terminal. */
import { helpFile, helpWidth, type HelpForm } from "../../src/cli/built-help.js";
import { helpText } from "../../src/cli/help-text.js";
import { commandNames, firstWords } from "../../src/settings/commands.js";

/** The words that have help: none, the first word of several commands, and each command. */
export const helpTopics: readonly (readonly string[])[] = [
  [],
  ...[...new Set([...firstWords, ...commandNames])].map((name) => name.split(" ")),
];

const forms: readonly HelpForm[] = ["common", "all"];

/** Pairs of a file in dist and its text. */
export function helpTexts(): readonly (readonly [string, string])[] {
  return helpTopics.flatMap((words) => forms.map((form) => [helpFile(words, form), helpText(words, form, helpWidth) ?? ""] as const));
}
