/** The two documents of an issuer: discovery (OpenID Connect Discovery 1.0) and key set (RFC 7517). */
import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../text/json.js";
import type { Jwk } from "./signing-key.js";

/** The paths below the issuer's URL. */
export const discoveryPath = ".well-known/openid-configuration";
export const keySetPath = "openid/v1/jwks";

/** A published key; for keys that others published, only the ID is certain. */
export type PublishedKey = Jwk | { readonly kid: string };

/** `issuer` has no slash at its end: Entra compares it byte by byte with the tokens' `iss`. */
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

export function documentText(document: object): string {
  return JSON.stringify(document, undefined, 4);
}

/** Whether a text has the same content as a document, whatever its layout. */
export function hasContent(text: string, document: object): boolean {
  return isDeepStrictEqual(parseJson(text), document);
}

/** The keys of a published key set; undefined if the text is not one. */
export function keysIn(text: string): PublishedKey[] | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) return undefined;
  return value.keys.every(isKey) ? value.keys : undefined;
}

/**
 * The published keys and the new ones, without the retired ones. The ID identifies a key, so publishing one twice has no effect. A new key
 * is added to the first: tokens of both are valid until one is retired.
 */
export function mergeKeys(published: readonly PublishedKey[], added: readonly Jwk[], retired: readonly string[]): PublishedKey[] {
  const fresh = added.filter(({ kid }) => !published.some((known) => known.kid === kid));
  // The members of our own key are ours: one published with other members is corrected.
  const kept = published.map((known) => added.find(({ kid }) => kid === known.kid) ?? known);
  return [...kept, ...fresh].filter(({ kid }) => !retired.includes(kid));
}

function isKey(value: unknown): value is PublishedKey {
  return typeof value === "object" && value !== null && "kid" in value && typeof value.kid === "string";
}
