/** The record of all traffic: one JSON line a request, credentials masked, in a file that several processes may share. */
import { appendFileSync } from "node:fs";
import type { ApiRequest } from "./service.js";
import { isContainer } from "../state/plain-copy.js";

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
  /** Only if the emulator does not know the request's api-version: the one whose shape answers it. */
  readonly answeredAs?: string;
}

/** Appends in one write, so that lines of several processes do not mix. A lost connection has no line: nothing was answered. */
export function recordTraffic(
  file: string,
  request: ApiRequest,
  answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly byFault: boolean;
    readonly answeredAs: string | undefined;
  },
): void {
  const line: TrafficLine = {
    method: request.method,
    url: `https://${request.host}${maskUrl(request.target)}`,
    requestHeaders: maskHeaders(request.headers),
    requestBody: maskBody(request, asText(bodyOf(request))),
    status: answer.status,
    responseHeaders: maskHeaders(answer.headers),
    responseBody: maskBody(request, asText(answer.body)),
    ...(answer.byFault && { byFault: true }),
    ...(answer.answeredAs !== undefined && { answeredAs: answer.answeredAs }),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/** Undefined if the body cannot be parsed. */
function bodyOf(request: ApiRequest): unknown {
  try {
    return request.body;
  } catch {
    return undefined;
  }
}

/** A body of bytes, such as that of a blob, as text. */
function asText(body: unknown): unknown {
  if (!Buffer.isBuffer(body)) return body ?? null;
  return body.length === 0 ? null : body.toString();
}

/** Stands for a credential in what is recorded. */
const mask = "***";
/** The mask of a kubeconfig, which is described as base64. */
const maskedBytes = Buffer.from(mask).toString("base64");

const secretHeaders = new Set([
  ...["authorization", "x-ms-authorization-auxiliary", "x-ms-copy-source-authorization", "x-ms-encryption-key"],
  ...["cookie", "set-cookie"],
]);

/** In lower case. Of Entra, of Graph, and of Resource Manager's clusters and extensions. */
const secretMembers = [
  ...["client_secret", "client_assertion", "assertion", "password", "access_token", "refresh_token", "id_token"],
  "secrettext",
  ...["secret", "clientsecret", "pullsecret", "adminpassword", "kubeadminpassword", "configurationprotectedsettings"],
];
/** What a vault stores, signs and decrypts, and the private members of a key (RFC 7518). */
const vaultMembers = [...secretMembers, "value", "pwd", "d", "p", "q", "dp", "dq", "qi", "k", "key_hsm"];
/** Members of answers to `listKeys` and `listClusterUserCredential`, of secrets in vaults and of deployments' parameters. */
const valueMembers = [...secretMembers, "value", "token", "kubeconfig"];

/** `target` is a URL, or its path and query. */
function maskUrl(target: string): string {
  return target.replace(/([?&]sig=)[^&#]*/gi, `$1${mask}`);
}

function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? mask : maskUrl(value)]),
  );
}

/** The body of `request`, or of the answer to it. */
export function maskBody(request: ApiRequest, body: unknown): unknown {
  if (isVault(request) && !isRecord(body)) return hide(body);
  if (typeof body === "string" && request.query.get("comp") === "userdelegationkey") return body.replace(/(<Value>)[^<]*/g, `$1${mask}`);
  return maskMembers(body, new Set(secretMembersOf(request)), mask);
}

function secretMembersOf(request: ApiRequest): readonly string[] {
  if (isVault(request)) return vaultMembers;
  const isList = request.method === "POST" && /^list/i.test(request.path.at(-1) ?? "");
  return isList || request.path.some((segment) => /^(secrets|deployments)$/i.test(segment)) ? valueMembers : secretMembers;
}

function isVault({ host }: ApiRequest): boolean {
  return host.endsWith(".vault.azure.net") || host.endsWith(".managedhsm.azure.net");
}

function maskMembers(body: unknown, secret: ReadonlySet<string>, instead: string): unknown {
  if (Array.isArray(body)) return body.map((one) => maskMembers(one, secret, instead));
  if (typeof body === "string") return maskUrl(body);
  if (!isRecord(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (!secret.has(name.toLowerCase())) return [name, maskMembers(value, secret, name === "kubeconfigs" ? maskedBytes : instead)];
      // A list has its entries in `value`: objects, whose own members decide.
      const hidden = (one: unknown) => (isRecord(one) ? maskMembers(one, secret, instead) : hide(one, instead));
      return [name, Array.isArray(value) ? value.map(hidden) : hide(value, instead)];
    }),
  );
}

/** Replaces every value; lists and objects keep their form. */
function hide(value: unknown, instead = mask): unknown {
  if (Array.isArray(value)) return value.map((one) => hide(one, instead));
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hide(one, instead)]));
  return value === null || value === undefined ? value : instead;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}
