/** The keys of an external token issuer, from its published documents: OpenID Connect Discovery 1.0, section 4, and RFC 7517. */
import type { JWK } from "jose";
import type { Fetched, Deps } from "../../core/service.js";

export type IssuerKeys =
  | { readonly issuer: string; readonly keys: readonly JWK[] }
  /** A document could not be fetched, or is invalid. */
  | { readonly issuer: string; readonly keys: undefined };

/** Anonymous, over HTTPS, as any client fetches them. */
export async function fetchIssuerKeys(issuer: string, fetch: Deps["fetch"]): Promise<IssuerKeys> {
  const discovery = parseObject(await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`));
  const keysUrl = discovery?.["jwks_uri"];
  // A document of another issuer proves nothing about this one.
  if (discovery?.["issuer"] !== issuer || typeof keysUrl !== "string") return { issuer, keys: undefined };
  const keys = parseObject(await fetch(keysUrl))?.["keys"];
  return { issuer, keys: Array.isArray(keys) ? (keys as JWK[]) : undefined };
}

function parseObject(fetched: Fetched | undefined): Record<string, unknown> | undefined {
  if (fetched?.status !== 200) return undefined;
  try {
    const value = JSON.parse(fetched.text) as unknown;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
