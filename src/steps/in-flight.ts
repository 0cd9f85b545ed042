/** What the types of Microsoft.Network share: the provisioning states during and after a write, and conditional writes. */
import type { BeginOptions } from "../azure/long-running.js";

/** `provisioningState` while an operation runs. `Failed` is not one of them: no operation is in flight on a failed resource. */
export function busyState(live: { readonly provisioningState?: string }): string | undefined {
  const state = live.provisioningState;
  return state === "Succeeded" || failedState(live) !== undefined ? undefined : state;
}

/** The state after a failed operation. Azure's documentation says to repeat the PUT. */
export function failedState({ provisioningState }: { readonly provisioningState?: string }): "Failed" | "Canceled" | undefined {
  return provisioningState === "Failed" || provisioningState === "Canceled" ? provisioningState : undefined;
}

/** The options of a write that Azure refuses with 412 if the resource has changed since it was read. */
export function ifUnchanged(etag: string | undefined, options: BeginOptions) {
  return etag === undefined ? options : { ...options, requestOptions: { customHeaders: { "If-Match": etag } } };
}
