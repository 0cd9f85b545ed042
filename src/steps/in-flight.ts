/** What the kinds of Azure Network share: the states they report during and after a write, and writes that must not overwrite another's. */
import type { BeginOptions } from "../azure/long-running.js";

/** `provisioningState` while an operation runs. "Failed" is no such state: nobody is at work on a failed resource, so there is nothing to wait for. */
export function busyState(live: { readonly provisioningState?: string }): string | undefined {
  const state = live.provisioningState;
  return state === "Succeeded" || failedState(live) !== undefined ? undefined : state;
}

/** The state of what its last operation left unfinished: Azure's rule for it is to repeat the PUT. */
export function failedState({ provisioningState }: { readonly provisioningState?: string }): "Failed" | "Canceled" | undefined {
  return provisioningState === "Failed" || provisioningState === "Canceled" ? provisioningState : undefined;
}

/** The options of a write that Azure refuses with 412 if the resource is no longer as it was read. */
export function ifUnchanged(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, requestOptions: { customHeaders: { "If-Match": etag } } };
}
