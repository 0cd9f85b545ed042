/** Explains why a host cannot be reached, and what to check. */
import type { RestError } from "@azure/core-rest-pipeline";
import { advise, rerun, shell, type Advice } from "../errors/advice.js";
import { proxyOf, proxyRefused, proxySignIn, proxyText } from "./proxy.js";
import { redacted } from "../text/redact.js";
import { lostConnectionCodes, noResponseCodes } from "./retry-rules.js";

interface Unreachable {
  readonly because: string;
  readonly next: readonly Advice[];
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "the name does not resolve",
  EAI_AGAIN: "the name does not resolve",
  ECONNREFUSED: "the connection is refused",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ETIMEDOUT: "it does not respond",
  EPROTO: "the answer is not TLS",
  [proxyRefused]: "the proxy refuses the connection",
  [proxySignIn]: "the proxy requires a user name and password, or rejects them",
};

/** Undefined for other errors, and for those without a request. */
export function unreachableHost({ code = "", message, request, response }: RestError): Unreachable | undefined {
  const isLost = lostConnectionCodes.has(code) || noResponseCodes.has(code) || Object.hasOwn(reasons, code);
  if (!isLost || request === undefined || response !== undefined) return undefined;
  const { hostname } = new URL(request.url);
  const proxy = proxyOf(request);
  const words = reasons[code] ?? "the connection was lost";
  // OpenSSL's message is about its own source files.
  const reason = code === "EPROTO" ? words : `${words} (${redacted(message)})`;
  if (proxy === undefined) {
    return {
      because: `${hostname} cannot be reached: ${reason}`,
      next: [
        advise`check the network connection and DNS: ${shell`nslookup ${hostname}`}; a proxy is used only if HTTPS_PROXY, ALL_PROXY or HTTP_PROXY names it`,
        rerun,
      ],
    };
  }
  return {
    because: `${hostname} cannot be reached through the proxy ${proxyText(proxy)}: ${reason}`,
    next: [
      ...(code === proxySignIn
        ? ["check the user name and password in HTTPS_PROXY: http://user:password@host:port, both percent-encoded"]
        : []),
      ...(code === "EPROTO" && proxy.protocol === "https:"
        ? [`the proxy does not speak TLS; try http://${proxy.host} in HTTPS_PROXY, ALL_PROXY or HTTP_PROXY`]
        : []),
      `check that the proxy ${proxyText(proxy)} is running and allows ${hostname}; it is set by HTTPS_PROXY, ALL_PROXY or HTTP_PROXY, and NO_PROXY exempts hosts`,
      rerun,
    ],
  };
}
