/** What the URL of an issuer of service-account tokens must be like, for Entra to trust it. */

/** https://learn.microsoft.com/graph/api/resources/federatedidentitycredential: the limit of `issuer`. */
const longest = 600;

/** What is wrong with it, as a sentence that quotes it; undefined where Entra can use it. It is compared letter by letter with `iss`. */
export function issuerUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return `"${text}" is not a URL`;
  const url = new URL(text);
  if (url.protocol !== "https:") return `"${text}" is not an https URL: Entra fetches the issuer's keys over HTTPS only`;
  if (text.endsWith("/")) return `"${text}" ends with a slash: Entra compares it letter by letter with the tokens', which have none`;
  if (url.username !== "" || url.password !== "") return `"${url.origin}${url.pathname}" was given with a user name or password`;
  if (url.search !== "" || url.hash !== "") return `"${text}" has a query or a fragment; an issuer has neither`;
  if (text.length > longest) return `"${text.slice(0, 60)}..." has ${String(text.length)} characters, Entra takes ${String(longest)}`;
  if (isInner(url.hostname)) return `"${text}" is not one that Entra can reach: it fetches the issuer's keys over the internet`;
  const documented = /^(.+)\/\.well-known\/openid-configuration$/.exec(text)?.[1];
  if (documented !== undefined) return `"${text}" is the issuer's document: did you mean "${documented}"?`;
  const plain = `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
  return plain === text ? undefined : `"${text}" is not written as a client would: did you mean "${plain}"?`;
}

/** Names that no public DNS holds (RFC 6761, RFC 6762, Kubernetes' own), and addresses, which no certificate is given for. */
function isInner(host: string): boolean {
  return !host.includes(".") || /\.(?:local|localhost|internal|test|invalid)$/.test(host) || /^\[|^[\d.]+$/.test(host);
}
