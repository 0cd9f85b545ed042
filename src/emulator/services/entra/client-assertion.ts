/** Parses a client assertion, a signed token that identifies a client, and has the checks that both kinds share. */
import { decodeJwt, decodeProtectedHeader, type JWTPayload, type ProtectedHeaderParameters } from "jose";
import type { Call } from "../../core/service.js";
import type { Client } from "./signed-in-client.js";
import { invalidClient } from "./errors.js";

export interface Assertion {
  readonly text: string;
  readonly header: ProtectedHeaderParameters;
  readonly claims: JWTPayload;
}

/** Allowed clock difference. */
const clockSkewSeconds = 300;

/** Nothing in it is trusted yet. @throws ApiError AADSTS50027 */
export function decodeAssertion(text: string): Assertion {
  try {
    return { text, header: decodeProtectedHeader(text), claims: decodeJwt(text) };
  } catch {
    throw invalidClient("AADSTS50027: JWT token is invalid or malformed.");
  }
}

/** Whether the client signed it with a certificate; otherwise an issuer that it trusts did. */
export function isOwnAssertion({ claims }: Assertion, { appId }: Client): boolean {
  const { iss } = claims;
  if (iss === undefined || iss === "") throw invalidClient("AADSTS50027: JWT token is invalid or malformed.");
  return !URL.canParse(iss) || iss.toLowerCase() === appId;
}

/** @throws ApiError AADSTS700024 */
export function checkLifetime({ now }: Call, { nbf = 0, exp }: JWTPayload): void {
  if (exp === undefined) throw invalidClient("AADSTS50027: JWT token is invalid or malformed.");
  const seconds = now / 1000;
  if (nbf - clockSkewSeconds <= seconds && seconds < exp + clockSkewSeconds) return;
  throw invalidClient(
    `AADSTS700024: Client assertion is not within its valid time range. Current time: ${isoTime(seconds)}, assertion valid from ${isoTime(nbf)}, expiry time of assertion ${isoTime(exp)}. Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .`,
  );
}

/** Seconds with seven decimals, as Entra writes them. */
function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace("Z", "0000Z");
}
