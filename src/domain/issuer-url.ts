/** The rules for the URL of an issuer of service-account tokens that Entra can trust. */
import { plural } from "../text/plural.js";

/** https://learn.microsoft.com/graph/api/resources/federatedidentitycredential: the limit of `issuer`. */
const longest = 600;

/** The problem as a sentence with the quoted URL; undefined if Entra can use it. Entra compares it exactly with `iss`. */
export function issuerUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return `"${text}" is not a URL`;
  const url = new URL(text);
  if (url.protocol !== "https:") return `"${text}" is not an HTTPS URL: Entra fetches the issuer's keys only over HTTPS`;
  if (text.endsWith("/")) return `"${text}" ends with a slash: Entra compares it exactly with the issuer in the tokens, which has none`;
  if (url.username !== "" || url.password !== "") return `"${url.origin}${url.pathname}" contains a user name or password`;
  if (url.search !== "" || url.hash !== "") return `"${text}" has a query or a fragment; an issuer URL has neither`;
  if (text.length > longest)
    return `"${text.slice(0, 60)}..." has ${plural(text.length, "character")}; Entra accepts at most ${String(longest)}`;
  if (isInternal(url.hostname)) return `"${text}" is not on the internet, where Entra fetches the issuer's keys`;
  const documented = /^(.+)\/\.well-known\/openid-configuration$/.exec(text)?.[1];
  if (documented !== undefined) return `"${text}" is the URL of the discovery document; did you mean "${documented}"?`;
  const plain = `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
  return plain === text ? undefined : `"${text}" is not in normalized form; did you mean "${plain}"?`;
}

/** Names that are not in public DNS (RFC 6761, RFC 6762, Kubernetes' own), and IP addresses, for which no public certificate is issued. */
function isInternal(host: string): boolean {
  return !host.includes(".") || /\.(?:local|localhost|internal|test|invalid)$/.test(host) || /^\[|^[\d.]+$/.test(host);
}
