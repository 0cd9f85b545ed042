/** Retries a write after another client changed the resource first. */
import { Failure } from "../errors/failure.js";
import { Recovered, Stale } from "../errors/stale.js";
import { plural } from "../text/plural.js";
import type { StepIo } from "./step.js";

/** Without a limit, two clients that keep overwriting each other would never end. */
const maxTries = 5;

/**
 * Calls `attempt` until it does not throw `Stale`; it must read again before it writes.
 * @throws ARO-OWN-005 after the last attempt.
 */
export async function retryStale<T>(title: string, io: StepIo, attempt: (tries: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries);
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (tries === maxTries) {
        throw new Failure("ARO-OWN-005", `${title}: another client changed it before each of ${plural(maxTries, "write attempt")}`, {
          cause: error,
        });
      }
      io.signal.throwIfAborted();
      io.note(error instanceof Recovered ? "recovered; reading it again" : "changed by another client; reading it again");
    }
  }
}
