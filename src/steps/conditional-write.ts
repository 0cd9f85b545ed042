/** Writes that Azure refuses with 412 if the resource has changed since it was read. */
import type { BeginOptions } from "../azure/long-running.js";

/** For the clients of Microsoft.Network. */
export function ifUnchanged(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, requestOptions: { customHeaders: { "If-Match": etag } } };
}

/** For the clients of private DNS, which have a separate option. */
export function ifMatching(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, ifMatch: etag };
}
