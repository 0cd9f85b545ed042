/** Writes that Azure refuses with 412 if the resource has changed since it was read. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { BeginOptions } from "../azure/long-running.js";
import { Stale } from "../errors/stale.js";

/** The condition for the clients of Microsoft.Network. */
export function ifUnchanged(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, requestOptions: { customHeaders: { "If-Match": etag } } };
}

/** The condition for the clients of private DNS, which have a separate option. */
export function ifMatching(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, ifMatch: etag };
}

/** The condition for the clients of public DNS: the record is unchanged, or still missing. */
export function ifStillThere(etag: string | undefined) {
  return etag === undefined ? { ifNoneMatch: "*" } : { ifMatch: etag };
}

/**
 * A conditional write without an operation.
 * @throws Stale if the condition is not met
 */
export async function unlessChanged<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isRestError(error) && error.statusCode === 412) throw new Stale("it was changed in the meantime", { cause: error });
    throw error;
  }
}
