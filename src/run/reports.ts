/** The files of `--output-report` and `--output-timings`: what the parts of a command add, and their writing when it ends. */
import { toFailure } from "../azure/to-failure.js";
import type { RenderAdvice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { shellWord } from "../errors/shell-word.js";
import { unknownOwner, type OutputFile } from "../files/output-file.js";
import type { Timings } from "../files/timings.js";
import { checkOutputs, writeDocument, writeText } from "../files/write.js";
import type { Outline } from "../render/outline.js";
import type { Renderer } from "../render/renderer.js";
import { recordWaits } from "../render/waits.js";
import type { ProcessPort } from "./process-port.js";
import { isDone, type ReportInput, type ReportParts, type ReportSettings } from "./report-parts.js";
import { redacted } from "../text/redact.js";
import { version } from "./package-version.js";

export interface Reports {
  readonly events: Renderer;
  expect(outline: Outline): void;
  add(parts: ReportParts): void;
  /** Keeps what the command said, if it is a warning or a notice. */
  note(text: string): void;
  /** Adds to the job summary of GitHub, if the command runs there. Resolves with the reason if the summary cannot be written. */
  summarize(): Promise<string | undefined>;
  /** Resolves with the reason for each file that could not be written. */
  write(): Promise<readonly Failure[]>;
}

/** @throws ARO-FILE-004; only an earlier file of its kind or an empty file is replaced */
export async function checkReports({ outputReport, outputTimings }: Pick<ReportSettings, "outputReport" | "outputTimings">): Promise<void> {
  if (outputReport !== undefined) await checkOutputs([await reportFile(outputReport)]);
  if (outputTimings !== undefined) await checkOutputs([await timingsOutput(outputTimings)]);
}

/** What was typed, without secrets. A program that runs a command types nothing. */
function typedLine(args: readonly string[], command: string): string {
  return ["aro-hcp", ...(args.length === 0 ? [command] : args.map((arg) => shellWord(redacted(arg))))].join(" ");
}

/** It is about the last run, whatever that did: it replaces the report of any run. */
async function reportFile(path: string): Promise<OutputFile> {
  const { reportStart } = await import("../render/report/page.js");
  return { path, otherOwner: ({ text }) => (text.startsWith(reportStart) ? undefined : unknownOwner) };
}

async function timingsOutput(path: string): Promise<OutputFile> {
  return (await import("../files/timings.js")).timingsFile(path);
}

export function createReports(settings: ReportSettings, { clock, args, environment }: ProcessPort, renderAdvice: RenderAdvice): Reports {
  const waits = recordWaits();
  const [startedAt, began] = [clock.now(), clock.elapsedMs()];
  const usualMs = new Map<string, number>();
  let parts: ReportParts = {};
  const notes: string[] = [];
  let runStartedMs: number | undefined;
  const known = (): ReportInput => ({
    settings,
    typed: typedLine(args, settings.command),
    parts,
    notes,
    waits,
    usualMs,
    startedAt,
    runStartedMs,
    elapsedMs: clock.elapsedMs() - began,
  });
  const write = async (path: string | undefined, content: () => Promise<void>): Promise<Failure[]> => {
    if (path === undefined) return [];
    try {
      await content();
      return [];
    } catch (error) {
      return [error instanceof Failure ? error : toFailure(error, `writing ${path}`)];
    }
  };
  return {
    events: {
      emit(event) {
        if (event.type === "run.started") runStartedMs = clock.elapsedMs() - began;
        waits.emit(event);
      },
      stop: waits.stop,
    },
    expect({ steps }) {
      for (const step of steps) if (step.usualMs > 0) usualMs.set(step.id, Math.round(step.usualMs));
    },
    note(text) {
      if (/^(?:warning|notice): /.test(text)) notes.push(text);
    },
    add(more) {
      parts = { ...parts, ...more };
    },
    async summarize() {
      const path = environment["GITHUB_STEP_SUMMARY"];
      if (!path) return undefined;
      const { jobSummary, writeJobSummary } = await import("./job-summary.js");
      const summary = jobSummary(known(), renderAdvice);
      return summary === undefined ? undefined : writeJobSummary(path, summary)?.message;
    },
    async write() {
      const { outputReport = "", outputTimings = "" } = settings;
      return [
        ...(await write(settings.outputReport, async () => {
          const { runPage } = await import("./run-page.js");
          await writeText(await reportFile(outputReport), runPage(known(), renderAdvice), 0o600);
        })),
        ...(await write(settings.outputTimings, async () => writeDocument(await timingsOutput(outputTimings), timingsOf(known())))),
      ];
    },
  };
}

function timingsOf({ settings, parts, waits, usualMs, startedAt, runStartedMs, elapsedMs }: ReportInput): Timings {
  const { run, failures = [] } = parts;
  return {
    schemaVersion: 1,
    type: "timings",
    ok: failures.length === 0 && (run === undefined || isDone(run)),
    command: settings.command,
    version,
    startedAt: startedAt.toISOString(),
    elapsedMs,
    runStartedMs,
    criticalPath: [...(run?.result.criticalPath ?? [])],
    steps: (run?.result.steps ?? []).map((step) => {
      const { startedMs = 0, endedMs = startedMs } = step;
      const own = waits.of(step.id, endedMs - startedMs).map(({ reason, fromMs, toMs }) => {
        return { reason, startedMs: startedMs + fromMs, endedMs: startedMs + toMs };
      });
      return { ...step, needs: [...step.needs], usualMs: usualMs.get(step.id), waits: own };
    }),
  };
}
