/** `Authorization: SharedKey account:signature`, checked with the account's keys. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { accountKeys } from "../../arm/types/storage/account-keys.js";
import type { Asking } from "../../core/service.js";
import type { StoredResource } from "../../state/state.js";
import { notEmulated, signatureRefused } from "./errors.js";

/** How far the sender's clock may be off. */
const tolerance = 15 * 60_000;

/** @throws ApiError 403 AuthenticationFailed */
export function checkSharedKey(call: Asking, account: StoredResource, credential: string): void {
  const [, name, signature] = /^SharedKey ([^:]+):(.+)$/.exec(credential) ?? [];
  if (name === undefined || signature === undefined) {
    throw notEmulated(`The authorization scheme ${credential.split(" ")[0] ?? ""}`);
  }
  const { headers } = call.request;
  const sentAt = Date.parse(headers["x-ms-date"] ?? headers["date"] ?? "");
  if (!(Math.abs(call.now - sentAt) <= tolerance)) throw signatureRefused(`Request date header is missing, or not within 15 minutes.`);
  const text = stringToSign(call, account.name);
  if (name === account.name && accountKeys(call.state, account).some((key) => isSignature(signature, key, text))) return;
  throw signatureRefused(
    `The MAC signature found in the HTTP request '${signature}' is not the same as any computed signature. Server used following string to sign: '${text}'.`,
  );
}

/** `key` in base64. */
export function isSignature(signature: string, key: string, text: string): boolean {
  const expected = signed(key, text);
  const given = Buffer.from(signature, "base64");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function signed(key: string, text: string): Buffer {
  return createHmac("sha256", Buffer.from(key, "base64")).update(text, "utf8").digest();
}

const signedHeaders = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
];

function stringToSign({ request }: Asking, account: string): string {
  const { method, headers, target } = request;
  const standard = signedHeaders.map((name) => {
    const value = headers[name] ?? "";
    return name === "content-length" && value === "0" ? "" : value;
  });
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-ms-"))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}`);
  const [path = "/", search = ""] = target.split("?", 2);
  const parameters = new Map<string, string[]>();
  for (const pair of search.split("&").filter((one) => one !== "")) {
    const [name = "", ...value] = pair.split("=");
    const key = plain(name).toLowerCase();
    parameters.set(key, [...(parameters.get(key) ?? []), plain(value.join("="))]);
  }
  const queries = [...parameters]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, values]) => `\n${name}:${values.sort().join(",")}`);
  return [method, ...standard, ...own, `/${account}${path}${queries.join("")}`].join("\n");
}

/** A plus sign stays one: what clients sign is percent-encoded. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
