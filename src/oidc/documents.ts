/** The two documents that make an address an issuer: discovery (OpenID Connect Discovery 1.0) and key set (RFC 7517). Pure. */
import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../text/json.js";
import type { Jwk } from "./signing-key.js";

/** Their places below the issuer's URL. */
export const discoveryPath = ".well-known/openid-configuration";
export const keySetPath = "openid/v1/jwks";

/** A published key; of keys that others published, only that they have an id is known. */
export type PublishedKey = Jwk | { readonly kid: string };

/** `issuer` without a slash at its end: Entra compares it byte by byte with the tokens' `iss`. */
export function discoveryDocument(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/${keySetPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

export function keySet(keys: readonly PublishedKey[]): object {
  return { keys };
}

/** As it is published and written. */
export function documentText(document: object): string {
  return JSON.stringify(document, undefined, 4);
}

/** Whether a text says the same as a document, however it is laid out. */
export function says(text: string, document: object): boolean {
  return isDeepStrictEqual(parseJson(text), document);
}

/** The keys of a published key set; undefined where the text is none. */
export function keysIn(text: string): PublishedKey[] | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) return undefined;
  return value.keys.every(isKey) ? value.keys : undefined;
}

/**
 * What is published already, and what is new, without what is retired. A key is known by its id, so publishing it twice changes nothing, and a
 * second one takes its place beside the first: tokens of either are good until one is retired.
 */
export function mergeKeys(published: readonly PublishedKey[], added: readonly Jwk[], retired: readonly string[]): PublishedKey[] {
  const fresh = added.filter(({ kid }) => !published.some((known) => known.kid === kid));
  // Of a key of ours the members are ours to say; one that was published otherwise is put right.
  const kept = published.map((known) => added.find(({ kid }) => kid === known.kid) ?? known);
  return [...kept, ...fresh].filter(({ kid }) => !retired.includes(kid));
}

function isKey(value: unknown): value is PublishedKey {
  return typeof value === "object" && value !== null && "kid" in value && typeof value.kid === "string";
}
