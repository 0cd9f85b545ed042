/** The least time a run could take: what Azure did for each step, by Azure's own account, along the graph of steps. Nothing in it is our own timing. */
import type { StateSnapshot } from "../src/emulator/index.js";

export type OperationLog = NonNullable<StateSnapshot["operationLog"]>;

/** A step of a run, or a removal. */
export interface GraphStep {
  readonly id: string;
  readonly needs: readonly string[];
}

/** What Azure did for one step, in seconds. */
interface Work {
  /** Its writes, one after the other. */
  readonly seconds: number;
  /** How much longer it is until a role that it gave counts for data. Whoever needs the step waits for that, the step itself does not. */
  readonly untilEffective: number;
}

const none: Work = { seconds: 0, untilEffective: 0 };

/** In seconds. `stepOf` gives the step that sent a request, by the request's id. @throws Error for work that nobody asked for. */
export function criticalPath(steps: readonly GraphStep[], operationLog: OperationLog, stepOf: ReadonlyMap<string, string>): number {
  const works = workOfSteps(operationLog, stepOf);
  const byId = new Map(steps.map((step) => [step.id, step]));
  const chains = new Map<string, number>();
  const chainTo = (id: string): number => {
    const known = chains.get(id);
    if (known !== undefined) return known;
    const before = (byId.get(id)?.needs ?? []).map((need) => chainTo(need) + (works.get(need) ?? none).untilEffective);
    const length = (works.get(id) ?? none).seconds + Math.max(0, ...before);
    chains.set(id, length);
    return length;
  };
  return Math.max(0, ...steps.map(({ id }) => chainTo(id)));
}

function workOfSteps(operationLog: OperationLog, stepOf: ReadonlyMap<string, string>): Map<string, Work> {
  const works = new Map<string, Work>();
  for (const { request = "", resource, verb, seconds, effectiveAfter = 0 } of operationLog) {
    const step = stepOf.get(request);
    if (step === undefined) throw new Error(`no step sent ${verb} ${resource}`);
    const before = works.get(step) ?? none;
    works.set(step, {
      seconds: before.seconds + seconds,
      // It counts from the write's beginning.
      untilEffective: Math.max(before.untilEffective, effectiveAfter - seconds),
    });
  }
  return works;
}

/** All that Azure did, in seconds: what a client takes at the least that never does two things at once. */
export function oneAfterTheOther(operationLog: OperationLog): number {
  return operationLog.reduce((sum, { seconds }) => sum + seconds, 0);
}
