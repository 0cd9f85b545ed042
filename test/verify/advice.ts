/** Advices, followed: whatever command line one prints is run as it is printed. */
import { expect } from "vitest";
import type { RenderedResult as Result } from "../../src/cli/run/verification.js";
import type { AzContext } from "../harness/az-verb.js";
import { az, checkAz } from "../harness/az.js";
import { checkOwnLine } from "../harness/own-line.js";
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
    if (line.startsWith("az ")) checkAz(line.replace(/<[^>]+>|\.\.\./g, "x"));
    else if (line.startsWith("aro-hcp ")) checkOwnLine(line);
  }
}
