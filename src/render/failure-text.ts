/** Renders failures in color, with the stack only on request. */
import { inspect } from "node:util";
import type { RenderAdvice } from "../errors/advice.js";
import type { Failure } from "../errors/failure.js";
import { failureLines, failuresByReason, type FailureLine } from "../errors/format.js";
import { type Painted, painted } from "./painted.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { sourceStack } from "./source-stack.js";
import { hanging } from "./wrapped.js";

export interface FailureTextOptions {
  readonly renderAdvice: RenderAdvice;
  /** The progress of the run, and what a rerun does. Shown below the last block. */
  readonly done?: string | undefined;
  /** `--debug`: the stack and its causes too. */
  readonly debug?: boolean;
}

/** One block for each reason, without a final line end. */
export function failuresText(screen: Screen, failures: readonly Failure[], { done, ...options }: FailureTextOptions): Painted {
  const groups = failuresByReason(failures);
  return painted(
    groups
      .map(([failure, ...alike], index) => block(screen, failure, alike, index === groups.length - 1 ? { ...options, done } : options))
      .join("\n"),
  );
}

function block(
  screen: Screen,
  failure: Failure,
  alike: readonly Failure[],
  { renderAdvice, done, debug = false }: FailureTextOptions,
): string {
  const also = alike.map(({ message }) => message).filter((message) => message !== failure.message);
  const lines = failureLines(failure, renderAdvice, done, also).flatMap((line) => colored(screen, line, failure.code));
  if (debug) lines.push(...stackLines(failure).map((line) => screen.paint.dim(`  ${line}`)));
  return lines.join("\n");
}

function colored(screen: Screen, { label, text }: FailureLine, code: string): string[] {
  const { paint } = screen;
  const fit = printable(text);
  if (label === "error") {
    const lines = hanging(screen, `${paint.red.bold("error:")} `, "error: ".length, `${fit}  [${code}]`);
    return lines.map((line) => line.replace(/\[[\w-]+\]$/, (mark) => paint.dim(mark)));
  }
  // The origin has its own column.
  const [, origin = "", message = fit] = label === "problem" ? (/^(.*? {2,})(\S.*)$/.exec(fit) ?? []) : [];
  if (label === "problem") return hanging(screen, `  ${origin}`, 2 + origin.length, message);
  return hanging(screen, `  ${paint.dim(label.padEnd(7))}  `, 11, fit);
}

function stackLines(error: unknown): string[] {
  if (error === undefined) return [];
  if (!(error instanceof Error)) return [printable(inspect(error, { depth: 1 }))];
  const own = sourceStack(error.stack ?? error.message)
    .split("\n")
    .map(printable);
  return [...own, ...stackLines(error.cause).map((line, index) => (index === 0 ? `caused by ${line}` : line))];
}
