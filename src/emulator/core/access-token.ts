/** Access tokens: their claims, signed with the key in the state. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { AzureState } from "../state/state.js";

const login = "https://login.microsoftonline.com";

/** Every spelling of a resource in a token request, by the name that services know it under. Clients differ in theirs. */
export const tokenAudiences: Readonly<Record<string, readonly string[]>> = {
  "https://management.azure.com": [
    "https://management.core.windows.net/",
    "https://management.core.windows.net",
    "https://management.azure.com/",
    "https://management.azure.com",
  ],
  "https://graph.microsoft.com": ["https://graph.microsoft.com", "https://graph.microsoft.com/", "00000003-0000-0000-c000-000000000000"],
  "https://vault.azure.net": ["https://vault.azure.net", "https://vault.azure.net/"],
  "https://managedhsm.azure.net": ["https://managedhsm.azure.net", "https://managedhsm.azure.net/"],
  "https://storage.azure.com": ["https://storage.azure.com", "https://storage.azure.com/"],
};

export function isTokenAudience(audience: string): boolean {
  return Object.values(tokenAudiences).some((spellings) => spellings.includes(audience));
}

export const tokenLifetimeSeconds = 3599;

export const authorityUrl = (tenantId: string): string => `${login}/${tenantId}`;

export interface TokenSubject {
  readonly appId: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly roles: readonly string[];
  /** How the client proved its identity: by a client secret, or by a key (certificate or federation). */
  readonly proof: "secret" | "key";
  /** ARM ID of the managed identity, if it is one. */
  readonly identityId?: string;
}

/** Signs a token for one of `tokenAudiences`. `now` in epoch milliseconds. */
export function signAccessToken(state: AzureState, subject: TokenSubject, audience: string, now: number): string {
  const issued = Math.floor(now / 1000);
  const claims = {
    appid: subject.appId,
    appidacr: subject.proof === "secret" ? "1" : "2",
    idtyp: "app",
    idp: issuerOf(state),
    oid: subject.objectId,
    tid: state.tenantId,
    ver: "1.0",
    ...(subject.roles.length > 0 && { roles: subject.roles }),
    ...(subject.identityId !== undefined && { xms_mirid: subject.identityId }),
    iss: issuerOf(state),
    sub: subject.objectId,
    aud: audience,
    iat: issued,
    nbf: issued,
    exp: issued + tokenLifetimeSeconds,
  };
  const signed = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${signatureOf(state, signed)}`;
}

export type VerifiedToken =
  | { readonly is: "valid"; readonly objectId: string; readonly appId: string; readonly audience: string }
  | { readonly is: "expired"; readonly expiredAt: number }
  /** Not signed by this emulator's Entra, or not a token at all. */
  | { readonly is: "invalid" };

/**
 * Checks signature, issuer and lifetime; the caller compares the audience. Every request has a token, so this is Node's synchronous HMAC: that of
 * WebCrypto waits for a thread.
 */
export function verifyAccessToken(state: AzureState, token: string, now: number): VerifiedToken {
  const claims = signedClaims(state, token);
  if (claims?.iss !== issuerOf(state) || claims.nbf * 1000 > now) return { is: "invalid" };
  if (claims.exp * 1000 <= now) return { is: "expired", expiredAt: claims.exp * 1000 };
  return { is: "valid", objectId: claims.oid, appId: claims.appid, audience: claims.aud };
}

interface Claims {
  readonly iss: string;
  readonly nbf: number;
  readonly exp: number;
  readonly oid: string;
  readonly appid: string;
  readonly aud: string;
}

/** Only what `signAccessToken` wrote has its signature, so the header and the claims have its form. */
function signedClaims(state: AzureState, token: string): Claims | undefined {
  const [, signed = "", payload = "", signature = ""] = /^([\w-]+\.([\w-]+))\.([\w-]+)$/.exec(token) ?? [];
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(state, signed))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
}

const issuerOf = (state: AzureState): string => `https://sts.windows.net/${state.tenantId}/`;

function signatureOf(state: AzureState, signed: string): string {
  return createHmac("sha256", Buffer.from(state.tokenKey, "base64url")).update(signed).digest("base64url");
}
