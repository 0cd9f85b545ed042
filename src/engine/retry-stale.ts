/** Retries a write or a removal that found the resource in another state than expected. */
import { Failure } from "../errors/failure.js";
import { Stale, Uncertain } from "../errors/stale.js";
import { plural } from "../text/plural.js";
import type { StepIo } from "./step.js";

/** Without a limit, two clients that keep overwriting each other would never end. A write of uncertain outcome has its limit in the retry policy. */
const maxTries = 5;

/**
 * Calls `attempt` until it does not throw `Stale`; it must read again before it writes.
 * @throws ARO-OWN-005 after the last attempt, with the message of its `Stale` as the reason.
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
        throw new Failure("ARO-OWN-005", `${title}: none of ${plural(maxTries, "attempt")} succeeded`, {
          because: error.message,
          cause: error,
        });
      }
      io.signal.throwIfAborted();
      io.note(`${error instanceof Uncertain ? "the write may have taken effect" : error.message}; reading it again`);
    }
  }
}
