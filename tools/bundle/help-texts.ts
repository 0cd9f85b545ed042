/** The text that each command prints for `--help` and `--help-all` where output is not a terminal. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { helpFile, type HelpForm } from "../../src/cli/built-help.js";
import { runCommandLine } from "../../src/cli/command-line.js";
import { processPort } from "../../src/run/process-port.js";
import { commandNames, topLevelNames } from "../../src/settings/commands.js";

/** The words that have help: none, the first word of several commands, and each command. */
export const helpTopics: readonly (readonly string[])[] = [
  [],
  ...[...new Set([...topLevelNames, ...commandNames])].map((name) => name.split(" ")),
];

const flags: Readonly<Record<HelpForm, string>> = { common: "--help", all: "--help-all" };

/** Pairs of a file in dist and its text. */
export async function helpTexts(): Promise<readonly (readonly [string, string])[]> {
  const forms = Object.keys(flags) as HelpForm[];
  return Promise.all(
    helpTopics.flatMap((words) => forms.map(async (form) => [helpFile(words, form), await helpText(words, form)] as const)),
  );
}

async function helpText(words: readonly string[], form: HelpForm): Promise<string> {
  const stdout = new PassThrough();
  await runCommandLine({ ...processPort(), args: [...words, flags[form]], stdout });
  return text(stdout.end());
}
