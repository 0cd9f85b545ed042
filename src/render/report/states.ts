/** The marks and names of a check's states. */
import { worstFirst, type ShownState } from "../verification-text.js";

/** The result of a command in one sentence. */
export interface Verdict {
  readonly state: ShownState;
  readonly sentence: string;
  readonly detail: string;
}

export const stateWords = {
  failed: { mark: "FAIL", name: "failed" },
  warning: { mark: "warn", name: "warning" },
  skipped: { mark: "skip", name: "skipped" },
  passed: { mark: "ok", name: "passed" },
} as const satisfies Record<ShownState, { readonly mark: string; readonly name: string }>;

/** Undefined without results. */
export function worstOf(results: readonly { readonly state: ShownState }[]): ShownState | undefined {
  return worstFirst.find((state) => results.some((result) => result.state === state));
}
