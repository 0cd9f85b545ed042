/** A long-running operation that failed; the SDK's own error for it has neither status nor code. */
import type { AzureDetail } from "../errors/failure.js";
import type { FailedRequest } from "../errors/translate.js";

export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly detail: AzureDetail;
  /** The one that began it. */
  readonly request: FailedRequest;

  constructor(detail: AzureDetail, request: FailedRequest, options: ErrorOptions) {
    super(detail.message ?? "the operation failed", options);
    this.detail = detail;
    this.request = request;
  }
}
