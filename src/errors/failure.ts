/** A failure as the user sees it, independent of the terminal and the Azure SDK. */
import { plural } from "../text/plural.js";
import type { Advice } from "./advice.js";
import type { FailureCode } from "./catalogue.js";

/** The details of Azure's error response, for a support request. */
export interface AzureDetail {
  /** HTTP status; absent if there was no response. */
  readonly status?: number;
  /** Azure's error code, the innermost of nested errors: "InUseSubnetCannotBeDeleted". */
  readonly code?: string;
  readonly message?: string;
  /** `x-ms-request-id` or `request-id`. */
  readonly requestId?: string;
  /** RFC 3339, from the response's Date header. */
  readonly at?: string;
}

/** One of several problems, with its origin. */
export interface Problem {
  /** The flag, variable or `file:line` of the value: `--vnet-cidr`, `ARO_HCP_NAME`, `cluster.yaml:3`. */
  readonly origin: string;
  /** The problem, including the value. */
  readonly message: string;
}

/** An invalid file can have thousands of problems. */
const mostProblems = 20;

/** The problems of the first `items`, and the number of the others at the last one. */
export function firstProblems<Item>(items: readonly Item[], problemOf: (item: Item) => Problem): readonly Problem[] {
  const problems = items.slice(0, mostProblems).map(problemOf);
  const others = items.length - problems.length;
  const last = problems.at(-1);
  if (last === undefined || others === 0) return problems;
  return [...problems, { origin: last.origin, message: `and ${plural(others, "other problem")} after this one` }];
}

export interface FailureOptions {
  readonly because?: string | undefined;
  /** What to do next; if absent, `adviceFor` takes the catalogue's advice. */
  readonly next?: readonly Advice[] | undefined;
  readonly azure?: AzureDetail | undefined;
  /** For a failure that reports several problems: each of them. */
  readonly problems?: readonly Problem[];
  readonly cause?: unknown;
}

/** The only error that the program throws deliberately. Its message is shown to users: lower-case, with the subject and the value. */
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

  /** The same failure with Azure's response. */
  withAzure(azure: AzureDetail): Failure {
    return this.copy({ azure });
  }

  /** The same failure with other advice. */
  withAdvice(next: readonly Advice[]): Failure {
    return this.copy({ next });
  }

  /** The same failure with another message. */
  withMessage(message: string): Failure {
    return this.copy({}, message);
  }

  /** It was thrown where the original was. */
  private copy(changes: FailureOptions, message = this.message): Failure {
    const copy = new Failure(this.code, message, { ...this, cause: this.cause, ...changes });
    if (this.stack !== undefined) copy.stack = this.stack.replace(this.message, () => message);
    return copy;
  }
}
