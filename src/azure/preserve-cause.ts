/** Keeps the original error of a sign-in problem, which the SDK replaces with a "network_error". */
import type { TokenCredential } from "@azure/core-auth";
import { RestError, type PipelinePolicy } from "@azure/core-rest-pipeline";

/**
 * The policy goes inside the credential's retries, the wrapper around the credential. With `host`, only errors of requests to it are kept:
 * a chain of credentials also tries services that most machines do not have.
 */
export function preserveCause(host?: string): {
  readonly policy: PipelinePolicy;
  readonly revealing: (source: TokenCredential) => TokenCredential;
} {
  let reason: unknown;
  const policy: PipelinePolicy = {
    name: "aroHcpKeepReasonPolicy",
    async sendRequest(request, next) {
      try {
        const response = await next(request);
        const { status: statusCode } = response;
        if (statusCode !== 429 && statusCode < 500) return response;
        throw new RestError(`the sign-in returned status ${String(statusCode)}`, { statusCode, request, response });
      } catch (error) {
        if (host === undefined || request.url.startsWith(host)) reason = error;
        throw error;
      }
    },
  };
  const revealing = (source: TokenCredential): TokenCredential => ({
    async getToken(scopes, options) {
      reason = undefined;
      try {
        return await source.getToken(scopes, options);
      } catch (error) {
        throw reason ?? error;
      }
    },
  });
  return { policy, revealing };
}
