/** What a request to the blob service asks for: which container and blob, and what of them. */
import type { ApiRequest } from "../../service.js";
import { notEmulated } from "./errors.js";

export interface BlobRequest {
  /** Undefined for the service as a whole. */
  readonly container: string | undefined;
  /** Undefined for a container; slashes included. */
  readonly blob: string | undefined;
  /** `comp` of the query: "list", "metadata", "blocklist"; empty for the thing itself. */
  readonly comp: string;
  readonly reads: boolean;
}

/** What of each can be asked for. A lease, a snapshot or a copy would be a state that the world does not keep. */
const emulated = {
  service: { reads: ["list"], writes: [] },
  container: { reads: ["", "metadata", "acl", "list"], writes: ["", "metadata", "acl"] },
  blob: { reads: ["", "metadata", "tags", "blocklist"], writes: ["", "metadata", "properties", "tags", "block", "blocklist"] },
} as const satisfies Record<string, { reads: readonly string[]; writes: readonly string[] }>;

/** @throws ApiError 501 for what is not emulated. */
export function parseBlobRequest({ method, path, query, headers }: ApiRequest): BlobRequest {
  const [container, ...rest] = path;
  const blob = rest.length === 0 ? undefined : rest.join("/");
  const comp = (query.get("comp") ?? "").toLowerCase();
  const reads = method === "GET" || method === "HEAD";
  if (container !== undefined && blob === undefined && query.get("restype")?.toLowerCase() !== "container") {
    throw notEmulated(`${method} /${path.join("/")} without restype=container (a blob of the root container)`);
  }
  const level = container === undefined ? "service" : blob === undefined ? "container" : "blob";
  const known: readonly string[] = emulated[level][reads ? "reads" : "writes"];
  if (method === "POST" || method === "PATCH" || !known.includes(comp)) throw notEmulated(`${method} ?comp=${comp} of a ${level}`);
  for (const header of ["x-ms-copy-source", "x-ms-lease-id"]) if (header in headers) throw notEmulated(`The header ${header}`);
  const type = headers["x-ms-blob-type"];
  if (type !== undefined && type !== "BlockBlob") throw notEmulated(`The blob type ${type}`);
  if (query.has("snapshot") || query.has("versionid")) throw notEmulated("A snapshot or version");
  return { container, blob, comp, reads };
}
