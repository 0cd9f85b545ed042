/** Reads what Azure said out of an answer: the one place that knows the shapes of its error bodies. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { AzureDetail } from "../errors/failure.js";
import { redacted } from "./redact.js";

export interface Answer {
  readonly status: number;
  readonly bodyAsText?: string | null | undefined;
  readonly headers: { get(name: string): string | undefined };
}

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}

/**
 * The shapes: ARM `{error:{code,message,details}}`; AKS and private DNS the same without `error`; group deletion `{Error:{Code,Message,Details}}`
 * with the inner error as a JSON string; Entra `{error,error_description}`; operation status `{status:"Failed",error:{...}}`.
 */
function errorOf(body: unknown): ErrorBody | undefined {
  const parsed = typeof body === "string" ? parseJson(body) : body;
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const lowered = Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  if (typeof lowered["error"] === "string") {
    const description = typeof lowered["error_description"] === "string" ? lowered["error_description"] : "";
    return { code: signInCodeIn(description) ?? lowered["error"], message: description };
  }
  if (lowered["error"] !== undefined) return errorOf(lowered["error"]);
  return "code" in lowered || "message" in lowered
    ? { code: lowered["code"], message: lowered["message"], details: lowered["details"] }
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway's HTML page, or nothing.
    return undefined;
  }
}

/** The error whose code says most: network answers `RetryableError` or `Canceled` and means its first detail. */
function innermost(error: ErrorBody): ErrorBody {
  const first: unknown = Array.isArray(error.details) ? error.details[0] : undefined;
  const inner = errorOf(first) ?? {};
  const fromMessage = typeof inner.message === "string" ? errorOf(inner.message) : undefined;
  if (fromMessage?.code) return innermost(fromMessage);
  return typeof inner.code === "string" && inner.code !== "" ? innermost(inner) : error;
}

/** What an answer says went wrong, with the innermost code and the request id that Azure's support asks for. */
export function detailOf({ status, bodyAsText, headers }: Answer): AzureDetail {
  const outer = errorOf(bodyAsText ?? "");
  const error = outer && innermost(outer);
  const requestId = headers.get("x-ms-request-id") ?? headers.get("request-id");
  const at = Date.parse(headers.get("date") ?? "");
  return {
    status,
    ...(typeof error?.code === "string" && error.code !== "" && { code: error.code }),
    ...(typeof error?.message === "string" && error.message !== "" && { message: redacted(error.message) }),
    ...(requestId !== undefined && { requestId }),
    ...(!Number.isNaN(at) && { at: new Date(at).toISOString() }),
  };
}

/** The innermost code of what an SDK threw; undefined where Azure gave none. */
export function azureCodeOf(error: unknown): string | undefined {
  return isRestError(error) && error.response ? detailOf(error.response).code : undefined;
}

/** "AADSTS7000215", where Entra's words hold such a code. */
export function signInCodeIn(text: string): string | undefined {
  return /AADSTS\d+/.exec(text)?.[0];
}
