/** The last words of a command that failed: for people on stderr, for machines on stdout, and the exit code. */
import { catalogue } from "../errors/catalogue.js";
import { Failure } from "../errors/failure.js";
import { distinctFailures, failureJson } from "../errors/format.js";
import { failureText } from "../render/failure.js";
import { processScreens } from "../render/screen.js";

export interface ShowOptions {
  /** An object on stdout. */
  readonly json: boolean;
  /** The block on stderr; commander has said what is wrong with the words already. */
  readonly people: boolean;
  readonly debug: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

/** Returns the exit code. */
export async function showFailure(error: unknown, { json, people, debug, environment }: ShowOptions): Promise<number> {
  const { toFailure } = await import("../azure/to-failure.js");
  const failures = error instanceof AggregateError ? error.errors : [error];
  const known = distinctFailures(failures.map((one) => (one instanceof Failure ? one : toFailure(one, "aro-hcp"))));
  const screens = processScreens("auto", environment);
  if (people) for (const failure of known) screens.people.print(failureText(screens.people, failure, { debug }));
  if (json)
    screens.result.print(
      JSON.stringify({ schemaVersion: 1, ok: false, failures: known.map((failure) => failureJson(failure)) }, undefined, 2),
    );
  return exitCodeOf(known);
}

/** Of several failures, the first decides: they are in the order of the graph. */
function exitCodeOf(failures: readonly Failure[]): number {
  const [first] = failures;
  return first ? catalogue[first.code].exit : 0;
}
