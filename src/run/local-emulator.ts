/** The emulator's state directory, and its errors as failures. */
import { join } from "node:path";
import { advise, aroHcp, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import type { ProcessPort } from "./process-port.js";

export function localDirectory({ environment, homeDirectory }: ProcessPort): string {
  return environment["ARO_HCP_LOCAL_DIR"] || join(homeDirectory, ".aro-hcp", "local");
}

/** @throws ARO-LOCAL-001 or 002 for the emulator's own errors */
export async function orLocalFailure<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { EmulatorError, EmulatorInputError, EmulatorServedError, EmulatorStateError } = await import("../emulator/client.js");
    if (!(error instanceof EmulatorError)) throw error;
    throw new Failure(error instanceof EmulatorInputError ? "ARO-LOCAL-002" : "ARO-LOCAL-001", error.message, {
      cause: error,
      ...(error instanceof EmulatorServedError && {
        next: [
          advise`use it: commands on the emulator find it, and ${aroHcp("local env")} prints the variables for other programs`,
          advise`or stop it: ${shell`kill ${error.pid}`}`,
          "or set ARO_HCP_LOCAL_DIR to another directory",
        ],
      }),
      ...(error instanceof EmulatorStateError && {
        next: [
          advise`delete this state and start with a fresh one: ${aroHcp("local reset")}`,
          "or keep it and set ARO_HCP_LOCAL_DIR to another directory",
        ],
      }),
    });
  }
}
