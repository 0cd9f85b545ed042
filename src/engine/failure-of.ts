/** Converts any thrown value to a Failure, with Azure's errors translated by a function of the caller. */
import { Failure } from "../errors/failure.js";

/** Translates an error of a step. To a Failure, it may add what Azure responded. */
export type ToFailure = (error: unknown, title: string) => Failure;

/** A step that throws anything but a Failure has a bug. A value that is not an Error is not printed: it could contain anything. */
const unexpected: ToFailure = (error, title) =>
  error instanceof Failure
    ? error
    : new Failure("ARO-BUG-001", `${title}: ${error instanceof Error ? error.message : `threw a value of type ${typeof error}`}`, {
        cause: error,
      });

/** Never throws: if the translation fails, returns the untranslated failure. */
export function failureOf(error: unknown, title: string, toFailure: ToFailure = unexpected): Failure {
  try {
    return toFailure(error, title);
  } catch {
    return unexpected(error, title);
  }
}
