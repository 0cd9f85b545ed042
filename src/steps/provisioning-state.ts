/** The provisioning states of Microsoft.Network during and after a write. */

/** `provisioningState` while an operation runs. `Failed` is not one of them: no operation is in flight on a failed resource. */
export function busyState(live: { readonly provisioningState?: string }): string | undefined {
  const state = live.provisioningState;
  return state === "Succeeded" || failedState(live) !== undefined ? undefined : state;
}

/** The state after a failed operation. Azure's documentation says to repeat the PUT. */
export function failedState({ provisioningState }: { readonly provisioningState?: string }): "Failed" | "Canceled" | undefined {
  return provisioningState === "Failed" || provisioningState === "Canceled" ? provisioningState : undefined;
}
