/** Starts requests before their results are needed. */
import { setMaxListeners } from "node:events";

export interface EarlyRequests {
  /** Sends at once. Nobody has to await the result: a failure is that of the caller that needs it. */
  start<T>(send: () => Promise<T>): Promise<T>;
  /** Aborts when the command ends: a request in flight then completes, but is not retried. */
  readonly ending: AbortSignal;
  /** Resolves when all have ended. Call it once, when the command needs none of them any more. */
  end(): Promise<void>;
}

/** All of them end before the command does, so that it sends the same requests in every run. */
export function earlyRequests(): EarlyRequests {
  const inFlight = new Set<Promise<unknown>>();
  const controller = new AbortController();
  // Every retry listens to it.
  setMaxListeners(0, controller.signal);
  return {
    start(send) {
      // Async because it may throw before it returns a promise.
      const sent = (async () => send())();
      inFlight.add(sent);
      const remove = () => void inFlight.delete(sent);
      sent.then(remove, remove);
      return sent;
    },
    ending: controller.signal,
    async end() {
      controller.abort();
      // One may start others.
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
}
