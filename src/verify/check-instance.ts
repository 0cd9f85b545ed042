/** An inspection: a check held against one subject, once what it needs holds. */
import type { Check, Finding, Result } from "./check.js";

declare const valueType: unique symbol;

/** A declared inspection, its inner types hidden: `Value` is what it hands on to those that need it. */
export interface CheckInstance<Value = unknown> {
  /** Unique among those that are run together: `secret-enabled/cpo`. */
  readonly id: string;
  readonly title: string;
  readonly check: Check;
  /** What it is about: a component, a vault, a network. */
  readonly subject: string;
  /** Ids of the inspections that are looked at before. */
  readonly needs: readonly string[];
  readonly declared: Declared<Needs, unknown>;
  readonly [valueType]?: Value;
}

type Needs = Readonly<Record<string, CheckInstance>>;
type ValueOf<I> = I extends CheckInstance<infer Value> ? Value : never;

interface Declared<N extends Needs, Value, After extends Needs = Needs> {
  /** Those that must hand something on: what breaks for their reason says nothing of its own. */
  readonly needs: N;
  /** Those that are heard, whether they hold or not. */
  readonly after: After;
  /** Reads only. What it throws is translated, and counts as broken. */
  look(up: { readonly [K in keyof N]: ValueOf<N[K]> }, results: Results<After>): Finding<Value> | Promise<Finding<Value>>;
}

/** How those before ended, and what they handed on. */
type Results<After extends Needs> = { readonly [K in keyof After]: ResultsOf<ValueOf<After[K]>> };

export interface ResultsOf<Value> {
  readonly result: Result;
  /** Undefined where it handed nothing on. */
  readonly handedOn: { readonly value: Value } | undefined;
}

type Nothing = Readonly<Record<never, CheckInstance>>;

/** Declares an inspection. The one place where the inner types are hidden. */
export function checkInstance<const N extends Needs, Value, const After extends Needs = Nothing>(
  check: Check,
  subject: string,
  needs: N,
  look: Declared<N, Value, After>["look"],
  after?: After,
): CheckInstance<Value> {
  return {
    id: `${check.id}/${subject}`,
    title: `${check.id} of ${subject}`,
    check,
    subject,
    needs: [...Object.values(needs), ...Object.values(after ?? {})].map(({ id }) => id),
    declared: { needs, after: after ?? {}, look },
  };
}
