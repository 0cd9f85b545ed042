/** The last words of a command that failed: for people on stderr, for machines on stdout, and the exit code. */
import { catalogue } from "../errors/catalogue.js";
import { Failure } from "../errors/failure.js";
import { failureJson } from "../errors/format.js";
import { failureText } from "../render/failure.js";
import { processScreens } from "../render/screen.js";

export interface ShowOptions {
  readonly json: boolean;
  readonly debug: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

/** Returns the exit code. */
export async function showFailure(error: unknown, { json, debug, environment }: ShowOptions): Promise<number> {
  const { toFailure } = await import("../azure/to-failure.js");
  const failures = error instanceof AggregateError ? error.errors : [error];
  const known = failures.map((one) => (one instanceof Failure ? one : toFailure(one, "aro-hcp")));
  const screens = processScreens("auto", environment);
  for (const failure of known) screens.people.print(failureText(screens.people, failure, { debug }));
  if (json) screens.result.print(JSON.stringify({ ok: false, failures: known.map((failure) => failureJson(failure)) }, undefined, 2));
  return exitCodeOf(known);
}

/** Of several failures, the first decides: they are in the order of the graph. */
export function exitCodeOf(failures: readonly Failure[]): number {
  const [first] = failures;
  return first ? catalogue[first.code].exit : 0;
}
