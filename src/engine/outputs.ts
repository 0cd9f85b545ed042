/** What steps hand on to each other, once the types that `defineStep` joined are hidden. */
import { Failure } from "../errors/failure.js";
import type { Act, Needs, OutputsOf, Step } from "./step.js";

/** The outputs of the needed steps, under the names the step uses them by. */
export function outputsOf(needs: Needs, outputOf: (id: string) => unknown): OutputsOf<Needs> {
  return Object.fromEntries(Object.entries(needs).map(([name, { id }]) => [name, outputOf(id)]));
}

/**
 * What a step hands on that is there.
 * @throws ARO-BUG-001 for a decision that can only be about something where nothing is.
 */
export function liveOutput({ title, declared }: Step<unknown>, act: Act | "wait", live: unknown, up: OutputsOf<Needs>): unknown {
  if (live === undefined) throw new Failure("ARO-BUG-001", `${title}: decided "${act}" where nothing is there`);
  return declared.output(live, up);
}
