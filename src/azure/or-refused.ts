/** Reads that the caller may have no permission for, where the result is optional. */
import { azureCodeOf } from "./azure-error.js";

/** The codes of Resource Manager and of Microsoft Graph. */
const refusals: readonly string[] = ["AuthorizationFailed", "Authorization_RequestDenied"];

/**
 * Undefined if the permission to read is missing.
 * @throws every other error
 */
export async function orRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (refusals.includes(azureCodeOf(error) ?? "")) return undefined;
    throw error;
  }
}
