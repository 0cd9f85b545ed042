/** What a server does with a request, as data: faults, answer, headers and duration. */
import { EmulatorError } from "../common/emulator-error.js";
import { ApiError, type Answer, type ApiRequest } from "./service.js";
import { errorAnswer } from "./error-envelope.js";
import type { FaultRule } from "./fault-rules.js";
import type { Faults } from "./faults.js";
import { responseOf, type Response } from "./response.js";
import { serveRequest, type ServerDeps } from "./serve-request.js";
import { standardHeaders } from "./standard-headers.js";
import { recordTraffic } from "./traffic-record.js";
import type { AnsweredVersion } from "../state/state.js";
import type { Latency } from "../state/sampling.js";

/** Marks the server's own requests: no client sent them, so no fault applies to them and they are not recorded. */
export const ownUserAgent = "aro-hcp-emulator";

/** What all servers of one emulator share. */
export interface Core extends ServerDeps {
  readonly faults: Faults;
  /** The file that all traffic is appended to. */
  readonly record: string | undefined;
}

/** `reset` drops the connection, `hang` never answers, and `kill` ends the process of the server. */
export type Reaction =
  | { readonly kind: "reset" | "hang" | "kill" }
  /** `sent` is called once all of it is sent. */
  | { readonly kind: "response"; readonly response: Response; readonly sent: () => void };

/** `read` completes the request with its body; it is called once at most. `closed` ends all waits. */
export async function react(head: ApiRequest, read: () => Promise<ApiRequest>, core: Core, closed: AbortSignal): Promise<Reaction> {
  const { clock, random, timeScale, record } = core;
  const isOurs = head.headers["user-agent"] === ownUserAgent;
  const fault = isOurs ? undefined : core.faults.strike(head);
  const requestId = random.uuid();
  let request = head;
  let reading: Promise<ApiRequest> | undefined;
  const readWhole = async () => {
    request = await read();
    return request;
  };
  const readOnce = () => {
    reading ??= readWhole();
    return reading;
  };
  let answered: AnsweredVersion | undefined;
  const noteVersion = (version: AnsweredVersion) => {
    answered = version;
  };
  let outcome: Answer | "reset" | "hang" | "kill";
  try {
    // A rule can cut the connection, which the client must not notice while it sends.
    if (fault !== undefined) await readOnce();
    outcome = await outcomeOf(() => serveRequest(head, readOnce, requestId, core, noteVersion), fault, core, closed);
  } catch (error) {
    outcome = errorAnswer(asApiError(error, head), head, { requestId, now: clock.now().getTime() });
  }
  if (typeof outcome === "string") return { kind: outcome };
  const answer = outcome;
  const seconds = answer.takes ?? 0;
  if (seconds > 0) await clock.sleep((seconds * 1000) / timeScale, closed);
  // Dated by the clock that computed the answer; Node would use its own.
  const now = clock.now();
  const headers = {
    date: now.toUTCString(),
    ...standardHeaders(request, requestId, now.getTime()),
    // A fault rule says itself how long clients are to wait.
    ...scaleRetryAfter(answer.headers ?? {}, timeScale, answer === fault?.answer ? "recorded" : core.latency),
  };
  const response = responseOf(request, answer, headers, fault);
  return {
    kind: "response",
    response,
    sent() {
      if (record === undefined || isOurs) return;
      const body = request.method === "HEAD" ? null : answer.body;
      const { status } = answer;
      recordTraffic(record, request, {
        status,
        headers: response.headers,
        body,
        byFault: answer === fault?.answer,
        answeredAs: answered?.answeredAs,
      });
    },
  };
}

async function outcomeOf(
  serve: () => Promise<Answer>,
  fault: FaultRule | undefined,
  core: Core,
  closed: AbortSignal,
): Promise<Answer | "reset" | "hang" | "kill"> {
  if (fault?.when === "before") {
    const effect = await effectOf(fault, core, closed);
    if (effect !== undefined) return effect;
  }
  const served = serve();
  if (fault?.when !== "after") return served;
  // A refusal is an answer too, so effects with `when: after` apply to it.
  await served.catch(() => undefined);
  return (await effectOf(fault, core, closed)) ?? served;
}

/** Undefined if the service's own answer goes out. */
async function effectOf(
  fault: FaultRule,
  { clock, timeScale }: Core,
  closed: AbortSignal,
): Promise<Answer | "reset" | "hang" | "kill" | undefined> {
  if (fault.delay !== undefined) await clock.sleep((fault.delay * 1000) / timeScale, closed);
  if (fault.kill) return "kill";
  if (fault.reset) return "reset";
  if (fault.hang) return "hang";
  return fault.answer;
}

export function asApiError(error: unknown, request: ApiRequest): ApiError {
  if (error instanceof ApiError) return error;
  // Clients repeat a 500, but the state does not fix itself.
  if (error instanceof EmulatorError)
    return new ApiError(501, "EmulatorStateDamaged", `${error.message}; \`aro-hcp local reset\` starts with a fresh state`);
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // It would fail again, and not as Azure does: a state that was edited by hand, or a bug.
  return new ApiError(501, "EmulatorFault", `The emulator itself failed at ${request.method} /${request.path.join("/")}: ${what}`);
}

/** Without latency every operation is over at the first poll. */
const longestWithoutLatencyMs = 1000;

/**
 * Services give Retry-After in seconds of Azure's clock; clients wait by the real one. If less than a second remains, which the header
 * cannot express, only the millisecond forms are sent. The SDKs' retry policies read those first. Without latency, the seconds stay as
 * Azure sends them, and the millisecond forms say a second at most.
 */
export function scaleRetryAfter(
  headers: Readonly<Record<string, string>>,
  timeScale: number,
  latency: Latency = "recorded",
): Record<string, string> {
  const scaled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = Number(scaled["retry-after"] ?? "none");
  const milliseconds = Math.ceil((seconds * 1000) / timeScale);
  const isShortened = latency === "none" && milliseconds > longestWithoutLatencyMs;
  if (Number.isNaN(seconds) || (timeScale === 1 && !isShortened)) return scaled;
  if (milliseconds >= 1000) scaled["retry-after"] = String(Math.round(milliseconds / 1000));
  else delete scaled["retry-after"];
  const inMs = String(isShortened ? longestWithoutLatencyMs : milliseconds);
  return { ...scaled, "retry-after-ms": inMs, "x-ms-retry-after-ms": inMs };
}
