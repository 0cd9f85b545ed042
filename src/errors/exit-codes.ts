/** What the process exits with, and what each number promises. */
import { catalogue, type FailureCode } from "./catalogue.js";

export const exitCodes = {
  /** Done, or nothing to do. */
  done: 0,
  /** A step or Azure failed: partial work may exist. */
  failed: 1,
  /** Wrong usage or settings: nothing was touched. */
  usage: 2,
  /** Sign-in missing or rejected. */
  signIn: 4,
  /** Refused before or instead of a write: not ours, immutable, a missing right, quota. */
  refused: 5,
  /** Declined at a prompt, or a prompt was needed where none can be shown. */
  declined: 10,
  /** A fault of ours. */
  bug: 70,
  /** Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
  /** 128 + SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of a run that ended with these failures: theirs where they agree, else that of a failed step; 0 for none. */
export function exitCodeFor(codes: readonly FailureCode[]): ExitCode {
  const exits = new Set(codes.map((code) => catalogue[code].exit));
  const [first, ...others] = exits;
  if (first === undefined) return exitCodes.done;
  return others.length === 0 ? first : exitCodes.failed;
}
