/** A check instance: a check applied to one subject, after the instances that it needs have passed. */
import { notCheckedFor, type Check, type Finding, type Result } from "./check.js";

export interface Ended<Value = unknown> {
  readonly result: Result;
  /** Undefined if the instances that need it are skipped. */
  readonly output: { readonly value: Value } | undefined;
}

/** An input, or the reason to skip what needs it. */
export type Input<Value> = { readonly value: Value } | Finding<never>;

/** What a check needs. `Key` is the ID of an instance, or the key of a row. */
export interface Need<Value = unknown, Key = string, Context = unknown> {
  readonly after: readonly Key[];
  /** `ended`: those instances, in their order. */
  readonly input: (ended: readonly Ended[], context: Context) => Input<Value>;
}

/** A declared check instance with its inner types hidden. `Value` is its output for the instances that need it. */
export interface CheckInstance<Value = unknown> extends Need<Value> {
  /** Unique within a run: `secret-enabled/cpo`. */
  readonly id: string;
  readonly title: string;
  readonly check: Check;
  /** What is checked: a component, a vault, a network. */
  readonly subject: string;
  /** IDs of the instances that run first. */
  readonly needs: readonly string[];
  /** Reads only. An error that it throws is translated, and fails the check. */
  readonly run: (endedOf: (id: string) => Ended) => Finding<Value> | Promise<Finding<Value>>;
}

type ValueOf<N> = N extends { readonly input: (...context: never) => Input<infer Value> } ? Value : never;
export type InputsOf<N> = { readonly [K in keyof N]: ValueOf<N[K]> };

/** Declares a check instance. The first need without an input skips it. Only this function hides the inner types. */
export function checkInstance<const N extends Readonly<Record<string, Need>>, Value>(
  check: Check,
  subject: string,
  needs: N,
  run: (inputs: InputsOf<N>) => Finding<Value> | Promise<Finding<Value>>,
): CheckInstance<Value> {
  const id = `${check.id}/${subject}`;
  return {
    id,
    title: `${check.id} of ${subject}`,
    check,
    subject,
    needs: Object.values(needs).flatMap(({ after }) => after),
    run(endedOf) {
      const inputs: Record<string, unknown> = {};
      for (const [name, need] of Object.entries<Need>(needs)) {
        const input = need.input(need.after.map(endedOf), undefined);
        if ("passed" in input) return input;
        inputs[name] = input.value;
      }
      return run(inputs as InputsOf<N>);
    },
    ...outputOf<Value, string>(id),
  };
}

/** The output of an instance or a row, or of the first of several that has one. */
export function outputOf<Value, Key>(...after: readonly Key[]): Need<Value, Key> {
  return {
    after,
    input: (ended) => (ended as readonly Ended<Value>[]).find(({ output }) => output)?.output ?? notCheckedFor(ended[0]?.result),
  };
}

/** The first output that there is. */
export function firstOf<Value, Key>(...needs: readonly Need<Value, Key>[]): Need<Value, Key> {
  return outputOf(...needs.flatMap(({ after }) => after));
}

/** Skips what needs it if one of these failed, for the same reason; not if one was skipped. */
export function unlessFailed<Key>(...needs: readonly Need<unknown, Key>[]): Need<undefined, Key> {
  return {
    after: needs.flatMap(({ after }) => after),
    input(ended) {
      const failed = ended.find(({ result }) => result.state === "failed");
      return failed === undefined ? { value: undefined } : notCheckedFor(failed.result);
    },
  };
}

/** How these ended, whether they passed or not. */
export function endingsOf<Value, Key>(...needs: readonly Need<Value, Key>[]): Need<readonly Ended<Value>[], Key> {
  return { after: needs.flatMap(({ after }) => after), input: (ended) => ({ value: ended as readonly Ended<Value>[] }) };
}
