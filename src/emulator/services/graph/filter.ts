/** The emulated part of OData's `$filter`: `eq`, `in`, `any`, `startswith`, joined by `or`. */
import type { ApiError } from "../../core/service.js";
import { badRequest } from "./errors.js";
import { keyOf, type DirectoryObject } from "./objects.js";

export interface Filter {
  readonly matches: (object: Pick<DirectoryObject, "properties">) => boolean;
  /** The keys of what matches; undefined if all objects must be searched. */
  readonly keys: readonly string[] | undefined;
}

/** Graph accepts no more values in one filter. */
const mostClauses = 15;

const literal = "'(?:[^']|'')*'";
const comparable = "id|appId|displayName|uniqueName|servicePrincipalType|userPrincipalName|mail|mailNickname";
const lists = "servicePrincipalNames|tags|identifierUris|alternativeNames";
const clause = new RegExp(
  [
    `^(?<eq>${comparable})\\s+eq\\s+(?<value>${literal})`,
    `^(?<in>${comparable})\\s+in\\s*\\((?<values>\\s*${literal}(?:\\s*,\\s*${literal})*\\s*)\\)`,
    `^(?<any>${lists})/any\\((?<each>\\w+):\\s*\\k<each>\\s+eq\\s+(?<anyValue>${literal})\\)`,
    `^(?<anyStarts>${lists})/any\\((?<one>\\w+):\\s*startswith\\(\\k<one>,\\s*(?<anyPrefix>${literal})\\)\\)`,
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
  if (rest === "") return { matches: () => true, keys: undefined };
  const clauses: Clause[] = [];
  for (;;) {
    const match = clause.exec(rest);
    if (match?.groups === undefined) throw unsupported(`Invalid filter clause: '${rest}'.`);
    clauses.push(toClause(match.groups));
    rest = rest.slice(match[0].length);
    if (rest === "") break;
    const joint = or.exec(rest);
    if (joint === null) throw unsupported(`Invalid filter clause: '${rest}'.`);
    rest = rest.slice(joint[0].length);
  }
  const values = clauses.reduce((sum, { values: wanted }) => sum + wanted.length, 0);
  if (values > mostClauses) {
    throw unsupported(
      `Too many child clauses specified in search filter expression containing 'OR' operators: ${values}. Max allowed: ${mostClauses}.`,
    );
  }
  const keys = clauses.flatMap(({ property, values: wanted, isPrefix }) =>
    wanted.map((value) => (isPrefix ? undefined : keyOf(property, value))),
  );
  return {
    matches: ({ properties }) => clauses.some((one) => holds(one, properties)),
    keys: keys.some((key) => key === undefined) ? undefined : keys.filter((key) => key !== undefined),
  };
}

interface Clause {
  readonly property: string;
  /** In lower case: the directory compares text case-insensitively. */
  readonly values: readonly string[];
  readonly isPrefix?: true;
}

function toClause(groups: Readonly<Record<string, string | undefined>>): Clause {
  const { eq, value = "", in: among, values = "", any, anyValue = "", anyStarts, anyPrefix = "", starts = "", prefix = "" } = groups;
  if (eq !== undefined) return { property: propertyNamed(eq), values: [unquote(value)] };
  if (any !== undefined) return { property: propertyNamed(any), values: [unquote(anyValue)] };
  if (anyStarts !== undefined) return { property: propertyNamed(anyStarts), values: [unquote(anyPrefix)], isPrefix: true };
  if (among === undefined) return { property: propertyNamed(starts), values: [unquote(prefix)], isPrefix: true };
  return { property: propertyNamed(among), values: [...values.matchAll(new RegExp(literal, "g"))].map(([each]) => unquote(each)) };
}

function holds({ property, values, isPrefix }: Clause, properties: Readonly<Record<string, unknown>>): boolean {
  const held = [properties[property]].flat().map((each) => String(each).toLowerCase());
  return held.some((each) => values.some((value) => (isPrefix ? each.startsWith(value) : each === value)));
}

function propertyNamed(text: string): string {
  return [...comparable.split("|"), ...lists.split("|")].find((each) => each.toLowerCase() === text.toLowerCase()) ?? text;
}

const unquote = (text: string): string => text.slice(1, -1).replaceAll("''", "'").toLowerCase();
const unsupported = (message: string): ApiError => badRequest(message, "Request_UnsupportedQuery");
