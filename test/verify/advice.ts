/** Advices, followed: whatever command line one prints is run as it is printed. */
import { expect } from "vitest";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import type { Result } from "../../src/verify/check.js";
import type { AzContext } from "../harness/az-verb.js";
import { az, checkAz } from "../harness/az.js";
import { shellWords } from "../harness/shell-words.js";
import { commandsIn } from "./healthy-state.js";

export interface AdvisedState extends AzContext {
  /** Runs a line of `aro-hcp` in this world. Throws where it fails. */
  follow(line: string): Promise<string>;
}

/** Runs a command line; gives what it prints. `filled` takes the place of placeholders: `{ "<group>": "mine" }`. */
export function run(state: AdvisedState, line: string, filled: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const whole = Object.entries(filled).reduce((text, [placeholder, value]) => text.replace(placeholder, value), line);
  if (whole.startsWith("aro-hcp ")) return state.follow(whole);
  if (whole.startsWith("az ")) return az(state, whole);
  throw new Error(`no test runs "${line}"`);
}

/** Runs the first command line of an advice: what follows after "or" is for who cannot. */
export async function firstLine(state: AdvisedState, result: Result): Promise<void> {
  const [line] = commandsIn(result);
  if (line === undefined) throw new Error(`"${result.next ?? ""}" has no command line`);
  await run(state, line);
}

/** Runs every command line of an advice. */
export async function everyLine(state: AdvisedState, result: Result): Promise<void> {
  const lines = commandsIn(result);
  expect(lines).not.toEqual([]);
  for (const line of lines) await run(state, line);
}

/** Every command line in the results, run or not, is one that its program takes. */
export function checkLines(results: readonly Result[]): void {
  for (const line of results.flatMap(commandsIn)) {
    const filled = line.replace(/<[^>]+>|\.\.\./g, "x");
    if (filled.startsWith("az ")) checkAz(filled);
    else if (filled.startsWith("aro-hcp ")) checkOwn(filled);
  }
}

/** Commands that are named without flags are named only. */
function checkOwn(line: string): void {
  const [, ...words] = shellWords(line);
  const command = commandNames.find((name) => words.join(" ").startsWith(name));
  if (command === undefined) throw new Error(`there is no such command: ${line}`);
  const flags = words.slice(command.split(" ").length).filter((word) => word.startsWith("--"));
  const known = optionsOf(command).flatMap(({ flag, aliases = [] }: { flag: string; aliases?: readonly string[] }) => [flag, ...aliases]);
  expect(known).toEqual(expect.arrayContaining(flags));
}
