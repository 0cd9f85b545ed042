/** Finds the variable that names the proxy, and refuses a value that is not a URL. */
import type { CloudName } from "../azure/cloud.js";
import { Failure } from "../errors/failure.js";

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
  if (variable === undefined || (cloud === "local" && URL.canParse(value))) return;
  const fault = faultOf(value);
  if (fault === undefined) return;
  throw new Failure("ARO-USAGE-001", `${variable} is not the URL of an HTTP proxy`, {
    because: fault.because,
    next: [fault.next, `or unset ${variable}`],
  });
}

interface Fault {
  readonly because: string;
  readonly next: string;
}

/** What a user name and a password may contain only encoded. The SDK decodes both, so a % begins a code. */
const reserved: readonly (readonly [pattern: RegExp, character: string, code: string])[] = [
  [/#/, "#", "%23"],
  [/\//, "/", "%2F"],
  [/\?/, "?", "%3F"],
  [/%(?![\da-f]{2})/i, "%", "%25"],
];

function faultOf(value: string): Fault | undefined {
  if (!/^https?:\/\//i.test(value)) {
    return { because: "it does not begin with http:// or https://", next: "set it to a URL such as http://proxy.example.com:3128" };
  }
  const credentials = /\/\/(.*)@/.exec(value)?.[1] ?? "";
  const unencoded = reserved.find(([pattern]) => pattern.test(credentials));
  if (unencoded !== undefined || !isDecodable(credentials)) {
    const [, character, code] = unencoded ?? [undefined, "%", "%25"];
    return {
      because: `its user name or password contains an unencoded ${character}`,
      next: `encode ${character} as ${code} in the user name and password`,
    };
  }
  if (URL.canParse(value)) return undefined;
  // The port is what follows the last colon after the scheme and the password.
  const isPortWrong = /:[^:@/\]]+\/?$/.test(value.replace(/^\w+:\/\/(?:.*@)?/, ""));
  return isPortWrong
    ? { because: "its port is not a number up to 65535", next: "correct the port, as in http://proxy.example.com:3128" }
    : { because: "its host is missing or invalid", next: "correct the host, as in http://proxy.example.com:3128" };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
