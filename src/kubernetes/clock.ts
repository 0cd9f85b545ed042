/** The time of the run, as far as this folder needs it, and the variables with it. */

export interface Clock {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Of the process: a sign-in plugin sees its variables and its time. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: { now(): Date };
}
