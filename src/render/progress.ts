/** The progress of a run, collected from its outline and its events, for both progress views. */
import type { EngineEvent } from "../engine/events.js";
import type { Failure } from "../errors/failure.js";
import { reasonOf } from "../errors/format.js";
import { remainingMs, type Outline, type OutlinedStep, type StepTime } from "./outline.js";
import { printable } from "./printable.js";
import { createSections, type Section } from "./sections.js";
import type { Ticker } from "./ticker.js";
import { acts, type ShownAct, type Work } from "./vocabulary.js";

export interface RunningStep {
  readonly title: string;
  readonly act: Work;
  readonly startedMs: number;
  readonly note: string | undefined;
  /** The note without what changes from try to try. */
  readonly reason: string | undefined;
  /** How long it usually takes; undefined if that is not known, or only a moment. */
  readonly usualMs: number | undefined;
}

export interface Progress {
  /** The running steps by ID, oldest first, without steps that need no work (keep, use). */
  readonly running: ReadonlyMap<string, RunningStep>;
  /** Undefined until the run starts; before that, the plan is read from Azure. */
  readonly total: number | undefined;
  readonly planned: number;
  readonly ended: number;
  readonly failed: number;
  /** The steps that failed ones prevented, since the last call. */
  takeSkipped(): readonly SkippedTitle[];
  /** Whether each step has a line when it is done: otherwise, the steps of a section share one. */
  readonly inFull: boolean;
  expect(outline: Outline): void;
  /** Milliseconds since the run started, as in its result; before that, since the view began. */
  elapsedMs(): number;
  /** Until the end of the run, along its critical path; undefined without an outline. */
  remainingMs(): number | undefined;
  /** Empty without an outline. */
  sections(): readonly Section[];
  sectionOf(step: string): Section | undefined;
  /** What the plan calls the act of a step. */
  shownAct(event: { readonly step: string; readonly act: ShownAct }): ShownAct;
  /** Whether no earlier step failed for the reason of this one, which is the last that failed. */
  isFirstOfReason(failure: Failure): boolean;
  take(event: EngineEvent): void;
}

export interface SkippedTitle {
  readonly title: string;
  /** The titles of those that failed. */
  readonly because: readonly string[];
}

/** A usual time below this is not worth a word. */
const leastUsualMs = 2000;

export function createProgress(ticker: Ticker): Progress {
  let begunMs = ticker.now();
  let outline: ReadonlyMap<string, OutlinedStep> = new Map();
  let sections = createSections({ steps: [] });
  const running = new Map<string, RunningStep>();
  const titles = new Map<string, string>();
  const times = new Map<string, "ended" | "lost">();
  let skipped: SkippedTitle[] = [];
  const failedFor = new Map<unknown, number>();
  const usualOf = (step: string): number | undefined => {
    const usualMs = outline.get(step)?.usualMs;
    return usualMs !== undefined && usualMs >= leastUsualMs ? usualMs : undefined;
  };
  const timeOf = (step: string): StepTime => {
    const startedMs = running.get(step)?.startedMs;
    return startedMs === undefined ? (times.get(step) ?? "pending") : { runsForMs: ticker.now() - startedMs };
  };
  const end = (step: string, time: "ended" | "lost", word: string): void => {
    running.delete(step);
    times.set(step, time);
    sections.ended(step, word);
    progress.ended += 1;
  };
  const progress = {
    running,
    total: undefined as number | undefined,
    planned: 0,
    ended: 0,
    failed: 0,
    inFull: true,
    expect({ steps, inFull }: Outline) {
      outline = new Map(steps.map((step) => [step.id, step]));
      sections = createSections({ steps });
      progress.inFull = inFull;
    },
    takeSkipped() {
      const taken = skipped;
      skipped = [];
      return taken;
    },
    elapsedMs: () => ticker.now() - begunMs,
    remainingMs: () => (outline.size === 0 ? undefined : remainingMs([...outline.values()], timeOf)),
    sections: () => sections.list(),
    sectionOf: (step: string) => sections.of(step),
    shownAct: ({ step, act }: { readonly step: string; readonly act: ShownAct }): ShownAct =>
      act === "create" ? (outline.get(step)?.shown ?? act) : act,
    isFirstOfReason: (failure: Failure) => (failedFor.get(reasonOf(failure)) ?? 0) <= 1,
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
        case "step.started": {
          const act = progress.shownAct(event);
          if (!isWork(act)) return;
          sections.started(event.step, ticker.now());
          running.set(event.step, {
            title: printable(event.title),
            act,
            startedMs: ticker.now(),
            note: undefined,
            reason: undefined,
            usualMs: usualOf(event.step),
          });
          return;
        }
        case "step.note": {
          const step = running.get(event.step);
          if (step) running.set(event.step, { ...step, note: printable(event.text), reason: event.reason });
          return;
        }
        case "step.done": {
          const act = progress.shownAct(event);
          end(event.step, "ended", isWork(act) ? acts[act].done : "kept");
          return;
        }
        case "step.skipped":
          end(event.step, "lost", "skipped");
          skipped.push({
            title: printable(event.title),
            because: event.because.map((step) => titles.get(step) ?? printable(step)),
          });
          return;
        case "step.failed":
          end(event.step, "lost", "failed");
          progress.failed += 1;
          failedFor.set(reasonOf(event.failure), (failedFor.get(reasonOf(event.failure)) ?? 0) + 1);
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
  return act !== "keep" && act !== "use" && act !== "refuse";
}
