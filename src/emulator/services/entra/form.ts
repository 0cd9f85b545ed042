/** The fields of a token request. */
import { invalidRequest } from "./errors.js";

export type Form = Readonly<Record<string, unknown>>;

export function formOf(body: unknown): Form {
  return typeof body === "object" && body !== null ? (body as Form) : {};
}

/** @throws ApiError AADSTS900144 */
export function required(form: Form, name: string): string {
  const value = form[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalidRequest(`AADSTS900144: The request body must contain the following parameter: '${name}'.`);
}
