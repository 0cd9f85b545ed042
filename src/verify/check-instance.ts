/** A check instance: a check applied to one subject, after the instances that it needs have passed. */
import type { Check, Finding, Result } from "./check.js";

declare const valueType: unique symbol;

/** A declared check instance with its inner types hidden. `Value` is its output for the instances that need it. */
export interface CheckInstance<Value = unknown> {
  /** Unique within a run: `secret-enabled/cpo`. */
  readonly id: string;
  readonly title: string;
  readonly check: Check;
  /** What is checked: a component, a vault, a network. */
  readonly subject: string;
  /** IDs of the instances that run first. */
  readonly needs: readonly string[];
  readonly declared: Declared<Needs, unknown>;
  readonly [valueType]?: Value;
}

type Needs = Readonly<Record<string, CheckInstance>>;
type ValueOf<I> = I extends CheckInstance<infer Value> ? Value : never;

interface Declared<N extends Needs, Value, After extends Needs = Needs> {
  /** Instances that must have an output; otherwise this one is skipped for the same reason. */
  readonly needs: N;
  /** Instances whose results are used, whether they pass or fail. */
  readonly after: After;
  /** Reads only. An error that it throws is translated, and fails the check. */
  run(inputs: { readonly [K in keyof N]: ValueOf<N[K]> }, results: Results<After>): Finding<Value> | Promise<Finding<Value>>;
}

/** Results and outputs of earlier instances. */
type Results<After extends Needs> = { readonly [K in keyof After]: ResultsOf<ValueOf<After[K]>> };

export interface ResultsOf<Value> {
  readonly result: Result;
  /** Undefined if it has no output. */
  readonly output: { readonly value: Value } | undefined;
}

type Nothing = Readonly<Record<never, CheckInstance>>;

/** Declares a check instance. Only this function hides the inner types. */
export function checkInstance<const N extends Needs, Value, const After extends Needs = Nothing>(
  check: Check,
  subject: string,
  needs: N,
  run: Declared<N, Value, After>["run"],
  after?: After,
): CheckInstance<Value> {
  return {
    id: `${check.id}/${subject}`,
    title: `${check.id} of ${subject}`,
    check,
    subject,
    needs: [...Object.values(needs), ...Object.values(after ?? {})].map(({ id }) => id),
    declared: { needs, after: after ?? {}, run },
  };
}
