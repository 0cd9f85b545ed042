/** The time of the run, as far as this folder waits. */

export interface Clock {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
