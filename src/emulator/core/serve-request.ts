/** Answers a decoded request: finds the service and the caller, and runs the transaction. */
import { ApiError, type Answer, type ApiRequest, type Asking, type Call, type Deps, type Service, notImplemented } from "./service.js";
import { countVersion } from "../state/answered-versions.js";
import { nameRequest } from "../state/operation-log.js";
import { sampleUuid, durationSampler, type Latency } from "../state/sampling.js";
import type { AnsweredVersion, AzureState } from "../state/state.js";
import type { StateStore } from "../state/store.js";
import type { ClockAndRandom } from "../common/random.js";
import { hasBody } from "./body-limits.js";
import type { Throttle } from "./throttle.js";

export interface ServerDeps extends ClockAndRandom {
  readonly store: StateStore;
  readonly services: readonly Service[];
  readonly throttle: Throttle;
  readonly latency: Latency;
  readonly timeScale: number;
  /** See `Deps`. */
  readonly fetch: Deps["fetch"];
}

const methods: readonly string[] = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"] satisfies ApiRequest["method"][];

/**
 * `read` completes the request with its body, once its sender is known; `requestId` is sent with the answer.
 * @throws ApiError for a refusal; any other error is a bug in the service. Both leave the state unchanged.
 */
export async function serveRequest(
  head: ApiRequest,
  read: () => Promise<ApiRequest>,
  requestId: string,
  deps: ServerDeps,
  noteVersion: (answered: AnsweredVersion) => void,
): Promise<Answer> {
  const { store, clock, random, services, throttle, latency, timeScale } = deps;
  const began = clock.elapsedMs();
  let answered: AnsweredVersion | undefined;
  if (!methods.includes(head.method)) throw new ApiError(405, "MethodNotAllowed", `The HTTP method ${head.method} is not supported.`);
  const service = services.find((each) => each.hosts(head.host));
  if (service === undefined) throw notEmulated(`The host '${head.host}'`);
  const sampleFor = `${head.method} ${head.path.join("/").toLowerCase()}`;
  const asking = (request: ApiRequest, state: AzureState): Asking => ({
    request,
    state,
    now: clock.now().getTime(),
    sample: durationSampler(state.seed, latency, sampleFor),
    milliseconds: (seconds: number) => (seconds * 1000) / timeScale,
    uuid: () => sampleUuid(state),
    random,
    noteVersion(version) {
      answered = version;
      noteVersion(version);
    },
  });
  if (hasBody(head) && service.identify !== undefined) {
    await store.transact(async (state) => ({ value: await service.identify?.(asking(head, state)), commit: false }));
  }
  const request = await read();
  const readState: Deps["readState"] = (work) => store.transact((state) => ({ value: work(state), commit: false }));
  const prepared = await service.prepare?.(request, { readState, fetch: deps.fetch });
  let limits: Readonly<Record<string, string>> | undefined;
  const serve = store.transact<Answer | ApiError>(async (state) => {
    const asked = asking(request, state);
    const caller = await service.identify?.(asked);
    // Drawn once, however often the answer is computed.
    if (caller !== undefined && request.host === "management.azure.com") limits ??= throttle.take(request, caller, asked.now);
    const call: Call = { ...asked, caller, prepared };
    const written = state.operationCount;
    try {
      const value = await service.handle(call);
      nameRequest(state, written, requestId);
      return { value, commit: value.status < 400 };
    } catch (error) {
      if (error instanceof ApiError && error.commits) return { value: error, commit: true };
      throw error;
    }
  });
  // By itself, so that it counts refusals and reads too, whose changes to the state are discarded.
  const answer = await serve.finally(async () => {
    const version = answered;
    if (version !== undefined) await store.transact((state) => ({ value: countVersion(state, version), commit: true }));
  });
  if (answer instanceof ApiError) throw answer;
  // The time to compute the answer is part of Azure's time, not on top of it.
  const takes = Math.max(0, (answer.takes ?? 0) - ((clock.elapsedMs() - began) * timeScale) / 1000);
  return { ...answer, takes, headers: { ...limits, ...(latency === "none" && pollAtOnce(request, answer)), ...answer.headers } };
}

/** The hosts whose writes start what clients poll: not Graph, and not blobs. */
const polled = /^management\.azure\.com$|\.vault\.azure\.net$/;

/** Without latency, what a write starts has ended when it is answered. */
function pollAtOnce({ host, method }: ApiRequest, { status }: Answer): Readonly<Record<string, string>> {
  return polled.test(host) && method !== "GET" && method !== "HEAD" && status < 300 ? { "retry-after-ms": "0" } : {};
}

function notEmulated(what: string): ApiError {
  return notImplemented(`${what} is not emulated.`);
}
