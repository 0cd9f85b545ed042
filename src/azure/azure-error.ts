/** Reads what Azure said out of an answer: the one place that knows the shapes of its error bodies. */
import type { AzureDetail } from "../errors/failure.js";

interface Answer {
  readonly status: number;
  readonly bodyAsText?: string | null | undefined;
  readonly headers: { get(name: string): string | undefined };
}

interface ErrorBody {
  code?: unknown;
  message?: unknown;
  details?: unknown;
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
    const description = lowered["error_description"];
    const code = typeof description === "string" ? /AADSTS\d+/.exec(description)?.[0] : undefined;
    return { code: code ?? lowered["error"], message: description };
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
    return undefined;
  }
}

/** The error whose code says most: network answers `RetryableError` or `Canceled` and means its first detail. */
function innermost(error: ErrorBody): ErrorBody {
  const first: unknown = Array.isArray(error.details) ? error.details[0] : undefined;
  const inner = errorOf(first) ?? {};
  const fromMessage = typeof inner.message === "string" ? errorOf(inner.message) : undefined;
  if (fromMessage?.code) return innermost(fromMessage);
  return typeof inner.code === "string" ? innermost(inner) : error;
}

/** What an answer says went wrong, with the innermost code and the request id that Azure's support asks for. */
export function detailOf(answer: Answer): AzureDetail {
  return detailOfBody(answer.bodyAsText ?? "", {
    status: answer.status,
    requestId: answer.headers.get("x-ms-request-id") ?? answer.headers.get("request-id"),
    at: answer.headers.get("date"),
  });
}

export function detailOfBody(
  body: unknown,
  known: { status?: number | undefined; requestId?: string | undefined; at?: string | undefined } = {},
): AzureDetail {
  const outer = errorOf(body);
  const error = outer && innermost(outer);
  const at = known.at === undefined ? NaN : Date.parse(known.at);
  return {
    ...(known.status !== undefined && { status: known.status }),
    ...(typeof error?.code === "string" && { code: error.code }),
    ...(typeof error?.message === "string" && { message: error.message }),
    ...(known.requestId !== undefined && { requestId: known.requestId }),
    ...(!Number.isNaN(at) && { at: new Date(at).toISOString() }),
  };
}
