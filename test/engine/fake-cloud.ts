/** A fake cloud for steps: its resources have only a size, and it records every request. */
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

export interface FakeOutput {
  readonly id: string;
  readonly size: number | undefined;
}

export interface FakeStepOptions {
  readonly size?: number;
  readonly within?: string;
  readonly hasGlobalName?: true;
  /** False: the output is unknown until the resource exists. */
  readonly predictable?: boolean;
  readonly adopted?: boolean;
  readonly upserts?: boolean;
  readonly addsVersion?: boolean;
  /** Called before the response to a request. An error that it throws is the response. */
  readonly onGet?: (io: StepIo) => Promise<void> | void;
  readonly onPut?: (io: StepIo) => Promise<void> | void;
}

export interface FakeCloud {
  readonly resources: Map<string, FakeResource>;
  /** `GET vnet`, `PUT vnet`, in order. */
  readonly requests: string[];
  readonly fakeStep: <const N extends Needs>(
    id: string,
    needs: N,
    options?: FakeStepOptions & { within?: keyof N & string },
  ) => Step<FakeOutput>;
}

/** A write takes `putMs`, a read takes no time. A write fails with `Stale` if the resource has changed since it was read. */
export function fakeCloud(time: SimulatedTime, putMs = 10): FakeCloud {
  const resources = new Map<string, FakeResource>();
  const requests: string[] = [];
  return {
    resources,
    requests,
    fakeStep(
      id,
      needs,
      { size = 1, within, predictable = true, adopted = false, upserts = false, addsVersion = false, hasGlobalName, onGet, onPut } = {},
    ) {
      return defineStep({
        id,
        title: `the ${id}`,
        resourceId: `/resources/${id}`,
        needs,
        upserts,
        addsVersion,
        ...(within === undefined ? {} : { within }),
        ...(hasGlobalName === undefined ? {} : { hasGlobalName }),
        async read(): Promise<FakeResource | undefined> {
          requests.push(`GET ${id}`);
          const io = currentStep();
          if (io !== undefined) await onGet?.(io);
          return resources.get(id);
        },
        busy: ({ state }) => state,
        decide(live) {
          if (live === undefined) return { act: "create", why: `${id} does not exist` };
          if (live.foreign === true) return { act: "refuse", failure: new Failure("ARO-OWN-001", `${id} is not ours`) };
          if (adopted) return { act: "use" };
          if (live.size === size) return { act: "keep" };
          return { act: "update", why: "it has a different size", changes: [{ path: "size", from: live.size, to: size }] };
        },
        async apply(live, _outputs, io) {
          requests.push(`PUT ${id}`);
          await onPut?.(io);
          await time.sleep(putMs);
          if (resources.get(id) !== live) throw new Stale(`${id} was changed`);
          const made = { size };
          resources.set(id, made);
          return made;
        },
        ...(predictable ? { predict: () => ({ id, size: undefined }) } : {}),
        output: (live): FakeOutput => ({ id, size: live.size }),
      });
    },
  };
}

export const writesIn = (requests: readonly string[]): string[] => requests.filter((request) => request.startsWith("PUT"));
