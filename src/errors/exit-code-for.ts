/** From the failures of a run to what the process exits with. */
import { catalogue, type FailureCode } from "./catalogue.js";
import { exitCodes, type ExitCode } from "./exit-codes.js";

/** The exit code of a run that ended with these failures: theirs where they agree, else that of a failed step; 0 for none. */
export function exitCodeFor(codes: readonly FailureCode[]): ExitCode {
  const exits = new Set(codes.map((code) => catalogue[code].exit));
  const [first, ...others] = exits;
  if (first === undefined) return exitCodes.done;
  return others.length === 0 ? first : exitCodes.failed;
}
