/** Follows advice: runs its command lines as printed. */
import { expect } from "vitest";
import type { RenderedResult as Result } from "../../src/run/verification.js";
import type { AzContext } from "../harness/az-verb.js";
import { az, checkAz } from "../harness/az.js";
import { checkOwnLine } from "../harness/own-line.js";
import { commandsIn } from "./healthy-state.js";

export interface AdvisedState extends AzContext {
  /** Runs a command line of `aro-hcp` on this state. Throws if it fails. */
  follow(line: string): Promise<string>;
}

/** Runs a command line and returns what it prints. `filled` has the values of placeholders: `{ "<group>": "mine" }`. */
export function run(state: AdvisedState, line: string, filled: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const whole = Object.entries(filled).reduce((text, [placeholder, value]) => text.replace(placeholder, value), line);
  // A reader on a terminal is asked whether to add a signing key, and says yes.
  if (whole.startsWith("aro-hcp create oidc-issuer ")) return state.follow(`${whole} --yes`);
  if (whole.startsWith("aro-hcp ")) return state.follow(whole);
  if (whole.startsWith("az ")) return az(state, whole);
  throw new Error(`no test runs "${line}"`);
}

/** Runs the first command line of an advice. Those after "or" are for other principals. */
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

/** Checks that every command line in the results is valid, without running it. */
export function checkLines(results: readonly Result[]): void {
  for (const line of results.flatMap(commandsIn)) {
    if (line.startsWith("az ")) checkAz(line);
    else if (line.startsWith("aro-hcp ")) checkOwnLine(line);
  }
}
