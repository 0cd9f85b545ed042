/** Makes a Failure of anything thrown. It does not know Azure: who does gives the engine a translation of their own. */
import { Failure } from "../errors/failure.js";

/** Translates what a step threw, where that is not a Failure already. */
export type ToFailure = (error: unknown, title: string) => Failure;

/** A step that throws anything but a Failure is a fault of ours. What is no Error is not printed: it could hold anything. */
const unexpected: ToFailure = (error, title) =>
  new Failure("ARO-BUG-001", `${title}: ${error instanceof Error ? error.message : `threw a value of type ${typeof error}`}`, {
    cause: error,
  });

/** Never throws: a translation that fails itself gives the untranslated failure. */
export function failureOf(error: unknown, title: string, toFailure: ToFailure = unexpected): Failure {
  if (error instanceof Failure) return error;
  try {
    return toFailure(error, title);
  } catch {
    return unexpected(error, title);
  }
}
