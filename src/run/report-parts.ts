/** What the report of a command is made from. */
import type { Failure } from "../errors/failure.js";
import type { Fact } from "../render/facts.js";
import type { Drawing } from "../render/report/page.js";
import type { SummaryOptions } from "../render/summary.js";
import type { ShownResult } from "../render/verification-text.js";
import type { Waits } from "../render/waits.js";
import type { ReportedItem } from "./reported-resources.js";

export interface ReportSettings {
  readonly outputReport?: string | undefined;
  readonly outputTimings?: string | undefined;
  readonly command: string;
  readonly infraId?: string | undefined;
  readonly name?: string | undefined;
}

export interface FinishedRun extends SummaryOptions {
  readonly failures: readonly Failure[];
  /** The group of each step in a plan, by the ID of the step. */
  readonly sections: ReadonlyMap<string, string>;
  /** How far it got. */
  readonly done: string;
}

/** Where the command ran, and as whom. */
export interface ReportedPlace {
  readonly facts: readonly Fact[];
  /** The value of `--cloud`. */
  readonly cloud: string;
  readonly tenantId: string | undefined;
}

/** What a command adds when it knows it. */
export interface ReportParts {
  /** What was verified: "infrastructure of demo (demo-x7k2)". */
  readonly title?: string | undefined;
  /** Used until `place` is known. */
  readonly connectedTo?: ReportedPlace;
  readonly place?: ReportedPlace | undefined;
  readonly planned?: () => readonly ReportedItem[];
  readonly run?: FinishedRun;
  readonly results?: readonly ShownResult[];
  /** Called for a page only. */
  readonly drawing?: (() => Drawing) | undefined;
  readonly failures?: readonly Failure[];
}

export interface ReportInput {
  readonly settings: ReportSettings;
  /** The command line, without secrets. */
  readonly typed: string;
  readonly parts: ReportParts;
  /** "warning: ...", "notice: ..." */
  readonly notes: readonly string[];
  readonly waits: Waits;
  readonly usualMs: ReadonlyMap<string, number>;
  readonly startedAt: Date;
  readonly runStartedMs: number | undefined;
  readonly elapsedMs: number;
}

export function isDone({ result, failures }: FinishedRun): boolean {
  return result.ok && failures.length === 0;
}
