/** The record of all traffic: one JSON line a request, credentials masked, in a file that several processes may share. */
import { appendFileSync } from "node:fs";
import { isRecord } from "../arm/types/body-schema.js";
import type { ApiRequest } from "../service.js";

/** One line of the record. Bodies are parsed if they are JSON or a form; absent ones are null. */
interface TrafficLine {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: unknown;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: unknown;
  /** Only if a fault rule answered: the words are the rule's, not the emulator's. */
  readonly byFault?: true;
}

const secretHeaders = new Set(["authorization", "x-ms-authorization-auxiliary", "cookie", "set-cookie"]);
const secretFields = new Set(["client_secret", "client_assertion", "access_token", "refresh_token", "id_token", "assertion"]);
const mask = "***";

/** Appends in one write, so that lines of several processes do not mix. A lost connection has no line: nothing was answered. */
export function recordTraffic(
  file: string,
  request: ApiRequest,
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly byFault: boolean;
  },
): void {
  const line: TrafficLine = {
    method: request.method,
    url: `https://${request.host}${request.target}`,
    requestHeaders: maskNames(request.headers, secretHeaders),
    requestBody: maskFields(request, bodyOf(request) ?? null),
    status: answer.status,
    responseHeaders: maskNames(answer.headers, secretHeaders),
    responseBody: maskFields(request, answer.body ?? null),
    ...(answer.byFault && { byFault: true }),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/** Null in the record if it cannot be parsed. */
function bodyOf(request: ApiRequest): unknown {
  try {
    return request.body;
  } catch {
    return undefined;
  }
}

function maskNames<T>(record: Readonly<Record<string, T>>, secret: ReadonlySet<string>): Record<string, T | string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, secret.has(name.toLowerCase()) ? mask : value]));
}

/** Credentials are fields of the outermost object, in Entra's requests and answers and in a vault's secrets, and the keys of a storage account. */
function maskFields({ host, path }: ApiRequest, body: unknown): unknown {
  if (Buffer.isBuffer(body)) return body.length === 0 ? null : body.toString();
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const masked = maskNames(body as Record<string, unknown>, secretFields);
  if (/^listKeys$/i.test(path.at(-1) ?? "") && "keys" in body && Array.isArray(body.keys)) {
    return { ...body, keys: body.keys.map((key: object) => ({ ...key, value: mask })) };
  }
  if (host.endsWith(".vault.azure.net") && isRecord(masked["credentials"])) {
    return { ...masked, credentials: maskNames(masked["credentials"], new Set(["pwd"])) };
  }
  // In a vault's lists, `value` holds the entries, which contain no secret.
  return host.endsWith(".vault.azure.net") && typeof masked["value"] === "string" ? { ...masked, value: mask } : masked;
}
