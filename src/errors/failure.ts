/** What went wrong, in the form it is shown: knows neither terminal nor Azure SDK. */
import type { Advice } from "./advice.js";
import type { FailureCode } from "./catalogue.js";

/** What Azure itself said, for a support request. */
export interface AzureDetail {
  /** HTTP status, absent where no answer came. */
  readonly status?: number;
  /** Azure's error code, the innermost where errors are nested: "InUseSubnetCannotBeDeleted". */
  readonly code?: string;
  readonly message?: string;
  /** `x-ms-request-id` or `request-id`. */
  readonly requestId?: string;
  /** RFC 3339, by the answer's Date header. */
  readonly at?: string;
}

/** One of several things that are wrong at once, with the place it comes from. */
export interface Problem {
  /** The flag, variable or `file:line` that it was given by: `--vnet-cidr`, `ARO_HCP_NAME`, `cluster.yaml:3`. */
  readonly origin: string;
  /** What is wrong, with the value. */
  readonly message: string;
}

export interface FailureOptions {
  /** Why, in one sentence. */
  readonly because?: string;
  /** What to do next; the catalogue's advice where absent. `adviceFor` decides which. */
  readonly next?: readonly Advice[];
  readonly azure?: AzureDetail;
  /** Where the failure stands for several: each of them. */
  readonly problems?: readonly Problem[];
  readonly cause?: unknown;
}

/** The only error the program throws on purpose. The message is lower-case, names the thing and the value, and is fit to show. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly because: string | undefined;
  readonly next: readonly Advice[] | undefined;
  readonly azure: AzureDetail | undefined;
  readonly problems: readonly Problem[];

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.because = options.because;
    this.next = options.next;
    this.azure = options.azure;
    this.problems = options.problems ?? [];
  }
}
