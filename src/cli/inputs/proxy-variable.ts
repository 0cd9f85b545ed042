/** The variable that names the proxy: a value that is not a URL of a proxy would fail in the SDK, without the variable's name. */
import type { CloudName } from "../../azure/cloud.js";
import { Failure } from "../../errors/failure.js";

/** In the order in which the SDK reads them; each also in lower case. */
const variables = ["HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

/**
 * The emulator is reached without the proxy, but the SDK parses its URL there too. The value may contain a password, so it is not quoted.
 * @throws ARO-USAGE-001
 */
export function requireProxyUrl(environment: Readonly<Record<string, string | undefined>>, cloud: CloudName): void {
  const variable = variables.find((name) => environment[name]);
  const value = variable === undefined ? "" : (environment[variable] ?? "");
  if (variable === undefined || (URL.canParse(value) && (cloud === "local" || /^https?:\/\//i.test(value)))) return;
  throw new Failure("ARO-USAGE-001", `${variable} is not the URL of an HTTP proxy`, {
    next: [`set ${variable} to a URL that begins with http:// or https://, such as http://proxy.example.com:3128, or unset it`],
  });
}
