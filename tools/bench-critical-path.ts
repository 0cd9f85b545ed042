/** The shortest possible time of a run: Azure's own times for each step, along the graph of steps. It includes no time of the client. */
import type { StateSnapshot } from "../src/emulator/index.js";

export type OperationLog = NonNullable<StateSnapshot["operationLog"]>;

/** A step of a run, or a removal. */
export interface GraphStep {
  readonly id: string;
  readonly needs: readonly string[];
}

/** The steps that end when Azure has accepted their operation, with the steps that wait for its end. */
const awaitedBy: Readonly<Record<string, readonly string[]>> = { "key-vault": ["vault-access", "etcd-key"] };

/** What Azure did for one step, in seconds. */
interface Work {
  /** Sum of its writes. */
  readonly seconds: number;
  /** Further seconds until a role that it assigned is effective for data. Only the steps that need this step wait for them. */
  readonly untilEffective: number;
}

const none: Work = { seconds: 0, untilEffective: 0 };

/**
 * Returns seconds. `stepOf` is the step that sent a request, by request ID.
 * @throws Error if no step sent a request of the operation log.
 */
export function criticalPath(steps: readonly GraphStep[], operationLog: OperationLog, stepOf: ReadonlyMap<string, string>): number {
  const works = workOfSteps(operationLog, stepOf);
  const byId = new Map(steps.map((step) => [step.id, step]));
  const chains = new Map<string, number>();
  const chainTo = (id: string): number => {
    const known = chains.get(id);
    if (known !== undefined) return known;
    const before = (byId.get(id)?.needs ?? []).map((need) => chainTo(need) + (works.get(need) ?? none).untilEffective);
    const started = Object.keys(awaitedBy).filter((step) => awaitedBy[step]?.includes(id) && byId.has(step));
    const ends = started.map((step) => chainTo(step) + (works.get(step) ?? none).seconds);
    const own = id in awaitedBy ? 0 : (works.get(id) ?? none).seconds;
    const length = own + Math.max(0, ...before, ...ends);
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
      // `effectiveAfter` counts from the start of the write.
      untilEffective: Math.max(before.untilEffective, effectiveAfter - seconds),
    });
  }
  return works;
}

/** The sum of Azure's times, in seconds: the shortest possible time of a client without concurrency. */
export function serialTime(operationLog: OperationLog): number {
  return operationLog.reduce((sum, { seconds }) => sum + seconds, 0);
}
