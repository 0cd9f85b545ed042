/** The time of the run, as far as this folder needs it, and the variables with it. */

export interface Clock {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Time for what must end: calls `act` after `ms` milliseconds, unless the returned function is called first. */
export type After = (ms: number, act: () => void) => () => void;

/** Of the process: a sign-in plugin sees its variables and its time. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: { now(): Date; readonly after: After };
}
