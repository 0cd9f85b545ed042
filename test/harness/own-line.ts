/** Checks an `aro-hcp` command line with the program's parser, without running it. */
import type { Command } from "commander";
import { program } from "../../src/cli/program.js";
import { commandNames } from "../../src/settings/commands.js";
import { fakeProcess } from "./cli.js";
import { shellWords } from "./shell-words.js";

export interface OwnLine {
  /** The words after the name of the program. */
  readonly words: readonly string[];
  /** The flags of the command, by key of the setting. */
  readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>;
}

/**
 * Fills in placeholders first.
 * @throws Error if the parser rejects the line.
 */
export function checkOwnLine(line: string): OwnLine {
  const [own = ""] = line.replace(/<[^>]+>|\.\.\./g, "x").split(" | ");
  const [name, ...words] = shellWords(own);
  if (name !== "aro-hcp") throw new Error(`not an aro-hcp command: ${line}`);
  const root = program(fakeProcess([]).port, () => undefined, words);
  const ran: OwnLine[] = [];
  const idle = (command: Command): void => {
    command.action(() => {
      ran.push({ words, flags: command.opts() });
    });
    command.commands.forEach(idle);
  };
  root.commands.forEach((command) => {
    // `graph` and `doctor` are commands and verbs.
    const isCommand = command.commands.length === 0 || commandNames.some((one) => one === command.name());
    (isCommand ? [command] : command.commands).forEach(idle);
  });
  root.parse(words, { from: "user" });
  const [parsed, ...others] = ran;
  if (parsed === undefined || others.length > 0) throw new Error(`unknown command: ${line}`);
  return parsed;
}

/** The command lines in a text, in backticks. */
export function linesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line);
}
