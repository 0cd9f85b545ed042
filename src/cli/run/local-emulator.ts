/** Where the emulator keeps its world, and its failures in our words. */
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../errors/failure.js";

export function localDirectory(environment: NodeJS.ProcessEnv): string {
  return environment["ARO_HCP_LOCAL_DIR"] || join(homedir(), ".aro-hcp", "local");
}

/** Throws ARO-LOCAL-001 or 002 for what the emulator itself throws. */
export async function orLocalFailure<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { EmulatorError, EmulatorInputError } = await import("../../emulator/index.js");
    if (!(error instanceof EmulatorError)) throw error;
    throw new Failure(error instanceof EmulatorInputError ? "ARO-LOCAL-002" : "ARO-LOCAL-001", error.message, { cause: error });
  }
}
