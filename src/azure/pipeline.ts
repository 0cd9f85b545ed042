/** What every client's pipeline is changed to: the SDK's own retry and sign-in give way to ours. */
import {
  bearerTokenAuthenticationPolicy,
  bearerTokenAuthenticationPolicyName,
  RestError,
  type Pipeline,
  type PipelinePolicy,
} from "@azure/core-rest-pipeline";
import { responseValidationPolicy } from "./response-validation.js";
import { detailOf } from "./azure-error.js";
import type { Connection } from "./connection.js";
import type { SharedCredential } from "./shared-credential.js";
import { requestLogPolicy } from "./request-log.js";
import { requestTimeoutPolicy } from "./request-timeout.js";
import { retryPolicy, type RetryOptions } from "./retry-policy.js";
import type { Transport } from "./transport.js";

/** `scope` is what a token is asked for: "https://management.azure.com/.default". */
export function arrangePipeline(pipeline: Pipeline, connection: Connection, scope: string, register: RetryOptions["register"]): void {
  pipeline.removePolicy({ name: "defaultRetryPolicy" });
  pipeline.removePolicy({ name: bearerTokenAuthenticationPolicyName });
  pipeline.addPolicy(onBehalfPolicy(connection));
  // Inside of what makes an object of the answer, outside of what asks again: such a page stays.
  pipeline.addPolicy(responseValidationPolicy, { afterPhase: "Deserialize" });
  pipeline.addPolicy(ourRetryPolicy(connection, register), { phase: "Retry" });
  pipeline.addPolicy(ownPollIntervalPolicy, { afterPhase: "Retry" });
  pipeline.addPolicy(requestTimeoutPolicy(connection.clock), { afterPhase: "Retry" });
  const freshToken = freshTokenPolicy(connection.credential);
  pipeline.addPolicy(freshToken, { phase: "Sign" });
  pipeline.addPolicy(signInPolicy(connection.credential, scope), { phase: "Sign", afterPolicies: [freshToken.name] });
  if (connection.log) pipeline.addPolicy(requestLogPolicy(connection.log, connection), { afterPhase: "Sign" });
}

/**
 * The same for clients that keep their pipeline to themselves and take policies only: opened without retries and without a credential of their own.
 * All are placed inside of what turns an answer into an error, in this order.
 */
export function clientPolicies(connection: Connection, scope: string): PlacedPolicy[] {
  const noProvider = () => Promise.resolve(false);
  const policies = [
    onBehalfPolicy(connection),
    ourRetryPolicy(connection, noProvider),
    freshTokenPolicy(connection.credential),
    signInPolicy(connection.credential, scope),
    ...(connection.log ? [requestLogPolicy(connection.log, connection)] : []),
  ];
  return policies.map((policy) => ({ policy, position: "perRetry" }));
}

interface PlacedPolicy {
  readonly policy: PipelinePolicy;
  readonly position: "perCall" | "perRetry";
}

/** What requests for tokens pass through, in the form that credentials take. */
export function tokenPolicies(transport: Transport, { retry }: { readonly retry: boolean | "brief" }): PlacedPolicy[] {
  const noProvider = () => Promise.resolve(false);
  return [
    { policy: onBehalfPolicy(transport), position: "perCall" },
    ...(retry === false ? [] : [{ policy: ourRetryPolicy(transport, noProvider, retry === "brief"), position: "perCall" } as const]),
    { policy: requestTimeoutPolicy(transport.clock), position: "perRetry" },
    ...(transport.log ? [{ policy: requestLogPolicy(transport.log, transport), position: "perRetry" } as const] : []),
  ];
}

/** The same for clients that answer the challenges of a vault themselves, and so bring a sign-in policy of their own. */
export function dataPlanePolicies(transport: Transport): PlacedPolicy[] {
  return [
    { policy: wholeErrorPolicy, position: "perCall" },
    { policy: responseValidationPolicy, position: "perCall" },
    ...tokenPolicies(transport, { retry: true }),
    { policy: ownPollIntervalPolicy, position: "perRetry" },
  ];
}

/** The vault's clients make of a refused page a sentence without Azure's inner code, which alone tells a missing right from a firewall. */
const wholeErrorPolicy: PipelinePolicy = {
  name: "aroHcpWholeErrorPolicy",
  async sendRequest(request, next) {
    const response = await next(request);
    if (response.status < 400) return response;
    throw new RestError(detailOf(response).message ?? `the vault answered ${String(response.status)}`, {
      request,
      response,
      statusCode: response.status,
    });
  },
};

function ourRetryPolicy({ clock, current }: Transport, register: RetryOptions["register"], brief = false): PipelinePolicy {
  return retryPolicy({ clock, note: (text) => current()?.note(text), random: Math.random, register, brief });
}

/** Every request carries the signal of the step that sends it, and takes the way that is set. */
function onBehalfPolicy({ agent, current }: Transport): PipelinePolicy {
  return {
    name: "aroHcpOnBehalfPolicy",
    sendRequest(request, next) {
      const signal = current()?.signal;
      if (signal && !request.abortSignal) request.abortSignal = signal;
      if (agent) request.agent = agent;
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

/** 401 although we sent a token: it aged or was revoked in mid-flight. One fresh token, then the refusal stands. */
function freshTokenPolicy(credential: SharedCredential): PipelinePolicy {
  return {
    name: "aroHcpFreshTokenPolicy",
    async sendRequest(request, next) {
      const response = await next(request);
      if (response.status !== 401) return response;
      credential.forget(request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "");
      return next(request);
    },
  };
}

/** The SDK's own, which answers claims challenges and refuses plain http, but with our cache of tokens for its own. */
function signInPolicy(credential: SharedCredential, scope: string): PipelinePolicy {
  return bearerTokenAuthenticationPolicy({
    credential,
    scopes: scope,
    challengeCallbacks: {
      async authorizeRequest({ request, scopes }) {
        const token = await credential.getToken(scopes);
        if (token) request.headers.set("Authorization", `Bearer ${token.token}`);
      },
    },
  });
}
