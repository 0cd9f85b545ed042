/** The last words of a command that failed: for people on stderr, for machines on stdout, and the exit code. */
import { toFailure } from "../azure/to-failure.js";
import { exitCodeFor } from "../errors/exit-code-for.js";
import { Failure } from "../errors/failure.js";
import { distinctFailures, failureJson } from "../errors/format.js";
import type { ColourChoice } from "../render/colour.js";
import { printDocument } from "../render/document.js";
import { failuresText } from "../render/failure.js";
import { processScreens } from "../render/screen.js";
import { tellingWhere, type WhereSettings } from "./where-it-works.js";

/** How a failure is told, by the settings of those names. */
export interface Manner extends WhereSettings {
  readonly output: "text" | "json";
  readonly debug: boolean;
  readonly color: ColourChoice;
}

/** Returns the exit code. */
export function showFailure(error: unknown, manner: Manner, environment: NodeJS.ProcessEnv): number {
  const { output, debug, color } = manner;
  const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const known = distinctFailures(failures.map((one) => (one instanceof Failure ? one : toFailure(one, "aro-hcp"))));
  const { people, result } = processScreens(color, environment, tellingWhere(manner));
  people.print(failuresText(people, known, { debug }));
  if (output === "json") printDocument(result, failuresDocument(known));
  return exitCodeFor(known.map(({ code }) => code));
}

export function failuresDocument(failures: readonly Failure[]) {
  return { ok: false, failures: failures.map((failure) => failureJson(failure)) };
}
