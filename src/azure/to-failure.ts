/** From whatever an SDK throws to the failure that explains it. */
import { isRestError } from "@azure/core-rest-pipeline";
import { Failure, type AzureDetail } from "../errors/failure.js";
import { failureCodeFor } from "../errors/translate.js";
import { detailOf } from "./azure-error.js";

/** A long-running operation that ended badly; the SDK's own error for it has neither status nor code. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly detail: AzureDetail;

  constructor(detail: AzureDetail, options: ErrorOptions) {
    super(detail.message ?? "the operation failed", options);
    this.detail = detail;
  }
}

/** What @azure/identity throws: by name, so that its 200 ms of import are not paid to compare a class. */
const signInErrors = new Set([
  "AuthenticationError",
  "CredentialUnavailableError",
  "AggregateAuthenticationError",
  "AuthenticationRequiredError",
]);

/** `subject` is what it was about: "load balancer demo-x7k2". Anything unknown is a fault of ours. */
export function toFailure(error: unknown, subject: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof OperationError) return explained(subject, error.detail, error);
  if (isRestError(error)) return explained(subject, error.response ? detailOf(error.response) : withoutAnswer(error), error);
  if (!(error instanceof Error)) return new Failure("ARO-BUG-001", `${subject}: threw a value of type ${typeof error}`);
  if (signInErrors.has(error.name)) {
    return new Failure("ARO-AUTH-001", "sign-in failed", { because: firstLine(error.message), azure: withCode(error), cause: error });
  }
  return new Failure("ARO-BUG-001", `${subject}: ${error.message}`, { cause: error });
}

function explained(subject: string, azure: AzureDetail, cause: Error): Failure {
  return new Failure(failureCodeFor(azure), `${subject} failed`, {
    because: azure.message === undefined ? "Azure gave no reason" : firstLine(azure.message),
    azure,
    cause,
  });
}

function withoutAnswer(error: { readonly code?: string; readonly message: string }): AzureDetail {
  return { ...(error.code !== undefined && { code: error.code }), message: error.message };
}

function withCode({ message }: Error): AzureDetail {
  const code = /AADSTS\d+/.exec(message)?.[0];
  return code === undefined ? {} : { code };
}

/** Entra adds trace ids and Azure diagnostics on later lines. */
function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? text;
}
