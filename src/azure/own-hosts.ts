/** Sends tokens only to their own hosts. */
import type { PipelinePolicy, PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { Failure } from "../errors/failure.js";
import { parseJsonObject } from "../text/json.js";
import { pageChain } from "./page-chain.js";
import type { Service } from "./service.js";

/** The members of a list that contain the address of its next page: of Resource Manager and vaults, and of Graph. */
const nextLinks: readonly string[] = ["nextLink", "@odata.nextLink"];

/**
 * Outside the sign-in: nothing is sent to another host, not even a request without a token. An address in a response decides neither the
 * host nor the scheme of the next request.
 * @throws ARO-NET-005 for an address of another host, ARO-NET-006 for a list that does not end
 */
export function ownHostsPolicy({ accepts }: Pick<Service, "accepts">): PipelinePolicy {
  const follow = pageChain();
  return {
    name: "aroHcpOwnHostsPolicy",
    async sendRequest(request, next) {
      if (!accepts(new URL(request.url), request)) throw foreignAddress(request.url, "a request to it would contain a token or a secret");
      const response = await next(request);
      for (const [source, link] of linksIn(response)) {
        const url = URL.canParse(link, request.url) ? new URL(link, request.url) : undefined;
        if (!url || !accepts(url, request)) throw foreignAddress(link, namedBy(request, source));
        if (nextLinks.includes(source)) follow(request.url, url.href);
      }
      return response;
    },
  };
}

/** The addresses in a response that the SDKs request next, and what they are called. */
function linksIn(response: PipelineResponse): (readonly [source: string, link: string])[] {
  const { headers, status } = response;
  const polled = ["Azure-AsyncOperation", "Operation-Location", ...(status === 201 || status === 202 ? ["Location"] : [])];
  const links = polled.map((name) => [name, headers.get(name) ?? ""] as const);
  const body = mayHaveNextLink(response) ? (parseJsonObject(response.bodyAsText ?? "") ?? {}) : {};
  const next = nextLinks.map((name) => [name, typeof body[name] === "string" ? body[name] : ""] as const);
  return [...links, ...next].filter(([, link]) => link !== "");
}

/**
 * The client parses the body too, and twice is only worthwhile for a list with another page. In JSON, each character of the names stands for itself
 * or is a `\u` escape (RFC 8259, section 7), so a text with neither has no such member.
 */
function mayHaveNextLink({ bodyAsText, status }: PipelineResponse): boolean {
  const text = bodyAsText ?? "";
  return status === 200 && (text.includes('nextLink"') || text.includes("\\u"));
}

/** `source` is the header, or the member of the body. */
export function namedBy({ method, url }: PipelineRequest, source: string): string {
  const { host, pathname } = new URL(url);
  return `${source} in the response of ${host} to ${method} ${pathname} names it; no request was sent there`;
}

export function foreignAddress(link: string, because: string): Failure {
  const { protocol, host } = URL.canParse(link) ? new URL(link) : { protocol: "", host: "" };
  const address = host === "" ? "something that is not a URL" : `${protocol}//${host}`;
  return new Failure("ARO-NET-005", `a response refers to ${address}, which is not a host of the request's service`, { because });
}
