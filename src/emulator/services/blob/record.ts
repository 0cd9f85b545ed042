/** What a write that Azurite took changes in the world. */
import { removeTree } from "../../arm/removal.js";
import { keyOf } from "../../arm/resource-id.js";
import { containerContent } from "../../arm/types/storage/containers.js";
import { containerType } from "../../arm/types/storage/versions.js";
import type { Call } from "../../service.js";
import type { StoredBlob } from "../../state/blob-content.js";
import type { StoredResource } from "../../state/state.js";
import type { BlobRequest } from "./blob-request.js";
import { publicAccessNotPermitted } from "./errors.js";
import { blobPath, blobsOf, type BlobMirror } from "./mirror.js";
import { containerId } from "./rights.js";

/** Blocks that are not committed stay in this process's Azurite: the world has blobs only. */
export async function recordWrite(call: Call, mirror: BlobMirror, account: StoredResource, asked: BlobRequest): Promise<void> {
  const { container, blob, comp } = asked;
  if (container === undefined || comp === "block") return;
  if (blob === undefined) recordContainer(call, mirror, account, container, comp);
  else await recordBlob(call, mirror, account, container, blob);
}

/** @throws ApiError 409 for public access that the account does not permit, before Azurite is asked. */
export function checkPublicAccess({ request }: Call, account: StoredResource): void {
  if (request.headers["x-ms-blob-public-access"] === undefined || account.properties["allowBlobPublicAccess"] === true) return;
  throw publicAccessNotPermitted();
}

function recordContainer(call: Call, mirror: BlobMirror, account: StoredResource, name: string, comp: string): void {
  const { request, state, now } = call;
  const id = containerId(account, name);
  if (request.method === "DELETE") {
    removeTree(state, id);
    mirror.noteContainer(account, name, undefined);
    return;
  }
  const had = state.resources[keyOf(id)];
  const changed = {
    ...(comp !== "metadata" && { publicAccess: accessSent(request.headers["x-ms-blob-public-access"]) }),
    ...(comp !== "acl" && { metadata: metadataIn(request.headers) }),
  };
  const etag = `"${call.uuid()}"`;
  state.resources[keyOf(id)] = {
    id,
    name,
    type: containerType,
    etag,
    properties: containerContent(now, { ...had?.properties, ...changed }),
  };
  mirror.noteContainer(account, name, etag);
}

function accessSent(header: string | undefined): string {
  return header === "blob" ? "Blob" : header === "container" ? "Container" : "None";
}

/** Read back from Azurite, so that whatever kind of write it was, the world has what a reader gets. */
async function recordBlob(call: Call, mirror: BlobMirror, account: StoredResource, container: string, name: string): Promise<void> {
  const holder = call.state.resources[keyOf(containerId(account, container))];
  if (holder === undefined) return;
  const path = blobPath(container, name);
  const { status, headers, body } = await mirror.send(account, { method: "GET", path });
  if (status !== 200) {
    delete blobsOf(holder)[name];
    mirror.note(account, container, name, undefined);
    return;
  }
  const tags = Number(headers["x-ms-tag-count"] ?? "0") > 0 ? await tagsOf(mirror, account, path) : undefined;
  const etag = headers["etag"] ?? "";
  const stamp = call.uuid();
  const blob: StoredBlob = {
    stamp,
    content: body.toString("base64"),
    etag,
    lastModifiedAt: headers["last-modified"] ?? "",
    ...named(headers, "contentType", "content-type"),
    ...named(headers, "contentEncoding", "content-encoding"),
    ...named(headers, "contentLanguage", "content-language"),
    ...named(headers, "contentDisposition", "content-disposition"),
    ...named(headers, "cacheControl", "cache-control"),
    ...(Object.keys(metadataIn(headers)).length > 0 && { metadata: metadataIn(headers) }),
    ...(tags && { tags }),
  };
  blobsOf(holder)[name] = blob;
  mirror.note(account, container, name, { stamp, etag });
}

function named(headers: Readonly<Record<string, string>>, member: string, header: string): Record<string, string> {
  const value = headers[header];
  return value === undefined || value === "" ? {} : { [member]: value };
}

function metadataIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = "x-ms-meta-";
  const entries = Object.entries(headers).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]));
}

async function tagsOf(mirror: BlobMirror, account: StoredResource, path: string): Promise<Record<string, string>> {
  const { body } = await mirror.send(account, { method: "GET", path, query: "comp=tags" });
  const pairs = body.toString().matchAll(/<Tag><Key>([^<]*)<\/Key><Value>([^<]*)<\/Value><\/Tag>/g);
  return Object.fromEntries([...pairs].map(([, key = "", value = ""]) => [key, value]));
}
