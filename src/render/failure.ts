/** A failure as people see it, in colour. What it says is decided in `errors/format.ts`; never a stack, unless asked for. */
import { inspect } from "node:util";
import type { Failure } from "../errors/failure.js";
import { failureLines, failuresByReason, type FailureLine } from "../errors/format.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";

export interface FailureTextOptions {
  /** Where the run stands: "9 of 14 steps; run the same command again to continue". */
  readonly done?: string | undefined;
  /** `--debug`: the stack and its causes too. */
  readonly debug?: boolean;
}

/** A block for each reason, no line end after the last. */
export function failuresText(screen: Screen, failures: readonly Failure[], options: FailureTextOptions = {}): string {
  return failuresByReason(failures)
    .map(([failure, ...alike]) => block(screen, failure, alike, options))
    .join("\n");
}

function block(screen: Screen, failure: Failure, alike: readonly Failure[], { done, debug = false }: FailureTextOptions): string {
  const also = alike.map(({ message }) => message);
  const lines = failureLines(failure, done, also).map((line) => coloured(screen, line, failure.code));
  if (debug) lines.push(...stackLines(failure).map((line) => screen.paint.dim(`  ${line}`)));
  return lines.join("\n");
}

function coloured({ paint, told }: Screen, { label, text }: FailureLine, code: string): string {
  const fit = printable(told(text));
  if (label === "error") return `${paint.red.bold("error:")} ${fit}  ${paint.dim(`[${code}]`)}`;
  return label === "problem" ? `  ${fit}` : `  ${paint.dim(label.padEnd(7))}  ${fit}`;
}

function stackLines(error: unknown): string[] {
  if (error === undefined) return [];
  if (!(error instanceof Error)) return [printable(inspect(error, { depth: 1 }))];
  const own = (error.stack ?? error.message).split("\n").map(printable);
  return [...own, ...stackLines(error.cause).map((line, index) => (index === 0 ? `caused by ${line}` : line))];
}
