/** Entra's refusals: an OAuth error, and a text that starts with the number that clients branch on. */
import { ApiError } from "../../core/service.js";

/** The status and error of a wrong credential. */
export function invalidClient(text: string): ApiError {
  return new ApiError(401, "invalid_client", text);
}

export function invalidRequest(text: string): ApiError {
  return new ApiError(400, "invalid_request", text);
}
