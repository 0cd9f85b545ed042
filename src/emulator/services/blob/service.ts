/** `<account>.blob.core.windows.net`: the blobs of a storage account that Azure Resource Manager knows. */
import { advance } from "../../arm/operations.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { accountNamed } from "../../arm/types/storage/names.js";
import type { Answer, Asking, Call, Service } from "../../core/service.js";
import type { ContentFiles } from "../../state/content-files.js";
import type { StoredResource } from "../../state/state.js";
import { parseBlobRequest } from "./blob-request.js";
import { notResolved } from "./errors.js";
import { authorize } from "./rights.js";
import { logOperation } from "../../state/operation-log.js";

const suffix = ".blob.core.windows.net";
/** What the service answers to who names no version, as everybody who reads a public blob. */
const oldestVersion = "2009-09-19";

export function blobService(files: ContentFiles): Service {
  return {
    hosts: (host) => host.endsWith(suffix),
    identify(asking) {
      advance({ ...asking, types: emulatedTypes });
      return authorize(asking, readyAccount(asking), parseBlobRequest(asking.request));
    },
    handle: (call) => handle(call, files),
  };
}

function handle(call: Call, files: ContentFiles): Answer {
  const { state, request } = call;
  const account = readyAccount(call);
  const { operation, container, blob } = parseBlobRequest(request);
  const { headers, query } = request;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const answer = operation.handle({ call, account, files, container, blob, headers, query, body, principal: call.caller?.objectId });
  const seconds = call.sample(operation.writes ? "blob.put" : "read");
  if (operation.writes)
    logOperation(state, { resource: `https://${request.host}/${request.path.join("/")}`, verb: request.method, seconds });
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

function readyAccount({ state, request }: Asking): StoredResource {
  const account = accountNamed(state, request.host.slice(0, -suffix.length));
  if (account?.properties["provisioningState"] !== "Succeeded") throw notResolved(request.host);
  return account;
}
