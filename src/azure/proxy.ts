/** The proxy of a request, which the SDK takes from HTTPS_PROXY, ALL_PROXY or HTTP_PROXY, and its refusals to connect. */
import { RestError, type PipelinePolicy, type PipelineRequest } from "@azure/core-rest-pipeline";

/** Undefined if the request is sent directly. */
export function proxyOf({ agent }: Pick<PipelineRequest, "agent">): URL | undefined {
  return agent !== undefined && "proxy" in agent && agent.proxy instanceof URL ? agent.proxy : undefined;
}

/** Without the user name and the password that its URL may have. */
export function proxyText({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** The code of a connection that a proxy refuses with a status that no retry changes. */
export const proxyRefused = "PROXY_REFUSED";
/** The same for 407: the user name and password are missing, wrong or of a kind that the proxy does not accept. */
export const proxySignIn = "PROXY_SIGN_IN";

interface ProxyEvents {
  on(event: "proxyConnect", listener: (answer: ProxyAnswer, request: { getHeader(name: string): unknown }) => void): void;
}

interface ProxyAnswer {
  readonly statusCode: number;
  readonly statusText: string;
}

const idHeader = "x-ms-client-request-id";

/**
 * The SDK returns a proxy's refusal to connect (407, 403, 502) as if it were the response of the host. Goes inside the retry policy.
 * @throws RestError, which is retried like a lost connection if the proxy has a temporary error
 */
export function proxyRefusalPolicy(): PipelinePolicy {
  const watched = new WeakSet();
  const refusals = new Map<unknown, ProxyAnswer>();
  return {
    name: "aroHcpProxyRefusalPolicy",
    async sendRequest(request, next) {
      const { agent } = request;
      if (agent === undefined || proxyOf(request) === undefined) return next(request);
      if (!watched.has(agent)) {
        watched.add(agent);
        (agent as unknown as ProxyEvents).on("proxyConnect", (answer, sent) => {
          if (answer.statusCode !== 200) refusals.set(sent.getHeader(idHeader), answer);
        });
      }
      const response = await next(request);
      const refusal = refusals.get(request.headers.get(idHeader));
      if (refusal === undefined) return response;
      refusals.delete(request.headers.get(idHeader));
      const { statusCode, statusText } = refusal;
      throw new RestError(`the proxy answered ${String(statusCode)} ${statusText}`.trim(), {
        code: codeOf(statusCode),
        request,
      });
    },
  };
}

function codeOf(status: number): string {
  if (status >= 500) return "ECONNREFUSED";
  return status === 407 ? proxySignIn : proxyRefused;
}
