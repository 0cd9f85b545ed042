/** Reads that the caller may have no permission for, where the result is optional. */
import { azureCodeOf } from "./azure-error.js";

/**
 * Undefined if the permission to read is missing.
 * @throws every other error
 */
export async function orRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (azureCodeOf(error) === "AuthorizationFailed") return undefined;
    throw error;
  }
}
