/** The api-versions of clients that were answered in the shape of another one, in the state. */
import type { AzureState } from "./state.js";

/** An api-version that the emulator does not know, and the known one whose shape answers it. */
export interface AnsweredVersion {
  /** "Microsoft.Network/virtualNetworks"; "vault.azure.net" for what is no resource type. */
  readonly type: string;
  readonly version: string;
  readonly answeredAs: string;
}

export function countVersion(state: AzureState, { type, version, answeredAs }: AnsweredVersion): void {
  const counted = (state.answeredVersions ??= {});
  const key = `${type} ${version}`;
  counted[key] = { type, version, answeredAs, requests: (counted[key]?.requests ?? 0) + 1 };
}
