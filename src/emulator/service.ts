/** What a service of the emulator is: a function from a call to an answer, on a world. */
import type { AzureState } from "./state/state.js";

/** A request as it arrived, decoded. */
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
  /** Parsed JSON or form fields, a blob's bytes as a Buffer; undefined where there is none. */
  readonly body: unknown;
}

/** Who calls, from a verified access token. */
export interface Caller {
  /** Object id of the service principal. */
  readonly objectId: string;
  readonly appId: string;
  /** The audience the token is for: "https://management.azure.com", "https://graph.microsoft.com". */
  readonly audience: string;
}

export interface Call {
  readonly request: ApiRequest;
  /** A copy of the world that this call may change; committed if the answer says so by being a success. */
  readonly state: AzureState;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly caller: Caller | undefined;
  /** Draws the duration of an operation from the profile: seconds as on real Azure; 0 where latency is "none". */
  sample(key: string): number;
  /** What the service's `prepare` came to. */
  readonly prepared?: unknown;
  /** Milliseconds of the real clock for `seconds` of Azure's: divided by the time scale. */
  milliseconds(seconds: number): number;
  /** A UUID from the world's seed. */
  uuid(): string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string or a Buffer is sent as it is. */
  readonly body?: unknown;
  /** Seconds (as on real Azure) that the answer itself takes: the synchronous part of a call. */
  readonly takes?: number;
}

/** A refusal, thrown anywhere in a service and answered in the host's error envelope. The world is left as it was, unless it says otherwise. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown[] | undefined;
  /** The code of the inner error, where the host has one (Key Vault): clients branch on it. */
  readonly inner: string | undefined;
  /** Members of the error that few have: target, additionalInfo. */
  readonly beside: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Record<string, string>;
  /** Whether the world keeps what was changed in it before the refusal. */
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
    this.commits = options.commits ?? false;
  }
}

/** The loud answer to what Azure does and this does not. `sentence` says what that is. */
export function notImplemented(sentence: string): ApiError {
  return new ApiError(501, "NotImplementedByEmbeddedAzure", sentence);
}

/** An anonymous GET's answer. */
export interface Fetched {
  readonly status: number;
  readonly text: string;
}

/** What a service may use before its answer is computed. */
export interface Deps {
  /** Reads the world as it is; what is changed in it is lost. */
  look<T>(read: (state: AzureState) => T): Promise<T>;
  /** GETs an HTTPS URL: through this door where it stands for the host, from the network otherwise. Undefined where no answer came. */
  fetch(url: string): Promise<Fetched | undefined>;
}

export interface Service {
  /** Which hosts it answers for. */
  readonly hosts: (host: string) => boolean;
  /** Whether a call must carry a token; Entra and discovery do not. */
  readonly anonymous: boolean;
  /** Looks up what lies outside the world: once, however often the answer is computed. */
  prepare?(request: ApiRequest, deps: Deps): Promise<unknown>;
  handle(call: Call): Answer | Promise<Answer>;
}
