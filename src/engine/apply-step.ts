/** Applies one planned step: waits for operations in flight, decides on the current state, and writes the differences. */
import { Recovered, Uncertain } from "../errors/stale.js";
import { liveOutput } from "./outputs.js";
import type { PlannedStep, PlanOptions } from "./plan.js";
import type { DoneAct } from "./run-result.js";
import { retryStale } from "./retry-stale.js";
import type { Needs, OutputsOf, StepIo } from "./step.js";

export interface Polling {
  /** Milliseconds between two reads of an operation in flight. */
  readonly pollMs: number;
  /** Rejects with the signal's reason when that aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Applied {
  readonly act: DoneAct;
  readonly output: unknown;
}

/**
 * `containerCreated` is true if this run has just created the container.
 * @throws the refusal if the decision is one now, and ARO-OWN-005 if other writers kept overtaking the write.
 */
export async function applyStep(
  { step, live: planned, isFinal, decision: { act: plannedAct } }: PlannedStep,
  outputs: OutputsOf<Needs>,
  containerCreated: boolean,
  io: StepIo,
  { pollMs, sleep, now }: Polling & Pick<PlanOptions, "now">,
): Promise<Applied> {
  const spec = step.declared;
  const readIdle = async (): Promise<unknown> => {
    for (;;) {
      const live = await spec.read(outputs);
      const busy = live === undefined ? undefined : spec.busy?.(live);
      if (busy === undefined) return live;
      io.note(`waiting for the operation in flight: ${busy}`);
      await sleep(pollMs, io.signal);
    }
  };

  let written: Applied["act"] | undefined;
  return retryStale(step.title, io, async (tries) => {
    const readsAgain = tries > 1 || (spec.addsVersion === true && plannedAct !== "keep");
    const isNew = containerCreated && (isFinal || spec.hasGlobalName !== true);
    const known = isFinal ? planned : undefined;
    const first = readsAgain || (!isFinal && !isNew) ? await readIdle() : known;
    // Something absent from the plan may exist by now, and a creation would overwrite it; in a container created a moment ago it cannot.
    const live = first === undefined && !readsAgain && isFinal && !isNew && !spec.upserts ? await readIdle() : first;
    const decision = spec.decide(live, outputs, now());
    if (decision.act === "refuse") throw decision.failure;
    if (decision.act === "keep" || decision.act === "use") {
      return { act: written ?? decision.act, output: liveOutput(step, decision.act, live, outputs) };
    }
    io.signal.throwIfAborted();
    try {
      return { act: written ?? decision.act, output: spec.output(await spec.apply(live, outputs, io), outputs) };
    } catch (error) {
      // It was written, whatever a later read finds; or, if its outcome is uncertain, a read that finds nothing to do shows that it was.
      if (error instanceof Recovered || error instanceof Uncertain) written ??= decision.act;
      throw error;
    }
  });
}
