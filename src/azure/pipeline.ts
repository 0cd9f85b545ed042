/** Changes the pipeline of every client: our retry and sign-in policies replace the SDK's. */
import {
  bearerTokenAuthenticationPolicy,
  bearerTokenAuthenticationPolicyName,
  RestError,
  type Pipeline,
  type PipelinePolicy,
} from "@azure/core-rest-pipeline";
import { detailOf } from "./azure-error.js";
import { contactPolicy, firstContactPolicy } from "./first-contact.js";
import { pacingPolicy } from "./pacing.js";
import { pollTimingPolicy } from "./poll-timing.js";
import { proxyRefusalPolicy } from "./proxy.js";
import type { Connection } from "./connection.js";
import type { SharedCredential } from "./shared-credential.js";
import { ownHostsPolicy } from "./own-hosts.js";
import { requestLogPolicy } from "./request-log.js";
import { requestTimeoutPolicy } from "./request-timeout.js";
import { responseBodyPolicy } from "./response-body.js";
import { responseValidationPolicy } from "./response-validation.js";
import { retryPolicy, type RetryOptions } from "./retry-policy.js";
import { publicService, signInService, vaultService, blobService, type Service } from "./service.js";
import type { Transport } from "./transport.js";
import { vaultChallengePolicy } from "./vault-challenge.js";
import { vaultDatesPolicy } from "./vault-dates.js";

interface PipelineOptions {
  readonly service: Service;
  /** The scope of the token: "https://management.azure.com/.default". */
  readonly scope: string;
  readonly register: RetryOptions["register"];
}

export function arrangePipeline(pipeline: Pipeline, connection: Connection, { service, scope, register }: PipelineOptions): void {
  pipeline.removePolicy({ name: "defaultRetryPolicy" });
  pipeline.removePolicy({ name: bearerTokenAuthenticationPolicyName });
  pipeline.addPolicy(ownHostsPolicy(service));
  pipeline.addPolicy(pollTimingPolicy(connection));
  pipeline.addPolicy(onBehalfPolicy(connection));
  pipeline.addPolicy(firstContactPolicy(connection, service));
  pipeline.addPolicy(ourRetryPolicy(connection, register), { phase: "Retry" });
  if (connection.pacing !== undefined) pipeline.addPolicy(pacingPolicy(connection, connection.pacing), { afterPhase: "Retry" });
  pipeline.addPolicy(responseValidationPolicy(service), { afterPhase: "Retry" });
  pipeline.addPolicy(contactPolicy(connection), { afterPhase: "Retry" });
  pipeline.addPolicy(proxyRefusalPolicy(), { afterPhase: "Retry" });
  pipeline.addPolicy(requestTimeoutPolicy(connection), { afterPhase: "Retry" });
  const freshToken = freshTokenPolicy(connection.credential);
  pipeline.addPolicy(freshToken, { phase: "Sign" });
  pipeline.addPolicy(signInPolicy(connection.credential, scope), { phase: "Sign", afterPolicies: [freshToken.name] });
  if (connection.log) pipeline.addPolicy(requestLogPolicy(connection.log, connection), { afterPhase: "Sign" });
  pipeline.addPolicy(responseBodyPolicy(connection), { afterPhase: "Sign" });
}

/**
 * The same for the clients of blobs, which do not expose their pipeline and only accept policies. Open them without retries, and without a
 * credential if there is a `scope` to sign in to. All policies are placed inside the policy that turns a response into an error, in this order.
 */
export function blobPolicies(connection: Connection, scope: string | undefined, url: string, { brief = false } = {}): PlacedPolicy[] {
  const noProvider = () => Promise.resolve(false);
  const service = blobService(url);
  const policies = [
    ownHostsPolicy(service),
    onBehalfPolicy(connection),
    firstContactPolicy(connection, service),
    ourRetryPolicy(connection, noProvider, brief),
    responseValidationPolicy(service),
    contactPolicy(connection),
    proxyRefusalPolicy(),
    requestTimeoutPolicy(connection),
    ...(scope === undefined ? [] : [freshTokenPolicy(connection.credential), signInPolicy(connection.credential, scope)]),
    ...(connection.log ? [requestLogPolicy(connection.log, connection)] : []),
    responseBodyPolicy(connection),
  ];
  return policies.map((policy) => ({ policy, position: "perRetry" }));
}

interface PlacedPolicy {
  readonly policy: PipelinePolicy;
  readonly position: "perCall" | "perRetry";
}

/**
 * The policies for token requests, in the form that credentials take. Several steps wait for one token, so no step's signal ends its request.
 * MSAL sets a signal of its own, which knows nothing of the run.
 */
export function tokenPolicies(transport: Transport, { authorityHost, retry }: TokenOptions): PlacedPolicy[] {
  const untilRunEnds: PipelinePolicy = {
    name: "aroHcpUntilRunEndsPolicy",
    sendRequest(request, next) {
      const { abortSignal: own } = request;
      request.abortSignal = own instanceof AbortSignal ? AbortSignal.any([own, transport.signal]) : transport.signal;
      return next(request);
    },
  };
  return [{ policy: untilRunEnds, position: "perCall" }, ...plainPolicies(transport, signInService(authorityHost), retry)];
}

interface TokenOptions {
  /** "https://login.microsoftonline.com" */
  readonly authorityHost: string;
  readonly retry: boolean;
}

/** The policies for requests without a sign-in. */
export function publicPolicies(connection: Connection, { brief }: { readonly brief: boolean }): PlacedPolicy[] {
  return plainPolicies(connection, publicService(connection.cloud), brief ? "brief" : true);
}

/** The same for clients that answer a vault's authentication challenge and have their own sign-in policy. `url` is the vault's. */
export function vaultPolicies(connection: Connection, url: string, { brief = false } = {}): PlacedPolicy[] {
  return [
    { policy: wholeErrorPolicy, position: "perCall" },
    { policy: pollTimingPolicy(connection), position: "perCall" },
    { policy: vaultDatesPolicy, position: "perCall" },
    { policy: vaultChallengePolicy(connection.cloud), position: "perRetry" },
    ...plainPolicies(connection, vaultService(url), brief ? "brief" : true),
  ];
}

function plainPolicies(transport: Transport, service: Service, retry: boolean | "brief"): PlacedPolicy[] {
  const noProvider = () => Promise.resolve(false);
  const around = [
    ownHostsPolicy(service),
    onBehalfPolicy(transport),
    firstContactPolicy(transport, service),
    ...(retry === false ? [] : [ourRetryPolicy(transport, noProvider, retry === "brief")]),
  ];
  const inside = [
    // Inside the policy that parses the response.
    responseValidationPolicy(service),
    contactPolicy(transport),
    proxyRefusalPolicy(),
    requestTimeoutPolicy(transport),
    ...(transport.log ? [requestLogPolicy(transport.log, transport)] : []),
    responseBodyPolicy(transport),
  ];
  return [
    ...around.map((policy) => ({ policy, position: "perCall" }) as const),
    ...inside.map((policy) => ({ policy, position: "perRetry" }) as const),
  ];
}

/** The vault clients drop Azure's inner code from an error. Only that code distinguishes missing permission from a firewall. */
const wholeErrorPolicy: PipelinePolicy = {
  name: "aroHcpWholeErrorPolicy",
  async sendRequest(request, next) {
    const response = await next(request);
    if (response.status < 400) return response;
    throw new RestError(detailOf(response).message ?? `the vault returned status ${String(response.status)}`, {
      request,
      response,
      statusCode: response.status,
    });
  },
};

function ourRetryPolicy(
  { clock, random, current, contact, early }: Transport,
  register: RetryOptions["register"],
  brief = false,
): PipelinePolicy {
  const note: RetryOptions["note"] = (text, reason) => current()?.note(text, reason);
  return retryPolicy({ clock, note, random: random.fraction, register, brief, contact, ending: early.ending });
}

/** Every request has the abort signal of its step, and uses the agent of the transport. */
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

/** 401 although a token was sent: it expired or was revoked in between. Retries once with a new token; a second 401 is final. */
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

/** The SDK's policy, which handles claims challenges and rejects plain HTTP, with our token cache instead of its own. */
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
