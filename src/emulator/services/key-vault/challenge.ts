/** Identifies the caller of a vault or managed HSM, and refuses a request without a token with a challenge. */
import { ApiError, type Asking, type Caller } from "../../core/service.js";
import { authorityUrl, tokenAudiences, verifyAccessToken } from "../../core/access-token.js";

export type KeyAudience = "https://vault.azure.net" | "https://managedhsm.azure.net";

/** @throws ApiError 401 with the challenge that the SDKs read. */
export function authenticate({ state, request, now }: Asking, audience: KeyAudience): Caller {
  const refuse = (message: string): ApiError => {
    const challenge = `Bearer authorization="${authorityUrl(state.tenantId)}", resource="${audience}"`;
    return new ApiError(401, "Unauthorized", message, { headers: { "www-authenticate": challenge } });
  };
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers["authorization"] ?? "") ?? [];
  if (token === undefined) throw refuse("AKV10000: Request is missing a Bearer or PoP token.");
  const verified = verifyAccessToken(state, token, now);
  if (verified.is === "expired") throw refuse("[TokenExpired] Error validating token: 'IDX10223'.");
  if (verified.is === "invalid") throw refuse("AKV10046: Unable to resolve the key used for signature validation.");
  if (!tokenAudiences[audience]?.includes(verified.audience)) {
    throw refuse(`AKV10022: Invalid audience. Expected ${audience}, found: ${verified.audience}.`);
  }
  return { objectId: verified.objectId, appId: verified.appId, audience };
}
