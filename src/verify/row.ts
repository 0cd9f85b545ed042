/** A row of a verification: a check of each subject of a group, with what it needs from earlier rows. */
import type { Advice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { notChecked, type Check, type Finding } from "./check.js";
import { checkInstance, endingsOf, outputOf, type CheckInstance, type Ended, type InputsOf, type Need } from "./check-instance.js";

export interface Subject {
  readonly key: string;
}

/** The key of a row, for what needs it. */
export interface RowKey {
  readonly check: string;
}

/** What a row needs: for its own subject, or for the only one that the other row has. `every`: for all of them. */
export interface RowNeed<Value = unknown, Context = never> extends Need<Value, RowKey, Context> {
  readonly every?: true;
}

/** A declared row. `Value` is its output for the rows that need it. */
export interface Row<Value = unknown, Of extends Subject = never, Context = never> extends Need<Value, RowKey> {
  /** `idsOf`: the earlier instances that a need is about. */
  readonly instance: (subject: Of, context: Context, idsOf: (need: RowNeed) => readonly string[]) => CheckInstance<Value>;
}

/** Declares rows with these checks, for subjects of a kind. The first need without an input skips the row. */
export function rowsOf<Context, Of extends Subject, Id extends string>(checks: Readonly<Record<Id, Check>>) {
  return <const N extends Readonly<Record<string, RowNeed<unknown, Context>>>, Value>(
    id: Id,
    needs: N,
    run: (inputs: InputsOf<N>, context: Context, subject: Of) => Finding<Value> | Promise<Finding<Value>>,
  ): Row<Value, Of, Context> => ({
    ...outputOf<Value, RowKey>({ check: id }),
    instance(subject, context, idsOf) {
      const bound = Object.entries<RowNeed<unknown, Context>>(needs).map(([name, need]): [string, Need] => [
        name,
        { after: idsOf(need), input: (ended) => need.input(ended, context) },
      ]);
      return checkInstance(checks[id], subject.key, Object.fromEntries(bound), (inputs) => run(inputs as InputsOf<N>, context, subject));
    },
  });
}

/** An input of the whole verification; `otherwise`: why the row is skipped without it. */
export function given<Value, Context>(get: (context: Context) => Value | undefined, otherwise: Advice): RowNeed<Value, Context> {
  return {
    after: [],
    input(_ended, context) {
      const value = get(context);
      return value === undefined ? notChecked(otherwise) : { value };
    },
  };
}

/** How a row ended for each of its subjects. */
export function everyOf<Value>(row: Need<Value, RowKey>): RowNeed<readonly Ended<Value>[], unknown> {
  return { ...endingsOf(row), every: true };
}

/** Makes the instances of some rows. `made`: those of the rows before them, and then also these. */
export type Group<Context> = (context: Context, made: Map<RowKey, CheckInstance[]>) => CheckInstance[];

/** All rows of the first subject, then those of the next one. */
export function group<Of extends Subject, Context>(subjects: readonly Of[], ...rows: readonly Row<unknown, Of, Context>[]): Group<Context> {
  return (context, made) =>
    subjects.flatMap((subject) =>
      rows.map((row) => {
        const instance = row.instance(subject, context, (need) => idsOf(need, subject, made));
        for (const key of row.after) made.set(key, [...(made.get(key) ?? []), instance]);
        return instance;
      }),
    );
}

/** The instances in the order of the groups, which is that of the report. */
export function instancesOf<Context>(context: Context, groups: readonly Group<Context>[]): CheckInstance[] {
  const made = new Map<RowKey, CheckInstance[]>();
  return groups.flatMap((each) => each(context, made));
}

function idsOf({ after, every }: RowNeed, { key }: Subject, made: ReadonlyMap<RowKey, readonly CheckInstance[]>): string[] {
  const ids = after.flatMap((row) => {
    const all = made.get(row) ?? [];
    const own = all.filter(({ subject }) => subject === key);
    return (every || (own.length === 0 && all.length === 1) ? all : own).map(({ id }) => id);
  });
  if (ids.length === 0 && after.length > 0 && every === undefined) {
    throw new Failure("ARO-BUG-001", `${key} needs ${after.map(({ check }) => check).join(" or ")}, which is not before it`);
  }
  return ids;
}
