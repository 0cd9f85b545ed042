/** Splits a list into pages: `nextLink` carries a `$skiptoken`, as in ARM's lists. */
import type { ArmCall } from "./resource-type.js";
import { ApiError, type Answer } from "../service.js";

const defaultPageSize = 100;

/**
 * The requested page. `$top` may make pages smaller, never larger. Some lists end with a page without entries, to which the last
 * entries link, or even an empty list.
 */
export function page(call: ArmCall, entries: readonly unknown[], emptyLastPage?: "after entries" | "always"): Answer {
  const { query, path } = call.request;
  const largest = call.state.knobs?.pageSize ?? defaultPageSize;
  const size = Math.min(largest, readNumber(query.get("$top"), "$top", 1) ?? largest);
  const from = readNumber(query.get("$skiptoken"), "$skiptoken", 0) ?? 0;
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(from + size));
  const nextLink = `https://management.azure.com/${path.map(encodeURIComponent).join("/")}?${next.toString()}`;
  const value = entries.slice(from, from + size);
  const toEmpty = emptyLastPage !== undefined && (value.length > 0 || (emptyLastPage === "always" && from === 0));
  const more = from + size < entries.length || toEmpty;
  return { status: 200, body: { value, ...(more ? { nextLink } : {}) }, takes: call.sample("read") };
}

function readNumber(text: string | null, parameter: string, least: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new ApiError(400, "InvalidParameterValue", `The value '${text}' of the query parameter '${parameter}' is invalid.`);
}
