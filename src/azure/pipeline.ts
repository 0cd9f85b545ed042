/** What every client's pipeline is changed to: the SDK's own retry and sign-in give way to ours. */
import {
  bearerTokenAuthenticationPolicy,
  bearerTokenAuthenticationPolicyName,
  type Pipeline,
  type PipelinePolicy,
} from "@azure/core-rest-pipeline";
import type { Connection } from "./connection.js";
import { retryPolicy, type RetryOptions } from "./retry-policy.js";

/** A request that has no answer after this long is sent again; the SDK would wait for ever. */
const requestTimeoutMs = 100_000;

/** `scope` is what a token is asked for: "https://management.azure.com/.default". */
export function arrangePipeline(pipeline: Pipeline, connection: Connection, scope: string, register: RetryOptions["register"]): void {
  pipeline.removePolicy({ name: "defaultRetryPolicy" });
  pipeline.removePolicy({ name: bearerTokenAuthenticationPolicyName });
  pipeline.addPolicy(onBehalfPolicy(connection));
  pipeline.addPolicy(
    retryPolicy({ pace: connection.pace, note: (text) => connection.current()?.note(text), random: Math.random, register }),
    { phase: "Retry" },
  );
  pipeline.addPolicy(ownPollIntervalPolicy, { afterPhase: "Retry" });
  pipeline.addPolicy(signInPolicy(connection, scope), { phase: "Sign" });
}

/** Every request carries the signal of the step that sends it, and ends some day. */
function onBehalfPolicy(connection: Connection): PipelinePolicy {
  return {
    name: "aroHcpOnBehalfPolicy",
    sendRequest(request, next) {
      const signal = connection.current()?.signal;
      if (signal && !request.abortSignal) request.abortSignal = signal;
      if (request.timeout === 0) request.timeout = requestTimeoutMs;
      if (connection.agent) request.agent = connection.agent;
      return next(request);
    },
  };
}

/**
 * Azure's Retry-After on a poll grows to minutes, and the SDK obeys it long after the operation ended. We poll at our own interval, well inside
 * ARM's read budget (250 at once, then 25/s). On a refusal (429, 503) Retry-After is never touched.
 */
const ownPollIntervalPolicy: PipelinePolicy = {
  name: "aroHcpPollIntervalPolicy",
  async sendRequest(request, next) {
    const response = await next(request);
    if (response.status < 300) response.headers.delete("retry-after");
    return response;
  },
};

function signInPolicy({ credential }: Connection, scope: string): PipelinePolicy {
  return bearerTokenAuthenticationPolicy({
    credential,
    scopes: scope,
    challengeCallbacks: {
      // 401 although we sent a token: it aged or was revoked in mid-flight. One fresh token, then the refusal stands.
      async authorizeRequestOnChallenge({ request, scopes }) {
        credential.forget();
        const token = await credential.getToken(scopes);
        if (!token) return false;
        request.headers.set("Authorization", `Bearer ${token.token}`);
        return true;
      },
    },
  });
}
