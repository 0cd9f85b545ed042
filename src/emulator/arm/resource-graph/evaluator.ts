/** Evaluates a query of Resource Graph on tables. */
import type { Expression, Named, Order, Query, Clause } from "./parsed-query.js";
import { notInDialect, unknownColumn } from "./query-errors.js";

export type Row = Readonly<Record<string, unknown>>;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** @throws QueryError for a column that the table does not have, ApiError 501 for a function that only Azure has */
export function evaluate({ table, clauses }: Query, tableNamed: (name: string) => Table): Table {
  return clauses.reduce((held, clause) => apply(held, clause, tableNamed), tableNamed(table));
}

function apply(table: Table, clause: Clause, tableNamed: (name: string) => Table): Table {
  const { columns, rows } = table;
  switch (clause.kind) {
    case "where": {
      const holds = reading(clause.condition, columns);
      return { columns, rows: rows.filter((row) => holds(row) === true) };
    }
    case "project":
      return { columns: clause.columns.map(({ name }) => name), rows: computed(table, clause.columns) };
    case "extend": {
      const added = computed(table, clause.columns);
      const names = [...new Set([...columns, ...clause.columns.map(({ name }) => name)])];
      return { columns: names, rows: rows.map((row, index) => ({ ...row, ...added[index] })) };
    }
    case "project-away": {
      const kept = columns.filter((name) => !clause.names.includes(name));
      clause.names.forEach((name) => requireColumn(name, columns));
      return { columns: kept, rows: computed(table, kept.map(itself)) };
    }
    case "order":
      return { columns, rows: sorted(table, clause.by) };
    case "limit":
      return { columns, rows: sorted(table, clause.by).slice(0, clause.rows) };
    case "count":
      return { columns: ["Count"], rows: [{ Count: rows.length }] };
    case "distinct":
      return grouped(table, clause.columns.length === 0 ? columns.map(itself) : clause.columns, []);
    case "summarize":
      return grouped(table, clause.by, clause.counts);
    case "mv-expand":
      return expanded(table, clause.column);
    case "join":
      return joined(table, evaluate(clause.with, tableNamed), clause.on);
  }
}

function itself(name: string): Named {
  return { name, value: { kind: "column", name } };
}

function requireColumn(name: string, columns: readonly string[]): void {
  if (!columns.includes(name)) throw unknownColumn(name);
}

function computed({ columns, rows }: Table, wanted: readonly Named[]): Row[] {
  const readers = wanted.map(({ name, value }) => [name, reading(value, columns)] as const);
  return rows.map((row) => Object.fromEntries(readers.map(([name, read]) => [name, read(row)])));
}

/** A missing value is smaller than any other. */
export function sorted({ columns, rows }: Table, by: readonly Order[]): Row[] {
  const readers = by.map(({ value, descending }) => ({ read: reading(value, columns), sign: descending ? -1 : 1 }));
  return [...rows].sort((a, b) => {
    for (const { read, sign } of readers) {
      const order = compare(read(a), read(b));
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

/** A row for each value of the keys; without keys, one for the whole table. */
function grouped(table: Table, by: readonly Named[], counts: readonly string[]): Table {
  const groups = new Map<string, { readonly key: Row; count: number }>();
  if (by.length === 0) groups.set("{}", { key: {}, count: 0 });
  for (const key of computed(table, by)) {
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, count: 0 };
    group.count += 1;
    groups.set(name, group);
  }
  return {
    columns: [...by.map(({ name }) => name), ...counts],
    rows: [...groups.values()].map(({ key, count }) => ({ ...key, ...Object.fromEntries(counts.map((name) => [name, count])) })),
  };
}

/** As Azure does without `limit`. */
const mostExpanded = 128;

/** A row for each entry of a list, or for each member of an object. A value that is neither keeps its row. */
function expanded(table: Table, column: Named): Table {
  const lists = computed(table, [column]);
  const rows = table.rows.flatMap((row, index) => {
    const value = lists[index]?.[column.name];
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const entries = isObject ? Object.entries(value).map(([name, held]) => ({ [name]: held as unknown })) : value;
    const list = Array.isArray(entries) && entries.length > 0 ? (entries as unknown[]) : [Array.isArray(entries) ? null : entries];
    return list.slice(0, mostExpanded).map((entry) => ({ ...row, [column.name]: entry }));
  });
  return { columns: [...new Set([...table.columns, column.name])], rows };
}

/** Columns of the right side whose name is taken get a number. */
function joined(left: Table, right: Table, on: readonly { readonly left: string; readonly right: string }[]): Table {
  for (const one of on) {
    requireColumn(one.left, left.columns);
    requireColumn(one.right, right.columns);
  }
  const keyIn = (side: "left" | "right") => (row: Row) => JSON.stringify(on.map((one) => textOf(row[one[side]])));
  const partners = new Map<string, Row[]>();
  const keyOfRight = keyIn("right");
  for (const row of right.rows) partners.set(keyOfRight(row), [...(partners.get(keyOfRight(row)) ?? []), row]);
  const names = right.columns.map((name) => [name, left.columns.includes(name) ? `${name}1` : name] as const);
  const renamed = (row: Row | undefined) => Object.fromEntries(names.map(([name, as]) => [as, row?.[name] ?? null]));
  const keyOfLeft = keyIn("left");
  return {
    columns: [...left.columns, ...names.map(([, as]) => as)],
    rows: left.rows.flatMap((row) => (partners.get(keyOfLeft(row)) ?? [undefined]).map((partner) => ({ ...row, ...renamed(partner) }))),
  };
}

type Reading = (row: Row) => unknown;

function reading(expression: Expression, columns: readonly string[]): Reading {
  switch (expression.kind) {
    case "literal":
      return () => expression.value;
    case "column":
      requireColumn(expression.name, columns);
      return (row) => row[expression.name] ?? null;
    case "member": {
      const of = reading(expression.of, columns);
      return (row) => memberOf(of(row), expression.key);
    }
    case "call": {
      const { name } = expression;
      const compute = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (compute === undefined) throw notInDialect(`The function '${name}'`);
      const values = expression.values.map((value) => reading(value, columns));
      return (row) => compute(...values.map((read) => read(row)));
    }
    case "operation": {
      const left = reading(expression.left, columns);
      const right = expression.right.map((value) => reading(value, columns));
      return operation(expression.operator, left, right);
    }
  }
}

function memberOf(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
  return (value as Readonly<Record<string | number, unknown>>)[key] ?? null;
}

function operation(operator: string, left: Reading, right: readonly Reading[]): Reading {
  if (operator === "and") return (row) => left(row) === true && right.every((read) => read(row) === true);
  if (operator === "or") return (row) => left(row) === true || right.some((read) => read(row) === true);
  const isNegated = operator.startsWith("!") && operator !== "!~" && operator !== "!=";
  const bare = isNegated ? operator.slice(1) : operator;
  const holds = comparisons[bare] ?? comparisons[bare.replace(/_cs$/, "")];
  if (holds === undefined) throw notInDialect(`The operator '${operator}'`);
  const ignoresCase = !bare.endsWith("_cs") && !["==", "!=", "in", "<", ">", "<=", ">="].includes(bare);
  return (row) => {
    const value = ignoresCase ? lowered(left(row)) : left(row);
    const found = right.some((read) => holds(value, ignoresCase ? lowered(read(row)) : read(row)));
    return found !== isNegated;
  };
}

const lowered = (value: unknown): string => textOf(value).toLowerCase();
const isEqual = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

/** On values in lower case, where case does not matter. `has` finds whole words. */
const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  "==": isEqual,
  "=~": isEqual,
  in: isEqual,
  "in~": isEqual,
  "!=": (a, b) => !isEqual(a, b),
  "!~": (a, b) => !isEqual(a, b),
  "<": (a, b) => a !== null && compare(a, b) < 0,
  "<=": (a, b) => a !== null && compare(a, b) <= 0,
  ">": (a, b) => a !== null && compare(a, b) > 0,
  ">=": (a, b) => a !== null && compare(a, b) >= 0,
  has: hasWord,
  has_any: hasWord,
  contains: (a, b) => textOf(a).includes(textOf(b)),
  startswith: (a, b) => textOf(a).startsWith(textOf(b)),
  endswith: (a, b) => textOf(a).endsWith(textOf(b)),
};

function hasWord(text: unknown, word: unknown): boolean {
  const escaped = textOf(word).replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "u").test(textOf(text));
}

const isEmpty = (value: unknown): boolean => textOf(value) === "";

const functions: Readonly<Record<string, (...values: readonly unknown[]) => unknown>> = {
  array_length: (value) => (Array.isArray(value) ? value.length : null),
  isempty: isEmpty,
  isnotempty: (value) => !isEmpty(value),
  isnotnull: (value) => value !== null,
  isnull: (value) => value === null,
  not: (value) => value !== true,
  strcat: (...values) => values.map(textOf).join(""),
  tobool: (value) => (isEmpty(value) ? null : /^(?:true|1)$/i.test(textOf(value))),
  toint: numberOf,
  tolong: numberOf,
  tolower: (value) => lowered(value),
  tostring: (value) => textOf(value),
  toupper: (value) => textOf(value).toUpperCase(),
};

function numberOf(value: unknown): number | null {
  const number = isEmpty(value) ? Number.NaN : Number(textOf(value));
  return Number.isNaN(number) ? null : number;
}

function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  const [left, right] = [textOf(a), textOf(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A value as a text: nothing for a missing one. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
