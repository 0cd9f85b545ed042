/** The smallest cloud a step can be declared against: things with a size, every request on record. */
import { Failure } from "../../src/errors/failure.js";
import { Stale } from "../../src/errors/stale.js";
import { currentStep } from "../../src/engine/current-step.js";
import { defineStep, type Needs, type Step, type StepIo } from "../../src/engine/step.js";
import type { SimulatedTime } from "./simulated-time.js";

export interface FakeResource {
  readonly size: number;
  readonly state?: string;
  readonly foreign?: boolean;
}

export interface ThingOutput {
  readonly id: string;
  readonly size: number | undefined;
}

export interface ThingOptions {
  readonly size?: number;
  readonly within?: string;
  /** False: what it hands on is known only once it is there. */
  readonly predictable?: boolean;
  readonly adopted?: boolean;
  readonly upserts?: boolean;
  /** Called before a request is answered; what it throws is the answer. */
  readonly onGet?: (io: StepIo) => Promise<void> | void;
  readonly onPut?: (io: StepIo) => Promise<void> | void;
}

export interface SmallCloud {
  readonly things: Map<string, FakeResource>;
  /** `GET vnet`, `PUT vnet`, in the order they were sent. */
  readonly requests: string[];
  readonly thing: <const N extends Needs>(
    id: string,
    needs: N,
    options?: ThingOptions & { within?: keyof N & string },
  ) => Step<ThingOutput>;
}

/** A write takes `putMs`, a read none. A thing that changed after it was read cannot be written (`Stale`). */
export function smallCloud(time: SimulatedTime, putMs = 10): SmallCloud {
  const things = new Map<string, FakeResource>();
  const requests: string[] = [];
  return {
    things,
    requests,
    thing(id, needs, { size = 1, within, predictable = true, adopted = false, upserts = false, onGet, onPut } = {}) {
      return defineStep({
        id,
        title: `the ${id}`,
        resourceId: `/things/${id}`,
        needs,
        upserts,
        ...(within === undefined ? {} : { within }),
        async read(): Promise<FakeResource | undefined> {
          requests.push(`GET ${id}`);
          const io = currentStep();
          if (io !== undefined) await onGet?.(io);
          return things.get(id);
        },
        busy: ({ state }) => state,
        decide(live) {
          if (live === undefined) return { act: "create", why: `${id} is not there` };
          if (live.foreign === true) return { act: "refuse", failure: new Failure("ARO-OWN-001", `${id} is not ours`) };
          if (adopted) return { act: "adopt" };
          if (live.size === size) return { act: "keep" };
          return { act: "update", why: "of another size", changes: [{ path: "size", from: live.size, to: size }] };
        },
        async apply(live, _up, io) {
          requests.push(`PUT ${id}`);
          await onPut?.(io);
          await time.sleep(putMs);
          if (things.get(id) !== live) throw new Stale(`${id} was changed`);
          const made = { size };
          things.set(id, made);
          return made;
        },
        ...(predictable ? { predict: () => ({ id, size: undefined }) } : {}),
        output: (live): ThingOutput => ({ id, size: live.size }),
      });
    },
  };
}

export const writesIn = (requests: readonly string[]): string[] => requests.filter((request) => request.startsWith("PUT"));
