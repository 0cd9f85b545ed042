/** Ends a run that changed something: summary and failures as text, one document as JSON, and the exit code. */
import type { RunResult } from "../engine/run-result.js";
import type { Advice } from "../errors/advice.js";
import { catalogue } from "../errors/catalogue.js";
import { exitCodeFor } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { distinctFailures, failureJson } from "../errors/format.js";
import { printDocument } from "../render/document.js";
import { failuresText } from "../render/failure-text.js";
import { summaryText, type SummaryOptions } from "../render/summary.js";
import type { RunContext } from "./run-context.js";
import { plural } from "../text/plural.js";

export interface Ending extends Omit<SummaryOptions, "next"> {
  /** The group of each step in a plan, by the ID of the step. */
  readonly sections: ReadonlyMap<string, string>;
  /** Immediate actions for the user. */
  readonly next?: readonly Advice[];
  /** Failures besides those of steps. */
  readonly more?: readonly Failure[];
  /** What a destroy did not delete. If a step failed, it follows from that, and does not decide the exit code. */
  readonly remaining?: readonly Failure[];
  readonly debug: boolean;
  readonly output: "text" | "json";
  /** The subject in the result document, and where it is: `{ infraId, target }`, `{ name, target }`. */
  readonly about: Readonly<Record<string, unknown>>;
  /** The created resources, for the result document. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Returns the exit code. */
export function finish(context: RunContext, ending: Ending): number {
  const {
    command,
    subject,
    result,
    written,
    kept,
    cascaded,
    isNothingFound = false,
    next = [],
    more = [],
    remaining = [],
    debug,
    output,
    about,
    document,
    sections,
  } = ending;
  const { renderAdvice } = context;
  context.endProgress();
  const causes = [...result.failures.map(({ failure }) => failure), ...more, ...stoppedBy(context, result)];
  const failures = distinctFailures([...causes, ...remaining]);
  const done = doneText(result);
  const summary = { command, subject, result, written, kept, cascaded, isNothingFound, next: next.map(renderAdvice) };
  context.show(summaryText(context.people, summary));
  if (failures.length > 0) context.show(failuresText(context.people, failures, { renderAdvice, done, debug }));
  context.report({ run: { ...summary, failures, done, sections } });
  if (output === "json") {
    const { steps, skipped, cancelled, interrupted, counts, elapsedMs, criticalPath } = result;
    printDocument(context.result, {
      ok: failures.length === 0 && result.ok,
      command,
      ...about,
      ...document,
      counts: { ...counts, kept: counts.kept + (kept?.length ?? 0) },
      elapsedMs,
      criticalPath,
      steps: steps.map((step) => ({ ...step, section: sections.get(step.id) })),
      skipped,
      cancelled,
      interrupted,
      failures: failures.map((failure) => failureJson(failure, renderAdvice, done)),
    });
  }
  const deciding = result.failures.length > 0 ? causes : failures;
  return exitCodeFor(deciding.map(({ code }) => catalogue[code].exit));
}

/** The reason for an interrupted run, from the signal. */
function stoppedBy({ signal }: RunContext, { ok }: RunResult): Failure[] {
  const reason: unknown = signal.reason;
  return signal.aborted && !ok && reason instanceof Failure ? [reason] : [];
}

/** "9 of 14 steps; the same command continues with the other 5": every run reads Azure, and does what is missing. */
function doneText({ steps }: RunResult): string {
  const all = steps.length;
  const done = steps.filter(({ status }) => status === "done").length;
  return `${done} of ${plural(all, "step")}${done < all ? `; the same command continues with the other ${all - done}` : ""}`;
}
