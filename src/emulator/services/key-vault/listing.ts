/** The lists of a vault: at most 25 entries on a page, and a link to the next page. */
import type { Answer } from "../../core/service.js";
import { badParameter } from "./errors.js";
import { found, hasUndescribedMembers, type VaultCall } from "./vault-call.js";

const largestPage = 25;

export function listed(vaultCall: VaultCall, entries: readonly unknown[]): Answer {
  const { request } = vaultCall.call;
  const size = Number(request.query.get("maxresults") ?? largestPage);
  if (!Number.isInteger(size) || size < 1 || size > largestPage) {
    throw badParameter(`maxresults must be between 1 and ${String(largestPage)}.`);
  }
  const from = Number(request.query.get("$skiptoken") ?? "0");
  const next = new URLSearchParams(request.query);
  next.set("$skiptoken", String(from + size));
  const nextLink = `https://${request.host}/${request.path.map(encodeURIComponent).join("/")}?${next.toString()}`;
  const more = from + size < entries.length;
  const last = hasUndescribedMembers(vaultCall) ? { nextLink: null } : {};
  return found(vaultCall, { value: entries.slice(from, from + size), ...(more ? { nextLink } : last) });
}
