/** The progress of a run, collected from its events, for both progress views. */
import type { EngineEvent } from "../engine/events.js";
import type { Ticker } from "./ticker.js";
import { printable } from "./printable.js";
import type { ShownAct, Work } from "./vocabulary.js";

export interface RunningStep {
  readonly title: string;
  readonly act: Work;
  readonly startedMs: number;
  readonly note: string | undefined;
}

export interface Progress {
  /** The running steps by ID, oldest first, without steps that need no work (keep, adopt). */
  readonly running: ReadonlyMap<string, RunningStep>;
  /** Undefined until the run starts; before that, the plan is read from Azure. */
  readonly total: number | undefined;
  readonly planned: number;
  readonly ended: number;
  readonly failed: number;
  /** Milliseconds since the run started, as in its result; before that, since the view began. */
  elapsedMs(): number;
  titleOf(step: string): string;
  take(event: EngineEvent): void;
}

export function createProgress(ticker: Ticker): Progress {
  let begunMs = ticker.now();
  const running = new Map<string, RunningStep>();
  const titles = new Map<string, string>();
  const progress = {
    running,
    total: undefined as number | undefined,
    planned: 0,
    ended: 0,
    failed: 0,
    elapsedMs: () => ticker.now() - begunMs,
    titleOf: (step: string) => titles.get(step) ?? printable(step),
    take(event: EngineEvent) {
      if ("title" in event) titles.set(event.step, printable(event.title));
      switch (event.type) {
        case "run.started":
          begunMs = ticker.now();
          progress.total = event.steps;
          progress.ended = 0;
          progress.failed = 0;
          return;
        case "step.planned":
        case "check.result":
          progress.planned += 1;
          return;
        case "step.started":
          if (isWork(event.act)) {
            running.set(event.step, { title: printable(event.title), act: event.act, startedMs: ticker.now(), note: undefined });
          }
          return;
        case "step.note": {
          const step = running.get(event.step);
          if (step) running.set(event.step, { ...step, note: printable(event.text) });
          return;
        }
        case "step.done":
        case "step.skipped":
          running.delete(event.step);
          progress.ended += 1;
          return;
        case "step.failed":
          running.delete(event.step);
          progress.ended += 1;
          progress.failed += 1;
          return;
        case "verification.finished":
        case "run.finished":
          running.clear();
      }
    },
  };
  return progress;
}

/** Steps that need no work are counted but not shown, so that a second run prints no irrelevant lines. */
export function isWork(act: ShownAct): act is Work {
  return act !== "keep" && act !== "adopt" && act !== "refuse";
}
