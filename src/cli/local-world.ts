/** Where the embedded Azure keeps its world, and its failures in our words. */
import { homedir } from "node:os";
import { join } from "node:path";
import { Failure } from "../errors/failure.js";

export function localDirectory(environment: NodeJS.ProcessEnv): string {
  return environment["ARO_HCP_LOCAL_DIR"] || join(homedir(), ".aro-hcp", "local");
}

/** Throws ARO-LOCAL-001 for what the embedded Azure itself throws. */
export async function orLocalFailure<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { EmbeddedAzureError } = await import("../embedded-azure/index.js");
    if (error instanceof EmbeddedAzureError) throw new Failure("ARO-LOCAL-001", error.message, { cause: error });
    throw error;
  }
}
