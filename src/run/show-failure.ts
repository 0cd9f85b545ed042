/** The end of a failed command: text on stderr, JSON on stdout, and the exit code. */
import { toFailure } from "../azure/to-failure.js";
import { advise, rerun, type RenderAdvice } from "../errors/advice.js";
import { catalogue } from "../errors/catalogue.js";
import { exitCodeFor, type ExitCode } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { distinctFailures, failureJson } from "../errors/format.js";
import type { ColorChoice } from "../render/color.js";
import { printDocument } from "../render/document.js";
import { failuresText } from "../render/failure-text.js";
import { junitFailures } from "../render/junit.js";
import { sarifFailures } from "../render/sarif.js";
import { printable } from "../render/printable.js";
import { screensOf, type ProcessStreams, type Screen } from "../render/screen.js";
import { requestedForm, type ResultForm } from "./requested-form.js";
import type { ProcessPort } from "./process-port.js";
import { version } from "./package-version.js";
import { adviceRenderer, type ConnectionFlagSettings } from "./connection-flags.js";

/** The format of a failure, from the settings of those names. */
export interface DisplayOptions extends ConnectionFlagSettings {
  readonly output: ResultForm;
  readonly debug: boolean;
  readonly color: ColorChoice;
}

/** Returns the exit code. */
export function showFailure(error: unknown, displayOptions: DisplayOptions, streams: ProcessStreams): number {
  const { output, debug, color } = displayOptions;
  const known = failuresIn(error);
  const { people, result } = screensOf(streams, color);
  const renderAdvice = adviceRenderer(displayOptions);
  people.show(failuresText(people, known, { renderAdvice, debug }));
  const code = exitCodeFor(known.map((failure) => catalogue[failure.code].exit));
  printFailures(result, output, { failures: known, renderAdvice, command: displayOptions.command, code });
  return code;
}

/** The processes whose run writes the job summary. */
const summarized = new WeakSet<ProcessPort>();

export function markSummarized(port: ProcessPort): void {
  summarized.add(port);
}

/** For a failure before a run begins. */
export async function summarizeFailure(error: unknown, displayOptions: DisplayOptions, port: ProcessPort): Promise<void> {
  const path = port.environment["GITHUB_STEP_SUMMARY"];
  if (!path || summarized.has(port)) return;
  const { jobSummary, writeJobSummary } = await import("./job-summary.js");
  const { command } = displayOptions;
  const summary = jobSummary({ settings: { command }, parts: { failures: failuresIn(error) } }, adviceRenderer(displayOptions));
  const unwritten = summary === undefined ? undefined : writeJobSummary(path, summary);
  if (unwritten !== undefined) screensOf(port, displayOptions.color).people.print(noSummary(unwritten.message));
}

export function noSummary(reason: string): string {
  return `notice: no job summary: ${printable(reason)}`;
}

export function failuresIn(error: unknown): Failure[] {
  const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return distinctFailures(failures.map((one) => (one instanceof Failure ? one : toFailure(one))));
}

/** Returns the exit code. */
export function showLostResult({ code = "unknown reason" }: NodeJS.ErrnoException, streams: ProcessStreams): number {
  const failure = new Failure("ARO-RUN-006", `the result could not be written to standard output: ${code}`);
  return showFailure(failure, { output: "text", debug: false, color: "auto" }, streams);
}

/** Returns the exit code. */
export function showUnfinished(port: ProcessPort): number {
  const failure = new Failure("ARO-BUG-001", "the command ended before it was complete, because nothing was left to wait for", {
    because: "some of the changes may have been made",
    next: [advise`${rerun}, which continues from what Azure has`, "report it with the output of --debug"],
  });
  return showFailure(failure, { output: requestedForm(port), debug: false, color: "auto" }, port);
}

interface Failed {
  readonly failures: readonly Failure[];
  readonly renderAdvice: RenderAdvice;
  readonly command: string | undefined;
  readonly code: ExitCode;
}

function printFailures(result: Screen, form: ResultForm, { failures, renderAdvice, command, code }: Failed): void {
  const described = failures.map((failure) => failureJson(failure, renderAdvice));
  switch (form) {
    case "text":
      return;
    case "json":
      printDocument(result, { ok: false, ...(command !== undefined && { command }), failures: described });
      return;
    case "junit":
      result.print(junitFailures(command ?? "aro-hcp", described));
      return;
    case "sarif":
      result.print(sarifFailures({ command: command ?? "aro-hcp", version, exitCode: code, file: undefined }, described));
  }
}
