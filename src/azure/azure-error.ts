/** Parses Azure's error responses; no other file knows the formats of error bodies. */
import { rfc3339 } from "../text/rfc3339.js";
import { isRestError, type PipelineRequest, type RestError } from "@azure/core-rest-pipeline";
import { z } from "zod";
import type { AzureDetail } from "../errors/failure.js";
import { parseJson } from "../text/json.js";
import { redacted } from "../text/redact.js";

export interface ErrorResponse {
  readonly status: number;
  readonly bodyAsText?: string | null | undefined;
  readonly headers: { get(name: string): string | undefined };
}

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly innererror?: unknown;
}

/**
 * The formats: ARM `{error:{code,message,details}}`; AKS and private DNS the same without `error`; group deletion `{Error:{Code,Message,Details}}`
 * with the inner error as a JSON string; Entra `{error,error_description}`; operation status `{status:"Failed",error:{...}}`; Key Vault
 * `{error:{code,message,innererror:{code}}}`, whose inner code distinguishes the causes of "Forbidden" and "Conflict".
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
    ? { code: lowered["code"], message: lowered["message"], details: lowered["details"], innererror: lowered["innererror"] }
    : undefined;
}

/** Blob storage returns XML, and the code also in a header; a HEAD response has only the header. */
function blobErrorOf(body: string, headers: ErrorResponse["headers"]): ErrorBody | undefined {
  const code = headers.get("x-ms-error-code");
  return code === undefined ? undefined : { code, message: /<Message>([^<]*)/.exec(body)?.[1] };
}

/** The code of each detail of AKS, whatever happened. */
const noReason = "Unspecified";

/** The most specific error: the network provider returns `RetryableError` or `Canceled`, and the cause in the first detail. */
function innermost(error: ErrorBody): ErrorBody {
  const reason = errorOf(error.innererror)?.code;
  if (typeof reason === "string" && reason !== "") return { ...error, code: reason, innererror: undefined };
  const first: unknown = Array.isArray(error.details) ? error.details[0] : undefined;
  const inner = errorOf(first) ?? {};
  if (inner.code === noReason) return error;
  const fromMessage = typeof inner.message === "string" ? errorOf(inner.message) : undefined;
  if (fromMessage?.code) return innermost(fromMessage);
  return typeof inner.code === "string" && inner.code !== "" ? innermost(inner) : error;
}

/** The error details of a response, with the innermost code and the request ID that Azure support asks for. */
export function detailOf({ status, bodyAsText, headers }: ErrorResponse): AzureDetail {
  const outer = errorOf(bodyAsText ?? "") ?? blobErrorOf(bodyAsText ?? "", headers);
  const error = outer && innermost(outer);
  const requestId = headers.get("x-ms-request-id") ?? headers.get("request-id");
  const at = Date.parse(headers.get("date") ?? "");
  return {
    status,
    ...(typeof error?.code === "string" && error.code !== "" && { code: error.code }),
    ...(typeof error?.message === "string" && error.message !== "" && { message: redacted(error.message) }),
    ...(requestId !== undefined && { requestId }),
    ...(!Number.isNaN(at) && { at: rfc3339(new Date(at)) }),
  };
}

const textIfAny = z.string().optional();
const readableError = z.object({
  code: textIfAny,
  message: textIfAny,
  error_description: textIfAny,
  details: z.array(z.object({ details: z.array(z.object({})).nullish() })).nullish(),
  additionalInfo: z.array(z.object({})).nullish(),
});

/** The body of an error with nothing that the SDKs cannot read: they take the types of its members for granted. */
export function readableErrorBody(response: ErrorResponse): string {
  const { bodyAsText } = response;
  const body = parseJson(bodyAsText ?? "");
  if (body === undefined) return bodyAsText ?? "";
  const { error } = Object(body) as { readonly error?: unknown };
  const isReadable = (value: unknown) => readableError.safeParse(value).success;
  if (isReadable(body) && (typeof error !== "object" || error === null || isReadable(error))) return bodyAsText ?? "";
  const { code, message } = detailOf(response);
  return JSON.stringify(typeof error === "string" ? { error, error_description: message } : { error: { code, message } });
}

/** The error details of a rejected request. For lists, newer SDKs preserve neither the body nor the message. */
const refusals = new WeakMap<PipelineRequest, AzureDetail>();

/** For policies that see the response before the SDK does. */
export function keepRefusal(request: PipelineRequest, detail: AzureDetail): void {
  refusals.set(request, detail);
}

/** Azure's error details from an SDK error. Newer SDKs keep the parsed body in the error's code and message, not in its response. */
export function detailOfRestError({ request, response, code, message }: RestError): AzureDetail {
  if (response && typeof response.bodyAsText === "string") return detailOf(response);
  const kept = request && refusals.get(request);
  return { ...(code !== undefined && { code }), message: redacted(message), ...(response && detailOf(response)), ...kept };
}

/** The error details of an SDK error; undefined if no response arrived. */
export function azureDetailOf(error: unknown): AzureDetail | undefined {
  return isRestError(error) && error.response ? detailOfRestError(error) : undefined;
}

/** The innermost code of an SDK error; undefined if Azure returned none. */
export function azureCodeOf(error: unknown): string | undefined {
  return azureDetailOf(error)?.code;
}

/** "AADSTS7000215", if Entra's message contains such a code. */
export function signInCodeIn(text: string): string | undefined {
  return /AADSTS\d+/.exec(text)?.[0];
}
