/** A long-running operation that failed; the SDK's own error for it has neither status nor code. */
import type { AzureDetail } from "../errors/failure.js";

export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly detail: AzureDetail;

  constructor(detail: AzureDetail, options: ErrorOptions) {
    super(detail.message ?? "the operation failed", options);
    this.detail = detail;
  }
}
