/** A long-running operation of Azure that the run waits for. */
import type { ExpectedDuration } from "./expected-durations.js";

export interface Operation {
  readonly expected: ExpectedDuration;
  /** The request that starts it, once it is sent. */
  readonly write?: { readonly url: string };
}
