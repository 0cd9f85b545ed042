/** Retries a write after another client changed the resource first. */
import { Failure } from "../errors/failure.js";
import { Recovered, Stale, Uncertain } from "../errors/stale.js";
import { plural } from "../text/plural.js";
import type { StepIo } from "./step.js";

/** Without a limit, two clients that keep overwriting each other would never end. A write of uncertain outcome has its limit in the retry policy. */
const maxTries = 5;

/**
 * Calls `attempt` until it does not throw `Stale`; it must read again before it writes.
 * @throws ARO-OWN-005 after the last attempt.
 */
export async function retryStale<T>(title: string, io: StepIo, attempt: (tries: number) => Promise<T>): Promise<T> {
  let overtaken = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries);
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (!(error instanceof Uncertain)) overtaken += 1;
      if (overtaken === maxTries) {
        throw new Failure("ARO-OWN-005", `${title}: another client changed it before each of ${plural(maxTries, "write attempt")}`, {
          cause: error,
        });
      }
      io.signal.throwIfAborted();
      io.note(`${reasonOf(error)}; reading it again`);
    }
  }
}

function reasonOf(error: Stale): string {
  if (error instanceof Recovered) return "recovered";
  return error instanceof Uncertain ? "the write may have taken effect" : "changed by another client";
}
