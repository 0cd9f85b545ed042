/** Progress for pipes and CI, where lines cannot be redrawn: one line per event, and a heartbeat for every running step. */
import type { EngineEvent } from "../engine/events.js";
import type { Ticker } from "./ticker.js";
import { plural } from "../text/plural.js";
import { runningDuration } from "./duration.js";
import { printable } from "./printable.js";
import { createProgress, isWork } from "./progress.js";
import { onceForEachReason } from "./repeated-note.js";
import type { View } from "./renderer.js";
import type { Screen } from "./screen.js";
import { columns, stepLine } from "./step-line.js";
import { acts, type Tone } from "./vocabulary.js";

/** CI systems may end a job that prints nothing for a few minutes. */
const heartbeatMs = 30_000;
const heartbeatCheckMs = 1_000;

export function createPlainView(screen: Screen, ticker: Ticker): View {
  const progress = createProgress(ticker);
  /** The time of each running step's last line, by ID; the plan has the empty ID. */
  const lastPrintedAt = new Map<string, number>([["", ticker.now()]]);
  /** By the ID of a running step. */
  const isNews = new Map<string, (reason: string) => boolean>();
  let stopped = false;
  let paused = false;

  function say(word: string, tone: Tone, text: string): void {
    const since = `[${runningDuration(progress.elapsedMs()).padStart(6)}]`;
    screen.print(`${screen.paint.dim(since)} ${screen.paint[tone](columns(word, "").word)} ${text}`);
  }

  function heartbeat(): void {
    if (paused) return;
    const now = ticker.now();
    const isDue = (id: string): boolean => now - (lastPrintedAt.get(id) ?? now) >= heartbeatMs;
    if (progress.total === undefined && isDue("")) {
      lastPrintedAt.set("", now);
      say("reading", "dim", `Azure, ${progress.planned} read so far`);
    }
    for (const [id, step] of progress.running) {
      if (!isDue(id)) continue;
      lastPrintedAt.set(id, now);
      const since = runningDuration(now - step.startedMs);
      say(acts[step.act].running, "dim", `${step.title}, ${since} so far${step.note === undefined ? "" : `: ${step.note}`}`);
    }
  }
  const stopHeartbeat = ticker.every(heartbeatCheckMs, heartbeat);

  function show(event: EngineEvent): void {
    switch (event.type) {
      case "run.started":
        say("start", "dim", `${printable(event.command)} ${printable(event.subject)}: ${plural(event.steps, "step")}`);
        return;
      case "step.started":
        if (!isWork(event.act)) return;
        lastPrintedAt.set(event.step, ticker.now());
        isNews.set(event.step, onceForEachReason(Infinity, ticker.now));
        // A note with the reason follows.
        if (event.act === "wait") return;
        say(acts[event.act].running, acts[event.act].tone, printable(event.title));
        return;
      case "step.note":
        showNote(event.step, printable(event.text), event.reason);
        return;
      case "step.planned":
      case "check.result":
      case "verification.finished":
      case "run.finished":
        // The plan and the summary are shown when they are complete.
        return;
      case "step.done":
      case "step.failed":
      case "step.skipped": {
        const line = stepLine(event, progress);
        if (line) say(line.word, line.tone, line.time === "" ? line.text : `${line.text} (${line.time})`);
      }
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
    emit(event) {
      if (stopped) return;
      paused = false;
      progress.take(event);
      show(event);
    },
    say: screen.print,
    pause() {
      paused = true;
    },
    stop() {
      stopped = true;
      stopHeartbeat();
    },
  };
}
