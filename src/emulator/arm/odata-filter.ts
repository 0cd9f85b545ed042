/** Reads the subset of OData that ARM's `$filter` uses: comparisons with `eq`, and functions, joined by `and`. */
import { ApiError } from "../core/service.js";

export interface Filter {
  /** Member names in lower case. */
  readonly equals: ReadonlyMap<string, string>;
  /** Function names in lower case with their argument: `atScope()` has none. */
  readonly calls: ReadonlyMap<string, string | undefined>;
}

const comparison = /^([\w./]+) eq '((?:[^']|'')*)'$/i;
const functionCall = /^(\w+)\((?:'((?:[^']|'')*)')?\)$/i;

/** @throws ApiError InvalidFilterInQueryString for unknown syntax, and for members and functions not in `known` (lower case) */
export function readFilter(text: string | null, known: readonly string[]): Filter {
  const equals = new Map<string, string>();
  const calls = new Map<string, string | undefined>();
  for (const clause of clausesOf(text ?? "")) {
    const [, member, value] = comparison.exec(clause) ?? [];
    const [, name, argument] = functionCall.exec(clause) ?? [];
    const key = (member ?? name ?? "").toLowerCase();
    if (!known.includes(key)) {
      throw new ApiError(400, "InvalidFilterInQueryString", `Invalid $filter '${text ?? ""}' specified in the query string.`);
    }
    if (member === undefined) calls.set(key, argument === undefined ? undefined : unquote(argument));
    else equals.set(key, unquote(value ?? ""));
  }
  return { equals, calls };
}

/** Splits at `and` outside quotes, and drops brackets around the whole. */
function clausesOf(text: string): string[] {
  const bare = text.trim().replace(/^\((?=.*\beq\b)(.*)\)$/, "$1");
  if (bare === "") return [];
  return bare.split(/\s+and\s+(?=(?:[^']*'[^']*')*[^']*$)/i).map((clause) => clause.trim());
}

function unquote(text: string): string {
  return text.replaceAll("''", "'");
}
