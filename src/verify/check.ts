/** A check, and what it finds where it is held against something. This file knows no Azure. */

import type { Advice } from "../errors/advice.js";

/** What is checked, whatever it is held against. */
export interface Check {
  /** Stable: scripts name it. Lower case with dashes. */
  readonly id: string;
  /** What holds where it passes, without a full stop: "the secret is enabled and within its dates". */
  readonly sentence: string;
  /** What it counts as where it does not hold. */
  readonly severity: "error" | "warning";
}

/** `evidence` is what was seen, never a secret; `value` is handed on to the inspections that need this one. */
export type Finding<Value> =
  | { readonly holds: true; readonly evidence: string; readonly value: Value }
  /** `next` is what to do about it. What needs this one is looked at all the same where there is a value. */
  | { readonly holds: false; readonly evidence: string; readonly next: Advice; readonly handedOn?: { readonly value: Value } }
  /** It could not be asked, and that says nothing about it: what would have to be given for it. */
  | { readonly holds: undefined; readonly reason: Advice };

export function holds(evidence: string): Finding<undefined>;
export function holds<Value>(evidence: string, value: Value): Finding<Value>;
export function holds(evidence: string, value?: unknown): Finding<unknown> {
  return { holds: true, evidence, value };
}

/** `handedOn` is for those that are looked at all the same. */
export function broken<Value = never>(evidence: string, next: Advice, handedOn?: { readonly value: Value }): Finding<Value> {
  return { holds: false, evidence, next, ...(handedOn && { handedOn }) };
}

export function notChecked(reason: Advice): Finding<never> {
  return { holds: undefined, reason };
}

export type State = "passed" | "warning" | "failed" | "skipped";

/** One row: a check, what it was held against, and how that ended. */
export interface Result {
  readonly check: string;
  readonly subject: string;
  readonly state: State;
  readonly sentence: string;
  readonly severity: Check["severity"];
  /** What was seen; why it was not looked at, where it was skipped. */
  readonly evidence: Advice;
  /** What to do, where it does not hold. */
  readonly next: Advice | undefined;
}

/** The first link that broke is the reason for all behind it. */
export function notCheckedFor(blocked: Result | undefined): Finding<never> {
  if (blocked?.state === "skipped") return { holds: undefined, reason: blocked.evidence };
  return { holds: undefined, reason: `${blocked?.check ?? "what comes first"} of ${blocked?.subject ?? "another"} does not hold` };
}
