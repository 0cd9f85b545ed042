/** Reads that may be refused: for who can do without them. */
import { azureCodeOf } from "./azure-error.js";

/** Undefined where the right to read is missing; throws all else. */
export async function orRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (azureCodeOf(error) === "AuthorizationFailed") return undefined;
    throw error;
  }
}
