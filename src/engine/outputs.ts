/** The outputs that steps pass to each other, after `defineStep` has hidden their types. */
import { Failure } from "../errors/failure.js";
import type { Act, Needs, OutputsOf, Step } from "./step.js";

/** The outputs of the needed steps, under the names the step uses them by. */
export function outputsOf(needs: Needs, outputOf: (id: string) => unknown): OutputsOf<Needs> {
  return Object.fromEntries(Object.entries(needs).map(([name, { id }]) => [name, outputOf(id)]));
}

/**
 * The output of a step whose resource exists.
 * @throws ARO-BUG-001 if it does not exist although the decision requires it.
 */
export function liveOutput({ title, declared }: Step<unknown>, act: Act | "wait", live: unknown, outputs: OutputsOf<Needs>): unknown {
  if (live === undefined) throw new Failure("ARO-BUG-001", `${title}: decided "${act}" for a resource that does not exist`);
  return declared.output(live, outputs);
}
