/** What a create wrote or kept, and another command has deleted by the end of the run. */
import { outputsOf } from "../engine/outputs.js";
import { resourceOf, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import type { HasClock } from "./engine-options.js";

const reads = 3;
const pauseMs = 5000;

/** `outputs` are those of the finished steps, by ID. A new resource may not be in every region yet, so a missing one is read again. */
export async function deletedMeanwhile(
  { connection: { clock } }: HasClock,
  steps: readonly Step<unknown>[],
  outputs: ReadonlyMap<string, unknown>,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  let missing = steps.filter((step) => outputs.has(step.id) && resourceOf(step) !== undefined && resourceOf(step)?.existing !== true);
  for (let tries = 1; ; tries += 1) {
    const gone = await Promise.all(missing.map(async (step) => ((await isGone(step, outputs)) ? [step] : [])));
    missing = gone.flat();
    if (missing.length === 0 || signal.aborted) return undefined;
    if (tries === reads) break;
    await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
  return new Failure("ARO-OWN-005", "another client deleted resources during the create", {
    because: missing.map(({ title, resourceId = title }) => resourceId).join(", "),
    next: ["check that no destroy is running at the same time, then rerun the command"],
  });
}

/** A failed read proves nothing: the write itself was confirmed. */
async function isGone({ declared }: Step<unknown>, outputs: ReadonlyMap<string, unknown>): Promise<boolean> {
  try {
    const live = await declared.read(outputsOf(declared.needs, (id) => outputs.get(id)));
    return live === undefined || declared.busy?.(live) === "Deleting";
  } catch {
    return false;
  }
}
