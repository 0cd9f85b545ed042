/** An inspection: a check held against one subject, once what it needs holds. */
import type { Check, Finding } from "./check.js";

declare const valueType: unique symbol;

/** A declared inspection, its inner types hidden: `Value` is what it hands on to those that need it. */
export interface Inspection<Value = unknown> {
  /** Unique among those that are run together: `secret-enabled/cpo`. */
  readonly id: string;
  readonly title: string;
  readonly check: Check;
  /** What it is about: a component, a vault, a network. */
  readonly subject: string;
  /** Ids of the inspections that must hold before: what breaks for their reason says nothing of its own. */
  readonly needs: readonly string[];
  readonly declared: Declared<Needs, unknown>;
  readonly [valueType]?: Value;
}

type Needs = Readonly<Record<string, Inspection>>;
type ValueOf<I> = I extends Inspection<infer Value> ? Value : never;

interface Declared<N extends Needs, Value> {
  readonly needs: N;
  /** Reads only. What it throws is translated, and counts as broken. */
  look(up: { readonly [K in keyof N]: ValueOf<N[K]> }): Finding<Value> | Promise<Finding<Value>>;
}

/** Declares an inspection. The one place where the inner types are hidden. */
export function inspect<const N extends Needs, Value>(
  check: Check,
  subject: string,
  needs: N,
  look: Declared<N, Value>["look"],
): Inspection<Value> {
  return {
    id: `${check.id}/${subject}`,
    title: `${check.id} of ${subject}`,
    check,
    subject,
    needs: Object.values(needs).map(({ id }) => id),
    declared: { needs, look },
  };
}
