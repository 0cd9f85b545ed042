/** What the library throws: the failures of a command, as `--output json` has them. */
import type { Failure } from "./types.js";

export interface ErrorDetails {
  readonly result?: unknown;
  readonly cause?: unknown;
}

export class AroHcpError extends Error {
  override readonly name = "AroHcpError" as const;
  /** Each has a code of docs/errors.md, and says what to do next. */
  readonly failures: readonly Failure[];
  /** The exit code that the command line would have. */
  readonly exitCode: number;
  /** What the command did before it failed; undefined if it had not begun. */
  readonly result: unknown;

  constructor(failures: readonly Failure[], exitCode: number, { result, cause }: ErrorDetails = {}) {
    super(failures.map(sentence).join("\n"), cause === undefined ? {} : { cause });
    this.failures = failures;
    this.exitCode = exitCode;
    this.result = result;
  }
}

/** One line, for a log that shows nothing else of the error. */
function sentence({ code, message, because, problems = [] }: Failure): string {
  const reasons = [...(because === undefined ? [] : [because]), ...problems.map(({ origin, message: problem }) => `${origin} ${problem}`)];
  return `${code}: ${message}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}`;
}
