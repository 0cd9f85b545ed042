/** The states of a check in words. */
import { worstFirst, type ShownState } from "../verification-text.js";

export const stateWords = {
  failed: { mark: "FAIL", name: "failed" },
  warning: { mark: "warn", name: "warned of" },
  skipped: { mark: "skip", name: "skipped" },
  passed: { mark: "ok", name: "passed" },
} as const satisfies Record<ShownState, { readonly mark: string; readonly name: string }>;

/** Undefined where nothing was looked at. */
export function worstOf(results: readonly { readonly state: ShownState }[]): ShownState | undefined {
  return worstFirst.find((state) => results.some((result) => result.state === state));
}
