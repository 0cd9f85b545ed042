/** Reads queries of Resource Graph: the part of the Kusto Query Language that sweepers and inventories use. */
import type { Expression, Named, Order, Query, Clause } from "./parsed-query.js";
import { notInDialect, parserFailure } from "./query-errors.js";

/** Compare a value with one other, and with a list. */
const comparisons = /^(?:==|!=|=~|!~|<=?|>=?|!?(?:has|contains|startswith|endswith)(?:_cs)?|has_any|!?in~?|between|matches)$/;
const ofLists = /^(?:!?in~?|has_any)$/;

/** Operators that Azure's dialect has besides those of `clauses`, and words that begin another statement. */
const notEmulated = [
  "let",
  "lookup",
  "make-series",
  "parse",
  "parse-where",
  "project-keep",
  "project-rename",
  "project-reorder",
  "sample",
  "union",
];

const token =
  /(?:\s|\/\/[^\n]*)*(?:(?<text>@?'(?:[^'\\]|\\.)*'|@?"(?:[^"\\]|\\.)*")|(?<number>\d+(?:\.\d+)?)|(?<word>(?:project|mv|make|parse)-[a-z]+|!?[A-Za-z_$][\w]*~?)|(?<sign>==|!=|=~|!~|<=|>=|[^\s]))/gy;

interface Token {
  readonly kind: "text" | "number" | "word" | "sign";
  readonly text: string;
  readonly at: number;
}

function tokensOf(query: string): Token[] {
  const kinds = ["text", "number", "word", "sign"] as const;
  return [...query.matchAll(token)].flatMap(({ groups = {}, index, 0: all }) => {
    const kind = kinds.find((one) => groups[one] !== undefined);
    const text = kind === undefined ? "" : (groups[kind] ?? "");
    return kind === undefined ? [] : [{ kind, text, at: index + all.length - text.length }];
  });
}

/** @throws QueryError if it is not a query, ApiError 501 for what only Azure reads */
export function parseQuery(query: string): Query {
  const reader = new Reader(query);
  const parsed = reader.query();
  reader.takeIf(";");
  if (reader.next !== undefined) throw reader.failure();
  return parsed;
}

class Reader {
  readonly #query: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(query: string) {
    this.#query = query;
    this.#tokens = tokensOf(query);
  }

  get next(): Token | undefined {
    return this.#tokens[this.#at];
  }

  failure(): Error {
    const { text = "<EOF>", at = this.#query.length } = this.next ?? {};
    return parserFailure(text, this.#query.slice(0, at));
  }

  takeIf(...texts: readonly string[]): string | undefined {
    const { next } = this;
    if (next === undefined || next.kind === "text" || !texts.includes(next.text)) return undefined;
    this.#at += 1;
    return next.text;
  }

  #take(text: string): void {
    if (this.takeIf(text) === undefined) throw this.failure();
  }

  #word(): string {
    const { next } = this;
    if (next?.kind !== "word") throw this.failure();
    this.#at += 1;
    return next.text;
  }

  #number(): number {
    const { next } = this;
    if (next?.kind !== "number") throw this.failure();
    this.#at += 1;
    return Number(next.text);
  }

  #list<T>(read: () => T): T[] {
    const all = [read()];
    while (this.takeIf(",") !== undefined) all.push(read());
    return all;
  }

  /** Without a table, a query is about resources. */
  query(): Query {
    const first = this.next?.text ?? "";
    const isClause = Object.hasOwn(this.#readers, first) || notEmulated.includes(first);
    const table = isClause ? "resources" : this.#word().toLowerCase();
    const clauses = isClause ? [this.#clause()] : [];
    while (this.takeIf("|") !== undefined) clauses.push(this.#clause());
    return { table, clauses };
  }

  #clause(): Clause {
    const name = this.next?.text ?? "";
    if (notEmulated.includes(name)) throw notInDialect(`The operator '${name}'`);
    const read = Object.hasOwn(this.#readers, name) ? this.#readers[name] : undefined;
    if (read === undefined) throw this.failure();
    this.#at += 1;
    return read();
  }

  readonly #order = (): Clause => {
    this.#take("by");
    return { kind: "order", by: this.#list(() => this.#orderBy()) };
  };
  readonly #limit = (): Clause => ({ kind: "limit", rows: this.#number(), by: [] });
  readonly #expand = (): Clause => ({ kind: "mv-expand", column: this.#named() });

  readonly #readers: Readonly<Record<string, () => Clause>> = {
    where: () => ({ kind: "where", condition: this.#expression() }),
    project: () => ({ kind: "project", columns: this.#columns() }),
    extend: () => ({ kind: "extend", columns: this.#columns() }),
    distinct: () => ({ kind: "distinct", columns: this.takeIf("*") === undefined ? this.#columns() : [] }),
    "project-away": () => ({ kind: "project-away", names: this.#list(() => this.#word()) }),
    order: this.#order,
    sort: this.#order,
    limit: this.#limit,
    take: this.#limit,
    top: () => {
      const rows = this.#number();
      this.#take("by");
      return { kind: "limit", rows, by: this.#list(() => this.#orderBy()) };
    },
    count: () => ({ kind: "count" }),
    summarize: () => this.#summarize(),
    "mv-expand": this.#expand,
    mvexpand: this.#expand,
    join: () => this.#join(),
  };

  #orderBy(): Order {
    const value = this.#expression();
    const direction = this.takeIf("asc", "desc");
    if (this.takeIf("nulls") !== undefined) throw notInDialect("The order of nulls");
    return { value, descending: direction !== "asc" };
  }

  #columns(): Named[] {
    return this.#list(() => this.#named()).map(({ name, value }, index) => ({ name: name === "" ? `Column${index + 1}` : name, value }));
  }

  #named(): Named {
    const following = this.#tokens[this.#at + 1];
    const name = this.next?.kind === "word" && following?.text === "=" ? this.#word() : undefined;
    if (name !== undefined) this.#take("=");
    const value = this.#expression();
    return { name: name ?? nameOf(value), value };
  }

  #summarize(): Clause {
    const counts = this.takeIf("by") === undefined ? this.#list(() => this.#named()) : [];
    for (const { value } of counts) {
      if (value.kind === "call" && value.name === "count" && value.values.length === 0) continue;
      throw notInDialect(value.kind === "call" ? `The aggregation '${value.name}'` : "Another aggregation than count()");
    }
    const hasKeys = counts.length === 0 || this.takeIf("by") !== undefined;
    const by = hasKeys ? this.#columns() : [];
    return { kind: "summarize", counts: counts.map(({ name }) => (name === "" ? "count_" : name)), by };
  }

  #join(): Clause {
    if (this.takeIf("kind") === undefined) throw notInDialect("A join without kind=leftouter");
    this.#take("=");
    const kind = this.#word();
    if (kind !== "leftouter") throw notInDialect(`The join '${kind}'`);
    this.#take("(");
    const other = this.query();
    this.#take(")");
    this.#take("on");
    const on = this.#list(() => {
      const left = this.#expression();
      if (left.kind === "column") return { left: left.name, right: left.name };
      const sides = left.kind === "operation" && left.operator === "==" ? [left.left, ...left.right].map(sideOf) : [];
      const named = Object.fromEntries(sides.flatMap((side) => (side === undefined ? [] : [side])));
      if (named["$left"] === undefined || named["$right"] === undefined) throw this.failure();
      return { left: named["$left"], right: named["$right"] };
    });
    return { kind: "join", with: other, on };
  }

  #expression(): Expression {
    return this.#joined("or", () => this.#joined("and", () => this.#comparison()));
  }

  #joined(operator: "and" | "or", read: () => Expression): Expression {
    let left = read();
    while (this.takeIf(operator) !== undefined) left = { kind: "operation", operator, left, right: [read()] };
    return left;
  }

  #comparison(): Expression {
    const left = this.#primary();
    const operator = this.next?.kind === "text" ? undefined : this.next?.text;
    if (operator !== undefined && "+-*/%".includes(operator)) throw notInDialect(`The operator '${operator}'`);
    if (operator === undefined || !comparisons.test(operator)) return left;
    if (operator === "between" || operator === "matches") throw notInDialect(`The operator '${operator}'`);
    this.#at += 1;
    if (!ofLists.test(operator)) return { kind: "operation", operator, left, right: [this.#primary()] };
    this.#take("(");
    const right = this.#list(() => this.#primary());
    if (this.next?.text === "|") throw notInDialect("A query in the place of a list");
    this.#take(")");
    return { kind: "operation", operator, left, right };
  }

  #primary(): Expression {
    let value = this.#atom();
    for (;;) {
      const hasDot = this.takeIf(".") !== undefined;
      if (this.takeIf("[") !== undefined) value = { kind: "member", of: value, key: this.#key() };
      else if (hasDot) value = { kind: "member", of: value, key: this.#word() };
      else return value;
    }
  }

  #key(): string | number {
    const key = this.#primary();
    this.#take("]");
    if (key.kind === "literal" && (typeof key.value === "string" || typeof key.value === "number")) return key.value;
    throw notInDialect("A member whose name is computed");
  }

  #atom(): Expression {
    const { next } = this;
    if (this.takeIf("(") !== undefined) {
      const value = this.#expression();
      this.#take(")");
      return value;
    }
    if (this.takeIf("true", "false") !== undefined) return { kind: "literal", value: next?.text === "true" };
    if (next?.kind === "number") return { kind: "literal", value: this.#number() };
    if (next?.kind === "text") {
      this.#at += 1;
      return { kind: "literal", value: unquote(next.text) };
    }
    const name = this.#word();
    if (this.takeIf("(") === undefined) return { kind: "column", name };
    const values = this.next?.text === ")" ? [] : this.#list(() => this.#expression());
    this.#take(")");
    return { kind: "call", name, values };
  }
}

/** The side and the column of `$left.name`. */
function sideOf(value: Expression): readonly [side: string, column: string] | undefined {
  if (value.kind !== "member" || value.of.kind !== "column" || typeof value.key !== "string") return undefined;
  return [value.of.name, value.key];
}

/** The name of a column that is given none: `properties.state` is `properties_state`, also behind a conversion. Empty if it has none. */
function nameOf(value: Expression): string {
  if (value.kind === "column") return value.name;
  if (value.kind === "member") return `${nameOf(value.of)}_${String(value.key)}`;
  const [converted] = value.kind === "call" && /^to(?:string|int|long|bool)$/.test(value.name) ? value.values : [];
  return converted === undefined ? "" : nameOf(converted);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unquote(text: string): string {
  if (text.startsWith("@")) return text.slice(2, -1);
  return text.slice(1, -1).replace(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped);
}
