/** Checks an `aro-hcp` command line with the program's parser, without running it. */
import { parseArguments, unknownCommandMessage, type CommandLine } from "../../src/cli/arguments.js";
import { isErrorCode } from "../../src/cli/command-line.js";
import { fakeProcess } from "./cli.js";
import { shellWords } from "./shell-words.js";

export interface OwnLine {
  /** The words after the name of the program. */
  readonly words: readonly string[];
  /** The flags of the command, by key of the setting. */
  readonly flags: CommandLine["flags"];
  /** Whether it prints a help text, or the version. */
  readonly isHelp: boolean;
}

/**
 * Fills in placeholders first.
 * @throws Error if the parser rejects the line.
 */
export function checkOwnLine(line: string): OwnLine {
  const [own = ""] = line.replace(/<[^>]+>|\.\.\./g, "x").split(" | ");
  const [name, ...words] = shellWords(own);
  if (name !== "aro-hcp") throw new Error(`not an aro-hcp command: ${line}`);
  if (words[0] === "help" && isErrorCode(words[1] ?? "")) return { words, flags: {}, isHelp: true };
  const parsed = parseArguments(words, fakeProcess([]).port);
  if (parsed === undefined) return { words, flags: {}, isHelp: true };
  const { command, flags, problems } = parsed;
  // A text can name a command without its argument.
  const [problem] = problems.filter(({ origin }) => !origin.startsWith("<"));
  if (problem !== undefined) throw new Error(`${line}: ${problem.origin} ${problem.message}`);
  if (command === undefined) throw new Error(`${line}: ${unknownCommandMessage(parsed.words)}`);
  return { words, flags, isHelp: false };
}

/** The command lines in a text, in backticks. */
export function linesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line);
}
