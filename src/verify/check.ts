/** A check and its findings, independent of Azure. */

import type { Advice } from "../errors/advice.js";

/** A check, without the subject that it applies to. */
export interface Check {
  /** Stable, because scripts use it. Lower case with hyphens. */
  readonly id: string;
  /** The condition, without a period: "the secret is enabled and within its dates". */
  readonly sentence: string;
  readonly severity: "error" | "warning";
}

/** `evidence` is what was found, never a secret; `value` is passed to the check instances that need this one. */
export type Finding<Value> =
  | { readonly passed: true; readonly evidence: string; readonly value: Value }
  /** `next` is the advice. With an output, the instances that need this one run nevertheless. */
  | { readonly passed: false; readonly evidence: string; readonly next: Advice; readonly output?: { readonly value: Value } }
  /** The check could not run; `reason` names the missing input. */
  | { readonly passed: undefined; readonly reason: Advice };

export function passed(evidence: string): Finding<undefined>;
export function passed<Value>(evidence: string, value: Value): Finding<Value>;
export function passed(evidence: string, value?: unknown): Finding<unknown> {
  return { passed: true, evidence, value };
}

/** With `output`, the instances that need this one run nevertheless. */
export function failed<Value = never>(evidence: string, next: Advice, output?: { readonly value: Value }): Finding<Value> {
  return { passed: false, evidence, next, ...(output && { output }) };
}

export function notChecked(reason: Advice): Finding<never> {
  return { passed: undefined, reason };
}

export type State = "passed" | "warning" | "failed" | "skipped";

/** One row of a verification: a check, its subject and its state. */
export interface Result {
  readonly check: string;
  readonly subject: string;
  readonly state: State;
  readonly sentence: string;
  readonly severity: Check["severity"];
  /** What was found, or why the check was skipped. */
  readonly evidence: Advice;
  readonly next: Advice | undefined;
}

/** Skips a check because an earlier one did not pass; the first failure is the reason for all that follow. */
export function notCheckedFor(blocked: Result | undefined): Finding<never> {
  if (blocked?.state === "skipped") return { passed: undefined, reason: blocked.evidence };
  return {
    passed: undefined,
    reason: `depends on ${blocked?.check ?? "an earlier check"} of ${blocked?.subject ?? "another subject"}, which failed`,
  };
}

type Words = Omit<Check, "id">;

/** A catalogue of checks, from their sentences by ID. */
export function checkCatalogue<Id extends string>(words: Readonly<Record<Id, Words>>): Readonly<Record<Id, Check>> {
  const checks: Partial<Record<Id, Check>> = {};
  // Object.keys returns string[], although the keys of this record are its IDs.
  for (const id of Object.keys(words) as Id[]) checks[id] = { id, ...words[id] };
  return checks as Record<Id, Check>;
}

export function error(sentence: string): Words {
  return { sentence, severity: "error" };
}

export function warning(sentence: string): Words {
  return { sentence, severity: "warning" };
}
