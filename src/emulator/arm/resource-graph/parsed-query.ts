/** A query of Resource Graph, as it is read. */

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "member"; readonly of: Expression; readonly key: string | number }
  | { readonly kind: "call"; readonly name: string; readonly values: readonly Expression[] }
  | { readonly kind: "operation"; readonly operator: string; readonly left: Expression; readonly right: readonly Expression[] };

export interface Named {
  readonly name: string;
  readonly value: Expression;
}

export interface Order {
  readonly value: Expression;
  readonly descending: boolean;
}

export type Clause =
  | { readonly kind: "where"; readonly condition: Expression }
  | { readonly kind: "project" | "extend" | "distinct"; readonly columns: readonly Named[] }
  | { readonly kind: "project-away"; readonly names: readonly string[] }
  | { readonly kind: "order"; readonly by: readonly Order[] }
  /** `top` orders first. */
  | { readonly kind: "limit"; readonly rows: number; readonly by: readonly Order[] }
  | { readonly kind: "count" }
  | { readonly kind: "summarize"; readonly counts: readonly string[]; readonly by: readonly Named[] }
  | { readonly kind: "mv-expand"; readonly column: Named }
  | { readonly kind: "join"; readonly with: Query; readonly on: readonly { readonly left: string; readonly right: string }[] };

export interface Query {
  readonly table: string;
  readonly clauses: readonly Clause[];
}
