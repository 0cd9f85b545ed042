/** How each host wraps an error. */
import type { Answer, ApiError, ApiRequest } from "./service.js";
import { element, leaf, xmlHead } from "../common/xml.js";

/** What the error in an answer says about its request. */
export interface RequestTrace {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export function errorAnswer(error: ApiError, request: ApiRequest, trace: RequestTrace): Answer {
  if (request.host.endsWith(".blob.core.windows.net")) return blobError(error, request, trace);
  return { status: error.status, headers: error.headers, body: envelope(error, request, trace) };
}

function envelope(error: ApiError, request: ApiRequest, trace: RequestTrace): unknown {
  if (request.host === "login.microsoftonline.com") return entraError(error, request, trace);
  const { code, message, details, inner, beside } = error;
  if (request.host.endsWith(".instance-metadata.invalid")) return { error: code, error_description: message };
  if (request.host === "graph.microsoft.com") {
    const date = new Date(trace.now).toISOString().slice(0, 19);
    const clientRequestId = request.headers["client-request-id"] ?? trace.requestId;
    return {
      error: {
        code,
        message,
        ...(details && { details }),
        innerError: { date, "request-id": trace.requestId, "client-request-id": clientRequestId },
      },
    };
  }
  const said = { code, message, ...beside, ...(details && { details }), ...(inner !== undefined && { innererror: { code: inner } }) };
  return error.bare ? said : { error: said };
}

/** Clients take the code from the header, which an answer to HEAD has too. */
function blobError(error: ApiError, request: ApiRequest, { requestId, now }: RequestTrace): Answer {
  const { status, code, message, headers, beside = {} } = error;
  const text = `${message}\nRequestId:${requestId}\nTime:${new Date(now).toISOString().replace("Z", "0000Z")}`;
  const details = Object.entries(beside).map(([name, value]) => leaf(name, String(value)));
  const body = element("Error", [leaf("Code", code), leaf("Message", text), ...details]);
  return {
    status,
    headers: {
      ...headers,
      "content-type": "application/xml",
      "x-ms-error-code": code,
      "x-ms-version": request.headers["x-ms-version"] ?? "2009-09-19",
    },
    body: xmlHead + body,
  };
}

/** Clients branch on the number in `error_codes` and read it out of the text. */
function entraError(error: ApiError, request: ApiRequest, trace: RequestTrace): unknown {
  const correlation = request.headers["client-request-id"] ?? trace.requestId;
  const timestamp = `${new Date(trace.now).toISOString().slice(0, 19).replace("T", " ")}Z`;
  const [, number] = /^AADSTS(\d+)/.exec(error.message) ?? [];
  return {
    error: error.code,
    error_description: `${error.message} Trace ID: ${trace.requestId} Correlation ID: ${correlation} Timestamp: ${timestamp}`,
    error_codes: number === undefined ? [] : [Number(number)],
    timestamp,
    trace_id: trace.requestId,
    correlation_id: correlation,
    ...(number !== undefined && { error_uri: `https://login.microsoftonline.com/error?code=${number}` }),
  };
}
