/** Entra's refusals: an OAuth error, and a text that begins with the number clients branch on. */
import { ApiError } from "../../service.js";

/** Where a wrong credential is refused. */
export function invalidClient(text: string): ApiError {
  return new ApiError(401, "invalid_client", text);
}

export function invalidRequest(text: string): ApiError {
  return new ApiError(400, "invalid_request", text);
}
