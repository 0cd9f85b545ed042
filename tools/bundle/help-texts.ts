/** The text that each command prints for `--help` where output is not a terminal. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { helpFile } from "../../src/cli/built-help.js";
import { runCommandLine } from "../../src/cli/command-line.js";
import { processPort } from "../../src/cli/process-port.js";
import { program } from "../../src/cli/program.js";

/** Pairs of a file in dist and its text. */
export async function helpTexts(): Promise<readonly (readonly [string, string])[]> {
  const commands = commandsBelow(
    program(processPort(), () => undefined),
    [],
  );
  return Promise.all(commands.map(async (words) => [helpFile(words), await helpText(words)] as const));
}

/** The words of a command, and of all commands below it. */
function commandsBelow(command: Command, words: readonly string[]): readonly (readonly string[])[] {
  return [words, ...command.commands.flatMap((each) => commandsBelow(each, [...words, each.name()]))];
}

async function helpText(words: readonly string[]): Promise<string> {
  const stdout = new PassThrough();
  await runCommandLine({ ...processPort(), args: [...words, "--help"], stdout });
  return text(stdout.end());
}
