/** Splits a list into pages: `nextLink` carries a `$skiptoken`, as in ARM's lists. */
import type { ArmCall } from "./resource-type.js";
import { ApiError, type Answer } from "../core/service.js";

const defaultPageSize = 100;
/** Azure documents none for most lists; for those that it does, it is this. */
const largestPage = 1000;

/** The requested page. `show` is called for its entries alone. `emptyLastPage` is for lists that end with a page without entries. */
export function page<T>(
  call: ArmCall,
  entries: readonly T[],
  show: (entry: T) => unknown = (entry) => entry,
  emptyLastPage = false,
): Answer {
  const { query, path } = call.request;
  const { pageSize } = call.state.knobs ?? {};
  const size = Math.min(readNumber(query.get("$top"), "$top", 1) ?? defaultPageSize, pageSize ?? largestPage);
  const from = readNumber(query.get("$skiptoken"), "$skiptoken", 0) ?? 0;
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(from + size));
  const nextLink = `https://management.azure.com/${path.map(encodeURIComponent).join("/")}?${next.toString()}`;
  const value = entries.slice(from, from + size).map(show);
  const more = from + size < entries.length || (emptyLastPage && value.length > 0);
  return { status: 200, body: { value, ...(more ? { nextLink } : {}) }, takes: call.sample("read") };
}

function readNumber(text: string | null, parameter: string, least: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new ApiError(400, "InvalidParameterValue", `The value '${text}' of the query parameter '${parameter}' is invalid.`);
}
