/** The requests of a run: how many of each kind, from the record of the emulator, and which step sent which, by the client's own `--debug`. */

export interface RequestCounts {
  /** GETs, but for polls of what Azure is still at work on; and questions whether a name is free, which are POSTs. */
  readonly reads: number;
  /** The most often that one thing was read. */
  readonly mostReads: number;
  readonly polls: number;
  readonly writes: number;
  /** Answered with an error, whatever they asked: looks for what is not there yet, rights that have not arrived. */
  readonly refused: number;
  readonly tokens: number;
}

/** What is counted of a line of the record. */
interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly responseBody: unknown;
}

/** Operations of Resource Manager, and a certificate that a vault is making. */
const pollUrl = /operation(s|results|statuses)\/|\/certificates\/[^/]+\/pending\b/i;

/** Also of a resource that has no operation of its own, and tells by its state that it is not done: a vault. */
function isPoll({ url, responseBody }: Recorded): boolean {
  const { provisioningState } = (responseBody as { properties?: { provisioningState?: unknown } } | null)?.properties ?? {};
  return pollUrl.test(url) || (provisioningState !== undefined && provisioningState !== "Succeeded");
}

/** `lines` are of the record, a JSON document each. */
export function countRequests(lines: readonly string[]): RequestCounts {
  const requests = lines.map((line) => JSON.parse(line) as Recorded);
  const isToken = ({ url }: Recorded): boolean => url.includes("/oauth2/");
  const asked = requests.filter((request) => !isToken(request));
  const gets = asked.filter(({ method, url }) => method === "GET" || method === "HEAD" || url.includes("/checkNameAvailability"));
  const reads = gets.filter((request) => !isPoll(request));
  const timesRead = new Map<string, number>();
  // 401: a vault's client asks once without a token, to be told where to get one.
  for (const { url, status } of reads) if (status !== 401) timesRead.set(url, (timesRead.get(url) ?? 0) + 1);
  return {
    reads: reads.length,
    mostReads: Math.max(0, ...timesRead.values()),
    polls: gets.length - reads.length,
    writes: asked.length - gets.length,
    refused: asked.filter(({ status }) => status >= 400).length,
    tokens: requests.length - asked.length,
  };
}

/** "debug: PUT https://... 201, 84 ms, request 6f1c..., for load-balancer" */
const debugLine = /^debug: .*, request (\S+), for (.+)$/;

/** Which step sent a request, by the request's id: read from what `--debug` said. */
export function stepsOfRequests(stderr: string): Map<string, string> {
  const sent = stderr.split("\n").flatMap((line) => {
    const [, request, step] = debugLine.exec(line) ?? [];
    return request !== undefined && step !== undefined ? [[request, step] as const] : [];
  });
  return new Map(sent);
}
