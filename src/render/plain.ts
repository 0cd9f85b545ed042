/** Progress for pipes, CI and screen readers, where no line is redrawn. */
import type { EngineEvent } from "../engine/events.js";
import type { Ticker } from "./ticker.js";
import { plural } from "../text/plural.js";
import { aboutDuration, runningDuration } from "./duration.js";
import { painted } from "./painted.js";
import { printable } from "./printable.js";
import { createProgress, type RunningStep } from "./progress.js";
import { onceForEachReason } from "./repeated-note.js";
import type { View } from "./renderer.js";
import type { Screen } from "./screen.js";
import { columns, type EndLine, skippedLine, stepLine } from "./step-line.js";
import { acts, type Tone } from "./vocabulary.js";

/** CI systems may end a job that prints nothing for a few minutes. */
const heartbeatMs = 30_000;
const checkMs = 1_000;
/** A step that takes less has a line only when it has ended. */
const longMs = 5_000;

export function createPlainView(screen: Screen, ticker: Ticker): View {
  const progress = createProgress(ticker);
  /** The time of the last line of the plan or the run, and of each running step that has one, by ID. */
  let lastHeartbeatAt = ticker.now();
  const lastPrintedAt = new Map<string, number>();
  /** The keys are IDs of running steps. */
  const isNews = new Map<string, (reason: string) => boolean>();
  const { fold } = screen;
  let isFolding = false;
  let stopped = false;
  let paused = false;

  function say(word: string, tone: Tone, text: string): void {
    const since = `[${runningDuration(progress.elapsedMs()).padStart(6)}]`;
    screen.show(painted(`${screen.paint.dim(since)} ${screen.paint[tone](columns(word, "").word)} ${text}`));
  }

  function check(): void {
    if (paused) return;
    const now = ticker.now();
    if (now - lastHeartbeatAt >= heartbeatMs) {
      lastHeartbeatAt = now;
      if (progress.total === undefined) say("reading", "dim", `Azure, ${progress.planned} read so far`);
      else if (progress.running.size > 0) say("progress", "dim", `${progress.ended} of ${plural(progress.total, "step")}${leftText()}`);
    }
    for (const [id, step] of progress.running) checkStep(id, step, now);
  }
  const stopChecks = ticker.every(checkMs, check);

  function checkStep(id: string, step: RunningStep, now: number): void {
    const printedAt = lastPrintedAt.get(id);
    const forMs = now - step.startedMs;
    if (printedAt === undefined ? forMs < longMs : now - printedAt < heartbeatMs) return;
    lastPrintedAt.set(id, now);
    const soFar = printedAt === undefined ? "" : `, ${runningDuration(forMs)} so far`;
    const usual = step.usualMs === undefined ? "" : `, usually ${aboutDuration(step.usualMs)}`;
    say(acts[step.act].running, printedAt === undefined ? acts[step.act].tone : "dim", `${step.title}${soFar}${usual}${noteOf(step)}`);
  }

  /** A first line follows no note: that note would have been the first line. */
  function noteOf({ note }: RunningStep): string {
    return note === undefined ? "" : `: ${note}`;
  }

  function leftText(): string {
    const remainingMs = progress.remainingMs();
    return remainingMs === undefined ? "" : `, about ${aboutDuration(remainingMs)} left`;
  }

  function sayEnd(line: EndLine | undefined): void {
    if (line) say(line.word, line.tone, line.time === "" ? line.text : `${line.text} (${line.time})`);
  }

  function endRun(): void {
    sayEnd(skippedLine(progress.takeSkipped()));
    if (isFolding && fold) screen.show(painted(fold.end()));
    isFolding = false;
  }

  function show(event: EngineEvent): void {
    switch (event.type) {
      case "run.started": {
        const remainingMs = progress.remainingMs();
        const usual = remainingMs === undefined ? "" : `, usually about ${aboutDuration(remainingMs)}`;
        const text = `${printable(event.command)} ${printable(event.subject)}: ${plural(event.steps, "step")}`;
        lastHeartbeatAt = ticker.now();
        if (fold) screen.show(painted(fold.begin(text)));
        isFolding = true;
        if (event.steps > 0) say("start", "dim", `${text}${usual}`);
        return;
      }
      case "step.started":
        isNews.set(event.step, onceForEachReason(Infinity, ticker.now));
        lastPrintedAt.delete(event.step);
        return;
      case "step.note":
        showNote(event.step, printable(event.text), event.reason);
        return;
      case "run.finished":
        endRun();
        return;
      case "step.done":
      case "step.failed":
        sayEnd(stepLine(event, progress));
        return;
      case "step.planned":
      case "step.skipped":
      case "check.result":
      case "verification.finished":
        // The plan and the summary are shown when they are complete.
        return;
    }
  }

  /** Every poll and every retry emits a note; a new reason is shown at once, and after that the heartbeat shows the last one. */
  function showNote(id: string, note: string, reason: string): void {
    const step = progress.running.get(id);
    if (step === undefined || isNews.get(id)?.(reason) !== true) return;
    lastPrintedAt.set(id, ticker.now());
    say("waiting", "dim", `${step.title}: ${note}`);
  }

  return {
    expect: progress.expect,
    emit(event) {
      if (stopped) return;
      paused = false;
      progress.take(event);
      show(event);
    },
    say: screen.show,
    pause() {
      paused = true;
      sayEnd(skippedLine(progress.takeSkipped()));
    },
    stop() {
      if (stopped) return;
      stopped = true;
      stopChecks();
      endRun();
    },
  };
}
