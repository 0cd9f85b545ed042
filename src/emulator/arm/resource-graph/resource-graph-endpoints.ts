/** Azure Resource Graph: one request for what many lists would answer, over many subscriptions. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Answer } from "../../core/service.js";
import { versionOf } from "../api-versions.js";
import { callerOf } from "../authorization-check.js";
import type { Endpoint } from "../endpoint.js";
import type { ArmCall } from "../resource-type.js";
import { evaluate, sorted, type Table } from "./evaluator.js";
import { parseQuery } from "./parser.js";
import type { Query } from "./parsed-query.js";
import { graphError, notInDialect, QueryError } from "./query-errors.js";
import { authorizationScopes, readableSubscriptions, tableNamed } from "./tables.js";

export const resourceGraphEndpoints: readonly Endpoint[] = [
  {
    method: "POST",
    path: "/providers/Microsoft.ResourceGraph/resources",
    versions: ["2024-04-01", "2022-10-01", "2021-03-01", "2019-04-01"],
    handle: answerQuery,
  },
];

const largestPage = 1000;

const body = z.strictObject({
  query: z.string(),
  subscriptions: z.array(z.guid()).optional(),
  managementGroups: z.array(z.string()).optional(),
  facets: z.array(z.unknown()).max(0).optional(),
  options: z
    .strictObject({
      $top: z.int().min(1).max(largestPage).optional(),
      $skip: z.int().min(0).optional(),
      $skipToken: z.string().optional(),
      resultFormat: z.enum(["table", "objectArray"]).optional(),
      allowPartialScopes: z.boolean().optional(),
      authorizationScopeFilter: z.enum(authorizationScopes).default("AtScopeAndBelow"),
    })
    .prefault({}),
});

function answerQuery(call: ArmCall): Answer {
  callerOf(call);
  const { data: sent, error } = body.safeParse(call.request.body);
  if (sent === undefined) {
    if (error.issues.some(({ path: [member], code }) => member === "facets" && code === "too_big")) throw notInDialect("Facets");
    throw graphError(
      call,
      400,
      "BadRequest",
      error.issues.map(({ path, message }) => ({ code: "InvalidBody", message: `${path.join(".")}: ${message}` })),
    );
  }
  const subscriptions = readableSubscriptions(call, sent);
  if ((sent.subscriptions ?? sent.managementGroups) !== undefined && subscriptions.length === 0) {
    const message = "Access is denied to the requested resource. The user might not have enough permission.";
    throw graphError(call, 403, "AccessDenied", [{ code: "AccessDenied", message }]);
  }
  const hidden = call.state.knobs?.resourceGraphHiddenSubscriptions ?? [];
  const shown = subscriptions.filter(({ subscriptionId }) => !hidden.includes(subscriptionId));
  const scope = { subscriptions: shown, authorization: sent.options.authorizationScopeFilter };
  try {
    const query = parseQuery(sent.query);
    const table = evaluate(query, (name) => tableNamed(call, scope, name));
    return { status: 200, body: answerPage(call, query, table, sent), takes: call.sample("read") };
  } catch (failure) {
    if (failure instanceof QueryError) throw graphError(call, 400, "BadRequest", failure.details);
    throw failure;
  }
}

/**
 * A page has a token for the next one only if the query keeps the IDs and does not limit its rows. Without a token, `resultTruncated` says that
 * there were more rows.
 */
function answerPage(
  call: ArmCall,
  { clauses }: Query,
  table: Table,
  { query, subscriptions, managementGroups, options }: z.output<typeof body>,
): unknown {
  const { $top, $skip, $skipToken, resultFormat } = options;
  const context = createHash("sha256")
    .update(JSON.stringify([query, subscriptions, managementGroups]))
    .digest("hex")
    .slice(0, 16);
  const token = $skipToken === undefined ? undefined : readToken(call, $skipToken, context);
  const from = $skip ?? token?.from ?? 0;
  const size = $top ?? token?.size ?? Math.min(largestPage, call.state.knobs?.pageSize ?? largestPage);
  const isPaged = table.columns.includes("id") && !clauses.some(({ kind }) => kind === "limit");
  const isOrdered = clauses.some(({ kind }) => kind === "order" || kind === "limit");
  const byId = isPaged && !isOrdered ? sorted(table, [{ value: { kind: "column", name: "id" }, descending: false }]) : table.rows;
  const end = Math.min(from + size, call.state.knobs?.resourceGraphRowLimit ?? Infinity);
  const rows = byId.slice(from, end);
  const hasMore = end < byId.length;
  const hasToken = hasMore && isPaged && end === from + size;
  const isTable = (resultFormat ?? (versionOf(call.request) < "2021" ? "table" : "objectArray")) === "table";
  return {
    totalRecords: byId.length,
    count: rows.length,
    data: isTable ? asTable({ columns: table.columns, rows }) : rows,
    ...(versionOf(call.request) >= "2021" && { facets: [] }),
    resultTruncated: String(hasMore && !hasToken),
    ...(hasToken && { $skipToken: tokenOf({ from: from + size, size, context }) }),
  };
}

function asTable({ columns, rows }: Table): unknown {
  const typeOf = (name: string): string => {
    const value = rows.map((row) => row[name]).find((one) => one !== null && one !== undefined);
    if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
    if (typeof value === "boolean") return "boolean";
    return typeof value === "string" ? "string" : "object";
  };
  return {
    columns: columns.map((name) => ({ name, type: typeOf(name) })),
    rows: rows.map((row) => columns.map((name) => row[name] ?? null)),
  };
}

const skipToken = z.strictObject({ from: z.int().min(1), size: z.int().min(1).max(largestPage), context: z.string() });
type SkipToken = z.output<typeof skipToken>;

function tokenOf(token: SkipToken): string {
  return Buffer.from(JSON.stringify(token)).toString("base64");
}

/** @throws ApiError 400 for what is no token of this query in these subscriptions */
function readToken(call: ArmCall, text: string, context: string): SkipToken {
  try {
    const token = skipToken.parse(JSON.parse(Buffer.from(text, "base64").toString("utf8")));
    if (token.context === context) return token;
  } catch {
    // Refused below.
  }
  throw graphError(call, 400, "BadRequest", [
    { code: "InvalidSkipToken", message: "The skip token is not that of this query and its scopes." },
  ]);
}
