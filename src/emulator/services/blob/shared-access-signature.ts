/** Shared access signatures: of an account, of a container or blob, and those that a principal's own key signs. */
import { keyOf } from "../../arm/resource-id.js";
import { accountKeys } from "../../arm/types/storage/account-keys.js";
import type { Asking } from "../../core/service.js";
import type { StoredResource, AzureState } from "../../state/state.js";
import { containerId, findBlob, signedIdentifiersOf, type SignedIdentifier } from "./blob-call.js";
import { notEmulated, overwriteRefused, rightMissing, signatureRefused, wrongResourceType, wrongService } from "./errors.js";
import type { BlobRequest } from "./operation.js";
import { isSignature } from "./shared-key.js";
import { createHmac } from "node:crypto";

const delegated = ["skoid", "sktid", "skt", "ske", "sks", "skv"] as const;
const overrides = ["rscc", "rscd", "rsce", "rscl", "rsct"] as const;

/** All of the query that belongs to a signature. */
export const signatureParameters: readonly string[] = [
  ...["sv", "ss", "srt", "sp", "st", "se", "sip", "spr", "sig", "sr", "si", "ses", "sdd", "saoid", "suoid", "scid", "skdutid", "sduoid"],
  ...delegated,
  ...overrides,
];

/** Which header of the answer each of the overrides is. */
export const overriddenHeaders: Readonly<Record<string, string>> = {
  rscc: "cache-control",
  rscd: "content-disposition",
  rsce: "content-encoding",
  rscl: "content-language",
  rsct: "content-type",
};

/** The object ID of the principal whose key signed, which has to have the right too; undefined for an account's key. */
export function checkSignature(call: Asking, account: StoredResource, asked: BlobRequest): string | undefined {
  const { query } = call.request;
  for (const name of ["srh", "srq", "sduoid", "skdutid", "saoid", "suoid"]) {
    if (query.get(name)) throw notEmulated(`The signature's parameter ${name}`);
  }
  if (query.get("sip")) throw notEmulated("The signature's parameter sip");
  if (query.has("ss") || query.has("srt")) {
    checkAccountSignature(call, account, asked);
    return undefined;
  }
  return checkServiceSignature(call, account, asked);
}

/** Whether a request with a signature is signed by a principal's key. */
export function isDelegated(query: URLSearchParams): boolean {
  return query.has("skoid");
}

function checkAccountSignature(call: Asking, account: StoredResource, asked: BlobRequest): void {
  const { operation } = asked;
  const get = reader(call);
  const version = get("sv");
  const text = [account.name, ...["sp", "ss", "srt", "st", "se", "sip", "spr", "sv"].map(get)];
  requireSigned(call, account, [...text, ...(version >= "2020-12-06" ? [get("ses")] : []), ""].join("\n"));
  requireInForce(get("st"), get("se"), call.now);
  if (!get("ss").includes("b")) throw wrongService();
  if (!get("srt").includes({ service: "s", container: "c", blob: "o" }[operation.level])) {
    // A list of blobs is asked of the container.
    throw wrongResourceType();
  }
  requirePermission(call, account, asked, get("sp"));
}

function checkServiceSignature(call: Asking, account: StoredResource, asked: BlobRequest): string | undefined {
  const { operation, container, blob } = asked;
  const get = reader(call);
  const resource = get("sr");
  if (resource !== "b" && resource !== "c") throw notEmulated(`The signed resource sr=${resource}`);
  const path = resource === "c" ? container : `${container}/${blob}`;
  const version = get("sv");
  if (version < "2018-11-09") throw notEmulated(`A shared access signature of version ${version}`);
  const byPrincipal = isDelegated(call.request.query);
  const end = [...(version >= "2020-12-06" ? [get("ses")] : []), ...overrides.map(get)].join("\n");
  const begin = [get("sp"), get("st"), get("se"), `/blob/${account.name}/${path}`];
  const middle = [get("sip"), get("spr"), version, resource, "", end];
  if (byPrincipal) {
    const agents = version >= "2020-02-10" ? [get("saoid"), get("suoid"), get("scid")] : [];
    const tenants = version >= "2025-07-05" ? [get("skdutid"), get("sduoid")] : [];
    // From this version on, signed headers and query parameters follow the encryption scope.
    const signedRequest = version >= "2026-04-06" ? ["", ""] : [];
    const closing = [get("sip"), get("spr"), version, resource, "", get("ses"), ...signedRequest, ...overrides.map(get)];
    const text = [...begin, ...delegated.map(get), ...agents, ...tenants, ...(version >= "2020-12-06" ? closing : middle)].join("\n");
    const key = delegationKey(call.state, {
      oid: get("skoid"),
      tid: get("sktid"),
      start: get("skt"),
      expiry: get("ske"),
      version: get("skv"),
    });
    if (!isSignature(get("sig"), key, text)) throw refusedSignature(get("sig"), text);
    requireInForce(get("skt"), get("ske"), call.now);
  } else requireSigned(call, account, [...begin, get("si"), ...middle].join("\n"));
  const policy = policyNamed(call, account, container, get("si"));
  requireInForce(get("st") || policy.start, get("se") || policy.expiry, call.now);
  if (operation.accountOnly) throw rightMissing();
  if (resource === "b" && operation.level !== "blob") throw rightMissing();
  requirePermission(call, account, asked, get("sp") || policy.permission);
  return byPrincipal ? get("skoid") : undefined;
}

function reader({ request }: Asking): (name: string) => string {
  return (name) => request.query.get(name) ?? "";
}

function requireSigned({ state, request }: Asking, account: StoredResource, text: string): void {
  const signature = request.query.get("sig") ?? "";
  if (accountKeys(state, account).some((key) => isSignature(signature, key, text))) return;
  throw refusedSignature(signature, text);
}

function refusedSignature(signature: string, text: string) {
  return signatureRefused(`Signature did not match. String to sign used was ${text}; signature was ${signature}`);
}

function requireInForce(start: string, expiry: string, now: number): void {
  const from = start === "" ? 0 : Date.parse(start);
  const until = Date.parse(expiry);
  if (from <= now && now < until) return;
  throw signatureRefused(
    `Signature not valid in the specified time frame: Start [${start}] - Expiry [${expiry}] - Current [${new Date(now).toISOString()}]`,
  );
}

/** @throws ApiError 403 AuthorizationPermissionMismatch, UnauthorizedBlobOverwrite */
function requirePermission(
  { state }: Asking,
  account: StoredResource,
  { operation, container, blob }: BlobRequest,
  permissions: string,
): void {
  if (![...operation.signed].some((letter) => permissions.includes(letter))) throw rightMissing();
  if (operation.replaces !== true || permissions.includes("w")) return;
  const holder = state.resources[keyOf(containerId(account, container))];
  if (holder !== undefined && findBlob(holder, blob) !== undefined) throw overwriteRefused();
}

/** The container's stored policy that a signature refers to. @throws ApiError 403 where there is none of that name. */
function policyNamed({ state }: Asking, account: StoredResource, container: string, id: string): Omit<SignedIdentifier, "id"> {
  if (id === "") return { start: "", expiry: "", permission: "" };
  const holder = state.resources[keyOf(containerId(account, container))];
  const found = holder && signedIdentifiersOf(holder).find((one) => one.id === id);
  if (found === undefined) throw signatureRefused("No such stored access policy.");
  return found;
}

/** The user delegation key: signs for a principal what the principal's own rights allow. */
export interface DelegationKey {
  readonly oid: string;
  readonly tid: string;
  readonly start: string;
  readonly expiry: string;
  readonly version: string;
}

/** The key's value, in base64. It follows from what it is for, and is stored nowhere. */
export function delegationKey({ tokenKey }: AzureState, { oid, tid, start, expiry, version }: DelegationKey): string {
  return createHmac("sha256", tokenKey).update(`delegation ${oid} ${tid} ${start} ${expiry} ${version}`).digest("base64");
}
