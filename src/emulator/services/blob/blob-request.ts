/** Which operation a request asks for, on which container and blob; what is not emulated is refused by name. */
import type { ApiRequest } from "../../core/service.js";
import { invalidHeaderValue, notEmulated } from "./errors.js";
import type { BlobRequest, Operation } from "./operation.js";
import { operations } from "./operations.js";
import { signatureParameters } from "./shared-access-signature.js";

const commonHeaders = ["version", "date", "client-request-id", "return-client-request-id", "correlation-request-id", "useragent"];
const commonQuery = ["comp", "restype", "timeout", "api-version", ...signatureParameters];
/** They say which of several contents of a blob is meant. */
const versionQuery = ["snapshot", "versionid", "sharesnapshot"];

/** @throws ApiError 501 for what is not emulated. */
export function parseBlobRequest(request: ApiRequest): BlobRequest {
  const { method, query } = request;
  const { container, blob } = resourceOf(request);
  const comp = (query.get("comp") ?? "").toLowerCase();
  const restype = query.get("restype")?.toLowerCase();
  if (container !== "" && blob === "" && restype !== "container") {
    throw notEmulated(`${method} /${container} without restype=container (a blob of the root container)`);
  }
  if (container.startsWith("$")) throw notEmulated(`The container ${container}`);
  const level = container === "" ? "service" : blob === "" ? "container" : "blob";
  const operation = operations.find(
    (one) => one.level === level && one.comp === comp && one.methods.includes(method) && (level !== "service" || one.restype === restype),
  );
  if (operation === undefined) {
    const wanted = [restype !== undefined && `restype=${restype}`, comp !== "" && `comp=${comp}`].filter(Boolean).join("&");
    throw notEmulated(`${method} of a ${level}${wanted === "" ? "" : ` with ${wanted}`}`);
  }
  refuseUnknown(request, operation);
  return { operation, container, blob };
}

function refuseUnknown({ headers, query }: ApiRequest, operation: Operation): void {
  const known = [...commonHeaders, ...(operation.headers ?? [])];
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith("x-ms-")) continue;
    const name = header.slice("x-ms-".length);
    if (header === "x-ms-blob-type" && value !== "BlockBlob") throw notEmulated(`The blob type ${value}`);
    if (!known.some((one) => (one.endsWith("-") ? name.startsWith(one) : name === one))) throw notEmulated(`The header ${header}`);
  }
  const version = headers["x-ms-version"];
  if (version !== undefined && !/^20\d\d-\d\d-\d\d$/.test(version)) throw invalidHeaderValue("x-ms-version", version);
  for (const parameter of query.keys()) {
    const name = parameter.toLowerCase();
    if (versionQuery.includes(name)) throw notEmulated(`The query parameter ${parameter}`);
    // The service itself overlooks what it does not know: addresses of public blobs carry all sorts of things.
    if (operation.writes && ![...commonQuery, ...(operation.query ?? [])].includes(name)) {
      throw notEmulated(`The query parameter ${parameter}`);
    }
  }
}

/** From the raw path: names of blobs may hold empty segments, and end in a slash. */
function resourceOf({ target }: ApiRequest): { container: string; blob: string } {
  const [, container = "", blob = ""] = /^\/([^/?]*)(?:\/([^?]*))?/.exec(target) ?? [];
  return { container: decoded(container), blob: decoded(blob) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
