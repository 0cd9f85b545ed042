/** Identifies the caller: the bearer token of a request, checked the way the called host checks it. */
import { authorityUrl, tokenAudiences, verifyAccessToken } from "./access-token.js";
import { ApiError, type Asking, type Caller } from "./service.js";

/** The audience that tokens for a host must have. */
function audienceFor(host: string): string {
  if (host === "management.azure.com" || host === "graph.microsoft.com") return `https://${host}`;
  throw new Error(`no audience is known for ${host}`);
}

/** @throws ApiError 401 in the words of the host: ARM has a code for each reason, Graph one for all. */
export function authenticate({ state, request, now }: Pick<Asking, "state" | "request" | "now">): Caller {
  const audience = audienceFor(request.host);
  const graph = audience === "https://graph.microsoft.com";
  const refuse = (code: string, message: string): ApiError => {
    const challenge = `Bearer authorization_uri="${authorityUrl(state.tenantId)}", error="invalid_token", error_description="${message}"`;
    return new ApiError(401, graph ? "InvalidAuthenticationToken" : code, message, { headers: { "www-authenticate": challenge } });
  };
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers["authorization"] ?? "") ?? [];
  const missing = graph ? "Access token is empty." : "Authentication failed. The 'Authorization' header is missing.";
  if (token === undefined) throw refuse("AuthenticationFailed", missing);
  const verified = verifyAccessToken(state, token, now);
  switch (verified.is) {
    case "invalid":
      throw refuse("InvalidAuthenticationToken", "The access token is invalid.");
    case "expired":
      throw refuse(
        "ExpiredAuthenticationToken",
        `The access token expiry UTC time '${utc(verified.expiredAt)}' is earlier than current UTC time '${utc(now)}'.`,
      );
    case "valid": {
      const allowed = tokenAudiences[audience] ?? [];
      if (!allowed.includes(verified.audience)) {
        throw refuse(
          "InvalidAuthenticationTokenAudience",
          `The access token has been obtained for wrong audience or resource '${verified.audience}'. It should exactly match with one of the allowed audiences '${allowed.join("','")}'.`,
        );
      }
      return { objectId: verified.objectId, appId: verified.appId, audience };
    }
  }
}

/** The date format of Azure in this error: `11/20/2026 5:09:07 AM`. */
function utc(time: number): string {
  return new Date(time).toLocaleString("en-US", { timeZone: "UTC" }).replace(",", "").replace("\u202f", " ");
}
