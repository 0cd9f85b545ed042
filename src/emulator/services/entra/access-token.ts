/** Access tokens: their claims, signed with the key in the state. */
import { errors, jwtVerify, SignJWT } from "jose";
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
export async function signAccessToken(state: AzureState, subject: TokenSubject, audience: string, now: number): Promise<string> {
  const issued = Math.floor(now / 1000);
  return new SignJWT({
    appid: subject.appId,
    appidacr: subject.proof === "secret" ? "1" : "2",
    idtyp: "app",
    idp: issuerOf(state),
    oid: subject.objectId,
    tid: state.tenantId,
    ver: "1.0",
    ...(subject.roles.length > 0 && { roles: [...subject.roles] }),
    ...(subject.identityId !== undefined && { xms_mirid: subject.identityId }),
  })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuerOf(state))
    .setSubject(subject.objectId)
    .setAudience(audience)
    .setIssuedAt(issued)
    .setNotBefore(issued)
    .setExpirationTime(issued + tokenLifetimeSeconds)
    .sign(signingKey(state));
}

export type VerifiedToken =
  | { readonly is: "valid"; readonly objectId: string; readonly appId: string; readonly audience: string }
  | { readonly is: "expired"; readonly expiredAt: number }
  /** Not signed by this emulator's Entra, or not a token at all. */
  | { readonly is: "invalid" };

/** Checks signature, issuer and lifetime; the caller compares the audience. */
export async function verifyAccessToken(state: AzureState, token: string, now: number): Promise<VerifiedToken> {
  try {
    const { payload } = await jwtVerify(token, signingKey(state), {
      algorithms: ["HS256"],
      issuer: issuerOf(state),
      currentDate: new Date(now),
      requiredClaims: ["aud", "exp", "oid", "appid"],
    });
    return { is: "valid", objectId: String(payload["oid"]), appId: String(payload["appid"]), audience: String(payload.aud) };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { is: "expired", expiredAt: Number(error.payload.exp) * 1000 };
    if (error instanceof errors.JOSEError) return { is: "invalid" };
    throw error;
  }
}

const issuerOf = (state: AzureState): string => `https://sts.windows.net/${state.tenantId}/`;
const signingKey = (state: AzureState): Uint8Array => Buffer.from(state.tokenKey, "base64url");
