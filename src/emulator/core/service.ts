/** A service of the emulator: a function from a call to an answer, on a draft of the state. */
import type { EmulatorRandom } from "../common/random.js";
import type { AnsweredVersion, AzureState } from "../state/state.js";

export interface ApiRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Lower case, without port: "management.azure.com". */
  readonly host: string;
  /** Decoded path segments, empty ones dropped (clients send `//subscriptions`). Case as sent. */
  readonly path: readonly string[];
  /** The raw path and query, for signed operation URLs that must be echoed exactly. */
  readonly target: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON or form fields, a blob's bytes as a Buffer; undefined without a body. Read it after routing: it throws 400 and 415. */
  readonly body: unknown;
}

export interface Caller {
  /** Object ID of the service principal. */
  readonly objectId: string;
  readonly appId: string;
  /** The audience the token is for: "https://management.azure.com", "https://graph.microsoft.com". */
  readonly audience: string;
}

export interface Call {
  readonly request: ApiRequest;
  /** A draft of the state that this call may change; committed if the answer is a success. It ends with the call. */
  readonly state: AzureState;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly caller: Caller | undefined;
  /** Samples the duration of an operation from the profile, in seconds as on real Azure; 0 if latency is "none". */
  sample(key: string): number;
  /** The result of the service's `prepare`. */
  readonly prepared?: unknown;
  /** Milliseconds of the real clock for `seconds` of Azure's: divided by the time scale. */
  milliseconds(seconds: number): number;
  /** Notes that the request's api-version is answered in the shape of another, for the record and `local status`. */
  readonly noteVersion?: (answered: AnsweredVersion) => void;
  /** A UUID derived from the seed of the state. */
  uuid(): string;
  /** For what nobody may guess. */
  readonly random: EmulatorRandom;
}

/** A call whose sender is not known yet, and whose body may not have been read. */
export type Asking = Omit<Call, "caller" | "prepared">;

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, except for a string or a Buffer, which is sent as it is. */
  readonly body?: unknown;
  /** Seconds (as on real Azure) that the answer itself takes: the synchronous part of a call. */
  readonly takes?: number;
}

/** A refusal, thrown anywhere in a service and answered in the host's error envelope. By default it discards the changes to the state. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown[] | undefined;
  /** The code of the inner error, if the host has one (Key Vault): clients branch on it. */
  readonly inner: string | undefined;
  /** Members that few errors have: target, additionalInfo. */
  readonly beside: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Record<string, string>;
  /** Answered without `error` around it, as AKS and DNS do. */
  readonly bare: boolean;
  /** Whether the state keeps what changed before the refusal. */
  readonly commits: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      details?: unknown[];
      inner?: string;
      beside?: Record<string, unknown>;
      headers?: Record<string, string>;
      bare?: boolean;
      commits?: boolean;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.inner = options.inner;
    this.beside = options.beside;
    this.headers = options.headers ?? {};
    this.bare = options.bare ?? false;
    this.commits = options.commits ?? false;
  }
}

/** The answer to what Azure does and the emulator does not. `sentence` names it. */
export function notImplemented(sentence: string): ApiError {
  return new ApiError(501, "NotImplementedByEmbeddedAzure", sentence);
}

/** An anonymous GET's answer. */
export interface Fetched {
  readonly status: number;
  readonly text: string;
}

/** What a service may use before it computes its answer. */
export interface Deps {
  /** Reads the current state; changes to it are discarded. */
  readState<T>(read: (state: AzureState) => T): Promise<T>;
  /** GETs an HTTPS URL: from this server where it stands for the host, otherwise from the network. Undefined without an answer. */
  fetch(url: string): Promise<Fetched | undefined>;
}

export interface Service {
  readonly hosts: (host: string) => boolean;
  /**
   * Identifies the sender by the head of its request: before the body is read, and again in the transaction. Absent if everybody may ask,
   * as Entra and discovery. @throws ApiError in the words of the host
   */
  identify?(asking: Asking): Caller | undefined | Promise<Caller | undefined>;
  /** Looks up what lies outside the state: once, however often the answer is computed. */
  prepare?(request: ApiRequest, deps: Deps): Promise<unknown>;
  handle(call: Call): Answer | Promise<Answer>;
}
