/** `<account>.blob.core.windows.net`: the blobs of a storage account that Azure Resource Manager knows. */
import { advance } from "../../arm/operations.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { accountNamed } from "../../arm/types/storage/names.js";
import type { Answer, Call, Service } from "../../core/service.js";
import type { ContentFiles } from "../../state/content-files.js";
import { parseBlobRequest } from "./blob-request.js";
import { notResolved } from "./errors.js";
import { authorize } from "./rights.js";

const suffix = ".blob.core.windows.net";
/** What the service answers to who names no version, as everybody who reads a public blob. */
const oldestVersion = "2009-09-19";

export function blobService(files: ContentFiles): Service {
  return {
    hosts: (host) => host.endsWith(suffix),
    // Blobs may be public, and the refusals are in words of their own: see rights.ts.
    anonymous: true,
    handle: (call) => handle(call, files),
  };
}

function handle(call: Call, files: ContentFiles): Answer {
  advance({ ...call, types: emulatedTypes });
  const { state, request } = call;
  const account = accountNamed(state, request.host.slice(0, -suffix.length));
  if (account?.properties["provisioningState"] !== "Succeeded") throw notResolved(request.host);
  const asked = parseBlobRequest(request);
  const principal = authorize(call, account, asked);
  const { operation, container, blob } = asked;
  const { headers, query } = request;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const answer = operation.handle({ call, account, files, container, blob, headers, query, body, principal });
  const seconds = call.sample(operation.writes ? "blob.put" : "read");
  if (operation.writes)
    state.operationLog.push({ resource: `https://${request.host}/${request.path.join("/")}`, verb: request.method, seconds });
  return {
    ...answer,
    headers: {
      server: "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0",
      "x-ms-version": headers["x-ms-version"] ?? query.get("sv") ?? oldestVersion,
      ...answer.headers,
    },
    takes: seconds,
  };
}
