/** The largest body that each host reads: Azure's published limit, or room for the largest valid request. */
import type { ApiRequest } from "./service.js";

const kib = 1024;
const mib = 1024 * kib;

/** The first row with a matching end of the hostname counts. */
const rows: readonly (readonly [end: string, limit: number])[] = [
  // https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
  ["management.azure.com", 4 * mib],
  // https://learn.microsoft.com/graph/errors: 413 for more than 4 MB.
  ["graph.microsoft.com", 4 * mib],
  // Everybody may ask for a token. A client assertion with its chain of certificates has some ten kilobytes.
  ["login.microsoftonline.com", 128 * kib],
  // A secret has at most 25 kB (https://learn.microsoft.com/azure/key-vault/secrets/about-secrets), six times as much if JSON escapes each character.
  [".vault.azure.net", 256 * kib],
  [".managedhsm.azure.net", 256 * kib],
  // A list of 50,000 blocks.
  [".blob.core.windows.net", 8 * mib],
  ["", 64 * kib],
];

/** The limit of a block. Azure accepts a blob of 5000 MiB in one request, more than a buffer of Node.js 20 can hold. */
const contentLimit = 4000 * mib;

/** Other methods have no body: what a client sends with them is not read. */
export function hasBody({ method }: ApiRequest): boolean {
  return method === "PUT" || method === "PATCH" || method === "POST";
}

export function bodyLimit(request: ApiRequest): number {
  if (isContent(request)) return contentLimit;
  return rows.find(([end]) => request.host.endsWith(end))?.[1] ?? 0;
}

/** Whether the body is a blob, or a block of one. */
function isContent({ method, host, query }: ApiRequest): boolean {
  return method === "PUT" && host.endsWith(".blob.core.windows.net") && ["", "block"].includes(query.get("comp") ?? "");
}
