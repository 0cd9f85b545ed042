/**
 * The emulated part of OData's `$filter`: `appId eq 'x'`, `appId in ('x','y')`, `tags/any(t:t eq 'x')`,
 * `startswith(displayName,'x')`, and these joined by `or`.
 */
import type { ApiError } from "../../service.js";
import { badRequest } from "./errors.js";

export type Filter = (properties: Readonly<Record<string, unknown>>) => boolean;

/** Graph accepts no more values in one filter. */
const mostClauses = 15;

const literal = "'(?:[^']|'')*'";
const comparable = "id|appId|displayName|uniqueName|servicePrincipalType|userPrincipalName|mail|mailNickname";
const clause = new RegExp(
  [
    `^(?<eq>${comparable})\\s+eq\\s+(?<value>${literal})`,
    `^(?<in>${comparable})\\s+in\\s*\\((?<values>\\s*${literal}(?:\\s*,\\s*${literal})*\\s*)\\)`,
    `^(?<any>servicePrincipalNames|tags)/any\\((?<each>\\w+):\\s*\\k<each>\\s+eq\\s+(?<anyValue>${literal})\\)`,
    `^startswith\\(\\s*(?<starts>displayName|userPrincipalName|mail)\\s*,\\s*(?<prefix>${literal})\\s*\\)`,
  ]
    .map((form) => `(?:${form})`)
    .join("|"),
  "i",
);
const or = /^\s+or\s+/i;

/** An empty text matches everything. @throws ApiError 400 Request_UnsupportedQuery. */
export function parseFilter(text: string): Filter {
  let rest = text.trim();
  if (rest === "") return () => true;
  const filters: Filter[] = [];
  let values = 0;
  for (;;) {
    const match = clause.exec(rest);
    if (match?.groups === undefined) throw unsupported(`Invalid filter clause: '${rest}'.`);
    const parsed = toFilter(match.groups);
    filters.push(parsed.filter);
    values += parsed.values;
    rest = rest.slice(match[0].length);
    if (rest === "") break;
    const joint = or.exec(rest);
    if (joint === null) throw unsupported(`Invalid filter clause: '${rest}'.`);
    rest = rest.slice(joint[0].length);
  }
  if (values > mostClauses) {
    throw unsupported(
      `Too many child clauses specified in search filter expression containing 'OR' operators: ${values}. Max allowed: ${mostClauses}.`,
    );
  }
  return (properties) => filters.some((filter) => filter(properties));
}

function toFilter(groups: Readonly<Record<string, string | undefined>>): { filter: Filter; values: number } {
  const { eq, value, in: among, values, any, anyValue, starts = "", prefix } = groups;
  if (eq !== undefined && value !== undefined) return { filter: isOneOf(eq, [unquote(value)]), values: 1 };
  if (among !== undefined && values !== undefined) {
    const wanted = [...values.matchAll(new RegExp(literal, "g"))].map(([each]) => unquote(each));
    return { filter: isOneOf(among, wanted), values: wanted.length };
  }
  if (any !== undefined && anyValue !== undefined) {
    const wanted = unquote(anyValue).toLowerCase();
    const name = any.toLowerCase() === "tags" ? "tags" : "servicePrincipalNames";
    return { filter: (it) => (it[name] as string[] | undefined)?.some((each) => each.toLowerCase() === wanted) ?? false, values: 1 };
  }
  const start = unquote(prefix ?? "''").toLowerCase();
  const name = propertyNamed(starts);
  return { filter: (it) => String(it[name]).toLowerCase().startsWith(start), values: 1 };
}

/** The directory compares text case-insensitively. */
function isOneOf(property: string, wanted: readonly string[]): Filter {
  const lower = new Set(wanted.map((value) => value.toLowerCase()));
  const name = propertyNamed(property);
  return (properties) => lower.has(String(properties[name]).toLowerCase());
}

function propertyNamed(text: string): string {
  return comparable.split("|").find((each) => each.toLowerCase() === text.toLowerCase()) ?? text;
}

const unquote = (text: string): string => text.slice(1, -1).replaceAll("''", "'");
const unsupported = (message: string): ApiError => badRequest(message, "Request_UnsupportedQuery");
