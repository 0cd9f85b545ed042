/** What a run would do, found by reads only: a value that can be shown, counted, approved, and then run. */
import type { Failure } from "../errors/failure.js";
import { asCurrentStep, stepIo } from "./current-step.js";
import type { Emit } from "./events.js";
import { liveOutput, outputsOf } from "./outputs.js";
import type { Decision, Needs, OutputsOf, Step } from "./step.js";
import type { ToFailure } from "./failure-of.js";
import { walk, type Outcome, type WalkNode } from "./walk.js";

/** What to do about a step; `wait` if only the run can decide: an operation is in flight, or the state cannot be read yet. */
export type PlannedDecision = Decision | { readonly act: "wait"; readonly why: string };

export interface PlannedStep {
  readonly step: Step<unknown>;
  readonly decision: PlannedDecision;
  /** The titles of the steps whose outputs a run must know to decide finally; empty if all are known. */
  readonly knownAfter: readonly string[];
  /** The state that was read; undefined if it does not exist, or could not be read yet. */
  readonly live: unknown;
  /** The wanted state; undefined if the step only looks up, or if its needs are not known yet. */
  readonly wanted: object | undefined;
  /** False if a run must read again, because the state may have changed or could not be read. */
  readonly isFinal: boolean;
  /** The output of the step, as read or as predicted; undefined if only a run will know. */
  readonly output: { readonly value: unknown } | undefined;
  /** Milliseconds since the start of planning. */
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface StepFailure {
  readonly step: string;
  readonly title: string;
  readonly failure: Failure;
}

export interface SkippedStep {
  readonly step: string;
  readonly title: string;
  /** IDs of the failed steps that are the cause. */
  readonly because: readonly string[];
}

export interface Plan {
  /** Every step with a decision, in the order given. */
  readonly steps: readonly PlannedStep[];
  /** Steps that must not run: with any of these, the plan cannot be applied. */
  readonly refusals: readonly StepFailure[];
  /** Steps that could not be read. */
  readonly failures: readonly StepFailure[];
  readonly skipped: readonly SkippedStep[];
  /** How many steps would write: create, update, replace, remove, and those that wait. */
  readonly changes: number;
}

export interface PlanOptions {
  /** How many steps are read, or applied, at once; at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Milliseconds of any monotonic clock. */
  readonly elapsedMs: () => number;
  /** The current time: steps decide by it. */
  readonly now: () => Date;
  /** Translates an error of a step that is not a Failure. */
  readonly toFailure?: ToFailure;
}

/**
 * Sends no write.
 * @throws the signal's reason if that aborted the planning, and ARO-BUG-001 for an invalid graph.
 */
export async function planSteps(steps: readonly Step<unknown>[], options: PlanOptions): Promise<Plan> {
  const { concurrency, signal, emit, elapsedMs, toFailure } = options;
  const began = elapsedMs();
  const refused = new Map<string, PlannedStep>();

  const visit = async ({ step }: PlanNode, planned: ReadonlyMap<string, PlannedStep>) => {
    const startedMs = elapsedMs() - began;
    const { outputs, ...read } = await asCurrentStep(stepIo(step, options), () => readStep(step, planned, options.now));
    const wanted = outputs && step.declared.wanted?.(outputs);
    const entry: PlannedStep = { step, ...read, wanted, output: undefined, startedMs, endedMs: elapsedMs() - began };
    emit(plannedEvent(entry));
    const { decision } = entry;
    // Noted first: a refusal stays one, whatever happens to the output.
    if (decision.act === "refuse") refused.set(step.id, entry);
    const output = outputs === undefined ? undefined : plannedOutput(step, decision.act, entry.live, outputs);
    // Its dependents can be planned if its output is known; otherwise they are skipped.
    if (decision.act === "refuse" && output === undefined) throw decision.failure;
    return { ...entry, output };
  };

  const onEnd = ({ id, title }: PlanNode, outcome: Outcome<unknown>): void => {
    if (outcome.status === "skipped") emit({ type: "step.skipped", step: id, title, because: outcome.because });
    if (outcome.status !== "failed" || refused.has(id)) return;
    emit({ type: "step.failed", step: id, title, elapsedMs: outcome.endedMs - outcome.startedMs, failure: outcome.failure });
  };

  const outcomes = await walk(steps.map(nodeOf), visit, { concurrency, signal, elapsedMs, toFailure, onEnd });
  signal.throwIfAborted();
  return gather(steps, outcomes, refused);
}

interface PlanNode extends WalkNode {
  readonly step: Step<unknown>;
}

/** Without the duration of the write, because a plan only reads. */
function nodeOf(step: Step<unknown>): PlanNode {
  const { id, title, needs } = step;
  return { id, title, needs, step };
}

/** `outputs` is undefined if a needed output is known only later. */
type ReadStep = Pick<PlannedStep, "decision" | "knownAfter" | "live" | "isFinal"> & { readonly outputs: OutputsOf<Needs> | undefined };

async function readStep(step: Step<unknown>, planned: ReadonlyMap<string, PlannedStep>, now: PlanOptions["now"]): Promise<ReadStep> {
  const spec = step.declared;
  const needed = Object.values(spec.needs).flatMap(({ id }) => planned.get(id) ?? []);
  const outputs = outputsOf(spec.needs, (id) => planned.get(id)?.output?.value);
  const unknown = needed.filter((need) => need.output === undefined);
  const container = step.within === undefined ? undefined : planned.get(step.within);
  // If the container does not exist, neither does its content: no request is needed.
  const isAbsent = container !== undefined && container.live === undefined && spec.hasGlobalName !== true;
  const unread = isAbsent ? undefined : spec.unread?.(outputs);
  if (unread !== undefined) {
    const decision = { act: "wait", why: unread } as const;
    return { decision, knownAfter: [], live: undefined, isFinal: false, outputs: unknown.length > 0 ? undefined : outputs };
  }
  if (unknown.length > 0) {
    const used = spec.neededToRead?.map((name) => spec.needs[name]?.id);
    const mayRead = used !== undefined && !isAbsent && !unknown.some((need) => used.includes(need.step.id));
    const live = mayRead ? await spec.read(outputs) : undefined;
    const knownAfter = [...new Set(unknown.map((need) => need.step.title))];
    // What follows from contents that no plan can read may be there too.
    const why = `known after ${knownAfter.join(", ")}`;
    const isUnread = unknown.some(({ decision }) => decision.act === "wait");
    const decision: PlannedStep["decision"] =
      spec.preview?.(outputs, now(), live) ?? (isUnread ? { act: "wait", why } : { act: "create", why });
    return { decision, knownAfter, live, isFinal: false, outputs: undefined };
  }

  const live = isAbsent ? undefined : await spec.read(outputs);
  const busy = live === undefined ? undefined : spec.busy?.(live);
  const decision: PlannedDecision =
    busy === undefined ? spec.decide(live, outputs, now()) : { act: "wait", why: `an operation is in flight: ${busy}` };
  return { decision, knownAfter: [], live, isFinal: busy === undefined && needed.every((need) => need.isFinal), outputs };
}

function plannedOutput(step: Step<unknown>, act: PlannedDecision["act"], live: unknown, outputs: OutputsOf<Needs>): PlannedStep["output"] {
  const { predict } = step.declared;
  // An operation in flight may be a deletion, so the predicted output is more reliable than the state.
  const byNames = act === "create" || act === "wait" || (act === "refuse" && live === undefined);
  if (!byNames) return { value: liveOutput(step, act, live, outputs) };
  return predict && { value: predict.call(step.declared, outputs) };
}

function plannedEvent({ step, decision }: PlannedStep): Parameters<Emit>[0] {
  const why = decision.act === "refuse" ? decision.failure.message : "why" in decision ? decision.why : undefined;
  const changes = "changes" in decision ? decision.changes : [];
  return { type: "step.planned", step: step.id, title: step.title, act: decision.act, why, changes };
}

/** Whether the step sends a write if the plan is applied as it is. */
export function isWritten({ decision: { act } }: Pick<PlannedStep, "decision">): boolean {
  return act === "create" || act === "update" || act === "replace";
}

function gather(
  steps: readonly Step<unknown>[],
  outcomes: ReadonlyMap<string, Outcome<PlannedStep>>,
  refused: ReadonlyMap<string, PlannedStep>,
): Plan {
  const planned: PlannedStep[] = [];
  const refusals: StepFailure[] = [];
  const failures: StepFailure[] = [];
  const skipped: SkippedStep[] = [];
  for (const { id, title } of steps) {
    const outcome = outcomes.get(id);
    const entry = outcome?.status === "done" ? outcome.value : refused.get(id);
    if (entry !== undefined) planned.push(entry);
    if (entry?.decision.act === "refuse") refusals.push({ step: id, title, failure: entry.decision.failure });
    else if (outcome?.status === "failed") failures.push({ step: id, title, failure: outcome.failure });
    else if (outcome?.status === "skipped") skipped.push({ step: id, title, because: outcome.because });
  }
  const changes = planned.filter((step) => isWritten(step) || step.decision.act === "remove" || step.decision.act === "wait").length;
  return { steps: planned, refusals, failures, skipped, changes };
}
