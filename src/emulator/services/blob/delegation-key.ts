/** The user delegation key: signs for a principal what the principal's own rights allow. */
import { createHmac } from "node:crypto";
import type { AzureState } from "../../state/state.js";

export interface DelegationKey {
  readonly oid: string;
  readonly tid: string;
  readonly start: string;
  readonly expiry: string;
  readonly version: string;
}

/** The key's value, in base64. It follows from what it is for, and is stored nowhere. */
export function delegationKey({ tokenKey }: AzureState, { oid, tid, start, expiry, version }: DelegationKey): string {
  return createHmac("sha256", tokenKey).update(`delegation ${oid} ${tid} ${start} ${expiry} ${version}`).digest("base64");
}
