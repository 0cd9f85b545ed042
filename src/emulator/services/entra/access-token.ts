/** Access tokens: their claims, signed with the key in the state. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { AzureState } from "../../state/state.js";

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

/** The principal that a token stands for. */
export interface TokenSubject {
  readonly appId: string;
  /** Object ID of the service principal. */
  readonly objectId: string;
  /** Graph application permissions. */
  readonly roles: readonly string[];
  /** How the client proved its identity: by a client secret, or by a key (certificate or federation). */
  readonly proof: "secret" | "key";
  /** ARM ID of the managed identity, if it is one. */
  readonly identityId?: string;
}

/** Signs a token for one of `tokenAudiences`. `now` in epoch milliseconds. */
export function signAccessToken(state: AzureState, subject: TokenSubject, audience: string, now: number): string {
  const issued = Math.floor(now / 1000);
  const payload = {
    iss: issuerOf(state),
    sub: subject.objectId,
    aud: audience,
    iat: issued,
    nbf: issued,
    exp: issued + tokenLifetimeSeconds,
    appid: subject.appId,
    appidacr: subject.proof === "secret" ? "1" : "2",
    idtyp: "app",
    idp: issuerOf(state),
    oid: subject.objectId,
    tid: state.tenantId,
    ver: "1.0",
    ...(subject.roles.length > 0 && { roles: [...subject.roles] }),
    ...(subject.identityId !== undefined && { xms_mirid: subject.identityId }),
  };
  const signed = [{ alg: "HS256", typ: "JWT" }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${signed}.${signatureOf(state, signed)}`;
}

export type VerifiedToken =
  | { readonly is: "valid"; readonly objectId: string; readonly appId: string; readonly audience: string }
  | { readonly is: "expired"; readonly expiredAt: number }
  /** Not signed by this emulator's Entra, or not a token at all. */
  | { readonly is: "invalid" };

const claims = z.object({ iss: z.string(), aud: z.string(), oid: z.string(), appid: z.string(), nbf: z.number(), exp: z.number() });

/**
 * Checks signature, issuer and lifetime; the caller compares the audience. Not by a library for tokens of all kinds: each request pays for
 * this, and theirs goes through the thread pool.
 */
export function verifyAccessToken(state: AzureState, token: string, now: number): VerifiedToken {
  const end = token.lastIndexOf(".");
  const signed = token.slice(0, Math.max(0, end));
  const [expected, sent] = [signatureOf(state, signed), token.slice(end + 1)].map((signature) => Buffer.from(signature));
  if (expected?.length !== sent?.length || !timingSafeEqual(expected!, sent!)) return { is: "invalid" };
  // Only this emulator's Entra signs with the key, so what is signed is well-formed.
  const { iss, aud, oid, appid, nbf, exp } = claims.parse(JSON.parse(Buffer.from(signed.split(".")[1] ?? "", "base64url").toString()));
  const seconds = Math.floor(now / 1000);
  if (iss !== issuerOf(state) || nbf > seconds) return { is: "invalid" };
  return exp <= seconds ? { is: "expired", expiredAt: exp * 1000 } : { is: "valid", objectId: oid, appId: appid, audience: aud };
}

const issuerOf = (state: AzureState): string => `https://sts.windows.net/${state.tenantId}/`;

function signatureOf({ tokenKey }: AzureState, signed: string): string {
  return createHmac("sha256", Buffer.from(tokenKey, "base64url")).update(signed).digest("base64url");
}
