/** The events of a walk: the one union that renderers, the events file and tests read. */
import type { Advice } from "../errors/advice.js";
import type { Failure } from "../errors/failure.js";
import type { Act, Change } from "./step.js";

export type EngineEvent =
  | {
      readonly type: "run.started";
      readonly command: string;
      /** The subject for people: an infra ID, the name of an identity set. */
      readonly subject: string;
      /** Present if the run is about a cluster's infrastructure. */
      readonly infraId?: string | undefined;
      readonly steps: number;
    }
  | {
      readonly type: "check.result";
      readonly check: string;
      readonly subject: string;
      readonly state: "passed" | "warning" | "failed" | "skipped";
      /** What a failed check counts as. */
      readonly severity: "error" | "warning";
      readonly evidence: Advice;
      readonly next: Advice | undefined;
    }
  /** All checks have ended. Counts the selected checks, without those that they need. */
  | {
      readonly type: "verification.finished";
      readonly ok: boolean;
      readonly counts: Readonly<Record<"passed" | "warning" | "failed" | "skipped", number>>;
    }
  | {
      readonly type: "step.planned";
      readonly step: string;
      readonly title: string;
      readonly act: Act | "wait";
      readonly why: string | undefined;
      readonly changes: readonly Change[];
    }
  | {
      readonly type: "step.started";
      readonly step: string;
      readonly title: string;
      readonly act: Act | "wait";
      readonly needs: readonly string[];
    }
  /** What a running step waits for. `reason` is the text without what changes from try to try. `elapsedMs` counts from the start of the step. */
  | {
      readonly type: "step.note";
      readonly step: string;
      readonly text: string;
      readonly reason: string;
      readonly elapsedMs: number;
    }
  | {
      readonly type: "step.done";
      readonly step: string;
      readonly title: string;
      readonly act: Act;
      readonly elapsedMs: number;
      /** ARM ID, if any. */
      readonly id: string | undefined;
    }
  | { readonly type: "step.failed"; readonly step: string; readonly title: string; readonly elapsedMs: number; readonly failure: Failure }
  | { readonly type: "step.skipped"; readonly step: string; readonly title: string; readonly because: readonly string[] }
  | {
      readonly type: "run.finished";
      readonly ok: boolean;
      readonly elapsedMs: number;
      /** How many steps ended in each way: created, updated, replaced, kept, used, removed, failed, skipped. */
      readonly counts: Readonly<Record<string, number>>;
      /** The chain of steps that took longest, first to last. */
      readonly criticalPath: readonly string[];
    };

export type Emit = (event: EngineEvent) => void;
