/** Applies one planned step: waits for what is in flight, decides on what is there then, writes what differs. It knows no order and no other step. */
import { Recovered } from "../errors/stale.js";
import { liveOutput } from "./outputs.js";
import type { PlannedStep, PlanOptions } from "./plan.js";
import type { DoneAct } from "./run-result.js";
import { retryStale } from "./retry-stale.js";
import type { Needs, OutputsOf, StepIo } from "./step.js";

export interface Polling {
  /** Milliseconds between two reads of what is in flight. */
  readonly pollMs: number;
  /** Rejects with the signal's reason once that aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Applied {
  readonly act: Exclude<DoneAct, "remove">;
  readonly output: unknown;
}

/**
 * `containerCreated`: what holds this was made a moment ago, in this run.
 * Throws the refusal where the decision has become one, and ARO-OWN-005 where somebody else kept overtaking the write.
 */
export async function applyStep(
  { step, live: planned, settled }: PlannedStep,
  up: OutputsOf<Needs>,
  containerCreated: boolean,
  io: StepIo,
  { pollMs, sleep, now }: Polling & Pick<PlanOptions, "now">,
): Promise<Applied> {
  const spec = step.declared;
  const readIdle = async (): Promise<unknown> => {
    for (;;) {
      const live = await spec.read(up);
      const busy = live === undefined ? undefined : spec.busy?.(live);
      if (busy === undefined) return live;
      io.note(`waiting for an operation in flight to end: ${busy}`);
      await sleep(pollMs, io.signal);
    }
  };

  let recovered: Applied["act"] | undefined;
  return retryStale(step.title, io, async (tries) => {
    const first = tries > 1 ? await readIdle() : settled ? planned : containerCreated ? undefined : await readIdle();
    // What was absent when the plan was made may have appeared since, and a creation would write over it. In a container made a moment ago nothing can have.
    const live = first === undefined && tries === 1 && settled && !containerCreated && !spec.upserts ? await readIdle() : first;
    const decision = spec.decide(live, up, now());
    if (decision.act === "refuse") throw decision.failure;
    if (decision.act === "keep" || decision.act === "adopt") {
      return { act: recovered ?? decision.act, output: liveOutput(step, decision.act, live, up) };
    }
    io.signal.throwIfAborted();
    try {
      return { act: recovered ?? decision.act, output: spec.output(await spec.apply(live, up, io), up) };
    } catch (error) {
      // It was written, whatever is found of it when it is looked at again.
      if (error instanceof Recovered) recovered ??= decision.act;
      throw error;
    }
  });
}
