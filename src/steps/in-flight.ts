/** What the kinds of Azure Network share: the state they report while a write is in flight, and writes that must not overwrite another's. */
import type { BeginOptions } from "../azure/long-running.js";

/** `provisioningState` while an operation runs. "Failed" is no such state: nobody is at work on a failed resource, so there is nothing to wait for. */
export function busyState(live: { readonly provisioningState?: string }): string | undefined {
  const state = live.provisioningState;
  return state === undefined || ["Succeeded", "Failed", "Canceled"].includes(state) ? undefined : state;
}

/** The options of a write that Azure refuses with 412 if the resource is no longer as it was read. */
export function ifUnchanged(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, requestOptions: { customHeaders: { "If-Match": etag } } };
}
