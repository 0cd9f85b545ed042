/** What a run would do, learned by reads only: a value that can be shown, counted, approved, and then run. */
import type { Failure } from "../errors/failure.js";
import { asCurrentStep, stepIo } from "./current-step.js";
import type { Emit } from "./events.js";
import { liveOutput, outputsOf } from "./outputs.js";
import type { Decision, Needs, OutputsOf, Step } from "./step.js";
import type { ToFailure } from "./failure-of.js";
import { walk, type Outcome } from "./walk.js";

/** What is to be done about a step; `wait` where something is still at work on it, so that nothing can be decided yet. */
export type PlannedDecision = Decision | { readonly act: "wait"; readonly why: string };

export interface PlannedStep {
  readonly step: Step<unknown>;
  readonly decision: PlannedDecision;
  /** What was read; undefined where nothing is there, or nothing could be read yet. */
  readonly live: unknown;
  /** What it would be made with; undefined for what is only looked up, and where what it needs is not known yet. */
  readonly wanted: object | undefined;
  /** False where a run must read again, because what the plan saw may have changed by then or could not be seen. */
  readonly settled: boolean;
  /** What the step hands on, as read or as predicted; undefined where only a run will know. */
  readonly output: { readonly value: unknown } | undefined;
  /** Milliseconds since the planning started. */
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
  /** Ids of the failed steps that are the cause. */
  readonly because: readonly string[];
}

export interface Plan {
  /** Every step that something could be said about, in the order given. */
  readonly steps: readonly PlannedStep[];
  /** Steps that must not be done: with any of these the plan is not to be run. */
  readonly refusals: readonly StepFailure[];
  /** Steps that could not be read. */
  readonly failures: readonly StepFailure[];
  readonly skipped: readonly SkippedStep[];
  /** How many steps would write: create, update, and those waited for. */
  readonly changes: number;
}

export interface PlanOptions {
  /** How many steps are read, or done, at once; at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Milliseconds of any clock that never goes back. */
  readonly elapsedMs: () => number;
  /** What time it is: steps decide by it. */
  readonly now: () => Date;
  /** Translates what a step throws that is not a Failure. */
  readonly toFailure?: ToFailure;
}

/** Sends no write. Throws the signal's reason where that aborted the planning, and ARO-BUG-001 for a graph that is not sound. */
export async function planSteps(steps: readonly Step<unknown>[], options: PlanOptions): Promise<Plan> {
  const { concurrency, signal, emit, elapsedMs, toFailure } = options;
  const began = elapsedMs();
  const refused = new Map<string, PlannedStep>();

  const visit = async (step: Step<unknown>, planned: ReadonlyMap<string, PlannedStep>): Promise<PlannedStep> => {
    const startedMs = elapsedMs() - began;
    const io = stepIo(step, options);
    const { up, ...looked } = await asCurrentStep(io, () => look(step, planned, options.now));
    const wanted = up && step.declared.wanted?.(up);
    const entry: PlannedStep = { step, ...looked, wanted, output: undefined, startedMs, endedMs: elapsedMs() - began };
    emit(plannedEvent(entry));
    const { decision } = entry;
    // Noted first: a refusal stays one, whatever becomes of the output.
    if (decision.act === "refuse") refused.set(step.id, entry);
    const output = up === undefined ? undefined : plannedOutput(step, decision.act, entry.live, up);
    // Its dependants can be planned where what it hands on is known; else they are skipped.
    if (decision.act === "refuse" && output === undefined) throw decision.failure;
    return { ...entry, output };
  };

  const onEnd = (step: Step<unknown>, outcome: Outcome<PlannedStep>): void => {
    const { id, title } = step;
    if (outcome.status === "skipped") emit({ type: "step.skipped", step: id, title, because: outcome.because });
    if (outcome.status !== "failed" || refused.has(id)) return;
    emit({ type: "step.failed", step: id, title, elapsedMs: outcome.endedMs - outcome.startedMs, failure: outcome.failure });
  };

  const outcomes = await walk(steps, visit, { concurrency, signal, elapsedMs, toFailure, onEnd });
  signal.throwIfAborted();
  return gather(steps, outcomes, refused);
}

/** `up` is undefined where a needed output is known only later. */
type Looked = Pick<PlannedStep, "decision" | "live" | "settled"> & { readonly up: OutputsOf<Needs> | undefined };

async function look(step: Step<unknown>, planned: ReadonlyMap<string, PlannedStep>, now: PlanOptions["now"]): Promise<Looked> {
  const spec = step.declared;
  const needed = Object.values(spec.needs).flatMap(({ id }) => planned.get(id) ?? []);
  const unknown = needed.filter((need) => need.output === undefined);
  if (unknown.length > 0) {
    const why = `known after ${[...new Set(unknown.map((need) => need.step.title))].join(", ")}`;
    return { decision: { act: "create", why }, live: undefined, settled: false, up: undefined };
  }

  const up = outputsOf(spec.needs, (id) => planned.get(id)?.output?.value);
  const container = step.within === undefined ? undefined : planned.get(step.within);
  // Where the container is not there, neither is what it holds: no request is made to learn that.
  const live = container !== undefined && container.live === undefined ? undefined : await spec.read(up);
  const busy = live === undefined ? undefined : spec.busy?.(live);
  const decision: PlannedDecision =
    busy === undefined ? spec.decide(live, up, now()) : { act: "wait", why: `an operation is in flight: ${busy}` };
  return { decision, live, settled: busy === undefined && needed.every((need) => need.settled), up };
}

function plannedOutput(step: Step<unknown>, act: PlannedDecision["act"], live: unknown, up: OutputsOf<Needs>): PlannedStep["output"] {
  const { predict } = step.declared;
  // What is waited for may be on its way out, so its names say more than its state does.
  const byNames = act === "create" || act === "wait" || (act === "refuse" && live === undefined);
  if (byNames && predict !== undefined) return { value: predict.call(step.declared, up) };
  if (act === "create" || (act === "refuse" && live === undefined)) return undefined;
  return { value: liveOutput(step, act, live, up) };
}

function plannedEvent({ step, decision }: PlannedStep): Parameters<Emit>[0] {
  const why = decision.act === "refuse" ? decision.failure.message : "why" in decision ? decision.why : undefined;
  const changes = decision.act === "update" ? decision.changes : [];
  return { type: "step.planned", step: step.id, title: step.title, act: decision.act, why, changes };
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
  const changes = planned.filter(({ decision }) => ["create", "update", "wait"].includes(decision.act)).length;
  return { steps: planned, refusals, failures, skipped, changes };
}
