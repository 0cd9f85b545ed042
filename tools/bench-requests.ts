/** Counts the requests of a run by kind, from the emulator's traffic record, and finds the step that sent each one, from the client's `--debug` output. */

export interface RequestCounts {
  /** GETs that are not polls, and POSTs that check whether a name is available. */
  readonly reads: number;
  readonly polls: number;
  readonly writes: number;
  /** Requests of any kind that exceeded a limit on the number of requests. */
  readonly throttled: number;
  readonly tokens: number;
}

/** The part of a line of the record that counts. */
interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly responseBody: unknown;
}

/** Long-running operations of Resource Manager, and a certificate that a vault is creating. */
const pollUrl = /operation(s|results|statuses)\/|\/certificates\/[^/]+\/pending\b/i;

/** Also true for a resource that shows its progress by its provisioning state only, such as a vault. */
function isPoll({ url, responseBody }: Recorded): boolean {
  const { provisioningState } = (responseBody as { properties?: { provisioningState?: unknown } } | null)?.properties ?? {};
  return pollUrl.test(url) || (provisioningState !== undefined && provisioningState !== "Succeeded");
}

/** Azure also answers 429 while another operation runs on the same resource: that is no limit. */
function isThrottled({ status, responseBody }: Recorded): boolean {
  const { code } = (responseBody as { error?: { code?: unknown } } | null)?.error ?? {};
  return status === 429 && typeof code === "string" && /throttled|toomanyrequests/i.test(code);
}

/** `lines` are those of the record, each a JSON document. */
export function countRequests(lines: readonly string[]): RequestCounts {
  const requests = lines.map((line) => JSON.parse(line) as Recorded);
  const isToken = ({ url }: Recorded): boolean => url.includes("/oauth2/");
  const asked = requests.filter((request) => !isToken(request));
  const gets = asked.filter(({ method, url }) => method === "GET" || method === "HEAD" || url.includes("/checkNameAvailability"));
  const reads = gets.filter((request) => !isPoll(request));
  return {
    reads: reads.length,
    polls: gets.length - reads.length,
    writes: asked.length - gets.length,
    throttled: asked.filter(isThrottled).length,
    tokens: requests.length - asked.length,
  };
}

/** "debug: PUT https://... 201, 84 ms, request 6f1c..., for load-balancer" */
const debugLine = /^debug: .*, request (\S+), for (.+)$/;

/** The step that sent each request, by request ID, from the `--debug` output. */
export function stepsOfRequests(stderr: string): Map<string, string> {
  const sent = stderr.split("\n").flatMap((line) => {
    const [, request, step] = debugLine.exec(line) ?? [];
    return request !== undefined && step !== undefined ? [[request, step] as const] : [];
  });
  return new Map(sent);
}
