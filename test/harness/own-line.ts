/** Checks an `aro-hcp` command line with the program's parser, without running it. */
import type { Command } from "commander";
import { program } from "../../src/cli/program.js";
import { fakeProcess } from "./cli.js";
import { shellWords } from "./shell-words.js";

/**
 * Fills in placeholders first.
 * @throws Error if the parser rejects the line.
 */
export function checkOwnLine(line: string): void {
  const [own = ""] = line.replace(/<[^>]+>|\.\.\./g, "x").split(" | ");
  const [name, ...words] = shellWords(own);
  if (name !== "aro-hcp") throw new Error(`not an aro-hcp command: ${line}`);
  const root = program(fakeProcess([]).port, () => undefined, words);
  let ran = 0;
  const idle = (command: Command): void => {
    command.action(() => {
      ran += 1;
    });
    command.commands.forEach(idle);
  };
  root.commands.forEach((command) => {
    (command.commands.length === 0 ? [command] : command.commands).forEach(idle);
  });
  root.parse(words, { from: "user" });
  if (ran !== 1) throw new Error(`unknown command: ${line}`);
}

/** The command lines in a text, in backticks. */
export function linesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line);
}
