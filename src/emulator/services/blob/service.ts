/** `<account>.blob.core.windows.net`: the blobs of a storage account that Azure Resource Manager knows. Azurite speaks the protocol. */
import { advance } from "../../arm/operations.js";
import { keyOf } from "../../arm/resource-id.js";
import { accountNamed } from "../../arm/types/storage/names.js";
import type { Answer, Call, Service } from "../../service.js";
import type { StoredResource } from "../../state/state.js";
import type { BlobReply } from "./azurite.js";
import { parseBlobRequest, type BlobRequest } from "./blob-request.js";
import { notResolved } from "./errors.js";
import { blobsOf, BlobMirror } from "./mirror.js";
import { checkPublicAccess, recordWrite } from "./record.js";
import { authorize, containerId } from "./rights.js";

const suffix = ".blob.core.windows.net";

export interface BlobService extends Service {
  close(): Promise<void>;
}

/** One for each door: it holds the door's Azurite. */
export function newBlobService(): BlobService {
  const mirror = new BlobMirror();
  return {
    hosts: (host) => host.endsWith(suffix),
    // Blobs may be public, and the refusals are in words of their own: see rights.ts.
    anonymous: true,
    handle: (call) => handle(call, mirror),
    close: () => mirror.close(),
  };
}

async function handle(call: Call, mirror: BlobMirror): Promise<Answer> {
  advance(call);
  const { state, request } = call;
  const account = accountNamed(state, request.host.slice(0, -suffix.length));
  if (account?.properties["provisioningState"] !== "Succeeded") throw notResolved(request.host);
  // A role takes a while to reach the data: what is refused now is asked again, and is not to wait then for what is ours.
  mirror.start();
  const asked = parseBlobRequest(request);
  const grant = await authorize(call, account, asked);
  checkPublicAccess(call, account);
  const azurite = await mirror.open(state, account);
  const conditions = toAzuritesEtags(call, mirror, account, asked);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const reply =
    grant === "key"
      ? // Signed by its sender: every byte of it must arrive as it was sent.
        await azurite.send({ method: request.method, host: request.host, target: request.target, headers: request.headers, body })
      : await mirror.send(account, {
          ...split(request.target),
          method: request.method,
          headers: { ...without(request.headers, "authorization"), ...conditions },
          body,
        });
  const accepted = !asked.reads && reply.status < 300;
  if (accepted) await recordWrite(call, mirror, account, asked);
  const seconds = call.sample(asked.reads ? "read" : "blob.put");
  if (accepted) state.operationLog.push({ resource: `https://${request.host}/${request.path.join("/")}`, verb: request.method, seconds });
  return { ...toStates(call, mirror, account, asked, reply), takes: seconds };
}

/** Our etag of a blob is the one it had in the Azurite that took it; this process's may have it under another. */
function toAzuritesEtags(
  call: Call,
  mirror: BlobMirror,
  account: StoredResource,
  { container, blob }: BlobRequest,
): Record<string, string> {
  if (container === undefined || blob === undefined) return {};
  const ours = storedBlob(call, account, container, blob)?.etag;
  const theirs = mirror.etagOf(account, container, blob);
  if (ours === undefined || theirs === undefined) return {};
  const conditions = ["if-match", "if-none-match"].filter((name) => call.request.headers[name] === ours);
  return Object.fromEntries(conditions.map((name) => [name, theirs]));
}

function storedBlob({ state }: Call, account: StoredResource, container: string, blob: string) {
  const holder = state.resources[keyOf(containerId(account, container))];
  return holder && blobsOf(holder)[blob];
}

/** Of the connection between door and Azurite, and Azurite's own. */
const innerHeaders = ["connection", "keep-alive", "date", "server", "transfer-encoding", "x-ms-request-id"];

function toStates(call: Call, mirror: BlobMirror, account: StoredResource, { container, blob }: BlobRequest, reply: BlobReply): Answer {
  const headers: Record<string, string> = without(reply.headers, ...innerHeaders);
  headers["server"] = "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0";
  if (container === undefined) return { status: reply.status, headers, body: reply.body };
  if (blob === undefined)
    return { status: reply.status, headers: { ...headers, ...accessHeader(call, account, container) }, body: reply.body };
  const stored = storedBlob(call, account, container, blob);
  if (stored !== undefined && headers["etag"] === mirror.etagOf(account, container, blob)) {
    headers["etag"] = stored.etag;
    headers["last-modified"] = stored.lastModifiedAt;
  }
  return { status: reply.status, headers, body: reply.body };
}

function accessHeader({ state }: Call, account: StoredResource, container: string): Record<string, string> {
  const access = state.resources[keyOf(containerId(account, container))]?.properties["publicAccess"];
  return access === "Blob" || access === "Container" ? { "x-ms-blob-public-access": access.toLowerCase() } : {};
}

function split(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark < 0 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

function without(headers: Readonly<Record<string, string>>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
