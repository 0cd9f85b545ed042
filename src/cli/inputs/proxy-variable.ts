/** The variable that names the proxy: a value that is not a URL of a proxy would fail in the SDK, without the variable's name. */
import type { CloudName } from "../../azure/cloud.js";
import { Failure } from "../../errors/failure.js";

/** In the order in which the SDK reads them; each also in lower case. */
const variables = ["HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

/** The variable that is in effect, if any. */
export function proxyVariable(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return variables.find((name) => environment[name]);
}

/**
 * The emulator is reached without the proxy, but the SDK parses its URL there too. The value may contain a password, so it is not quoted.
 * @throws ARO-USAGE-001
 */
export function requireProxyUrl(environment: Readonly<Record<string, string | undefined>>, cloud: CloudName): void {
  const variable = proxyVariable(environment);
  const value = variable === undefined ? "" : (environment[variable] ?? "");
  const because = variable === undefined ? undefined : faultOf(value, cloud);
  if (variable === undefined || because === undefined) return;
  throw new Failure("ARO-USAGE-001", `${variable} is not the URL of an HTTP proxy`, {
    because,
    next: [`set ${variable} to a URL that begins with http:// or https://, such as http://proxy.example.com:3128, or unset it`],
  });
}

function faultOf(value: string, cloud: CloudName): string | undefined {
  if (!URL.canParse(value)) {
    return "the scheme or the host is missing, the port is not a number up to 65535, or the password contains an unencoded # or / (%23, %2F)";
  }
  if (cloud === "local") return undefined;
  if (!/^https?:\/\//i.test(value)) return "it does not begin with http:// or https://";
  const { username, password } = new URL(value);
  try {
    decodeURIComponent(username + password);
    return undefined;
  } catch {
    return "a % in its user name or password is not encoded as %25";
  }
}
