/** Reading a blob: its bytes or a range of them, its properties, metadata and tags. */
import type { Answer } from "../../core/service.js";
import type { StoredBlob } from "../../state/blob-content.js";
import { element, leaf, xmlHead } from "../../common/xml.js";
import { leaseHeaders, requireBlob, xmlType, type BlobCall } from "./blob-call.js";
import { checkRead } from "./conditions.js";
import { md5Of, readBytes, sizeOf } from "./content.js";
import { blobArchived, invalidHeaderValue, invalidRange } from "./errors.js";
import { metadataHeaders, settingHeaders } from "./settings.js";
import { overriddenHeaders } from "./shared-access-signature.js";

/** GET and HEAD. */
export function getBlob(asked: BlobCall): Answer {
  const blob = requireBlob(asked);
  const isHead = asked.call.request.method === "HEAD";
  const versionOnly = { etag: blob.etag, "last-modified": blob.lastModifiedAt };
  if (checkRead(asked.headers, blob) === "not modified") {
    return { status: 304, headers: { ...versionOnly, "x-ms-error-code": "ConditionNotMet" } };
  }
  if (!isHead && blob.tier === "Archive") throw blobArchived();
  const size = sizeOf(blob);
  const headers: Record<string, string> = {
    ...generalHeaders(blob),
    ...(isHead && tierHeaders(blob)),
    ...overrides(asked),
    "content-length": String(size),
  };
  if (isHead) return { status: 200, headers };
  const range = rangeOf(asked, size);
  if (range === undefined) return { status: 200, headers, body: readBytes(asked.files, blob, 0, size) };
  const { start, length } = range;
  const body = readBytes(asked.files, blob, start, length);
  const { "content-md5": md5, ...others } = headers;
  return {
    status: 206,
    headers: {
      ...others,
      "content-length": String(length),
      "content-range": `bytes ${start}-${start + length - 1}/${size}`,
      ...(md5 !== undefined && { "x-ms-blob-content-md5": md5 }),
      ...(wantsMd5(asked, length) && { "content-md5": md5Of(body) }),
    },
    body,
  };
}

export function getBlobMetadata(asked: BlobCall): Answer {
  const blob = requireBlob(asked);
  if (checkRead(asked.headers, blob) === "not modified") return { status: 304, headers: { etag: blob.etag } };
  return { status: 200, headers: { etag: blob.etag, "last-modified": blob.lastModifiedAt, ...metadataHeaders(blob.metadata) } };
}

export function getBlobTags(asked: BlobCall): Answer {
  const { tags = {} } = requireBlob(asked);
  const set = Object.entries(tags).map(([key, value]) => element("Tag", [leaf("Key", key), leaf("Value", value)]));
  return { status: 200, headers: xmlType, body: xmlHead + element("Tags", [element("TagSet", set)]) };
}

function generalHeaders(blob: StoredBlob): Record<string, string> {
  const tags = Object.keys(blob.tags ?? {}).length;
  return {
    ...settingHeaders({ contentType: "application/octet-stream", ...blob }),
    "accept-ranges": "bytes",
    etag: blob.etag,
    "last-modified": blob.lastModifiedAt,
    "x-ms-creation-time": blob.createdAt ?? blob.lastModifiedAt,
    "x-ms-blob-type": "BlockBlob",
    "x-ms-server-encrypted": "true",
    ...leaseHeaders,
    ...(tags > 0 && { "x-ms-tag-count": String(tags) }),
    ...metadataHeaders(blob.metadata),
  };
}

function tierHeaders({ tier, tierChangedAt }: StoredBlob): Record<string, string> {
  return {
    "x-ms-access-tier": tier ?? "Hot",
    ...(tier === undefined && { "x-ms-access-tier-inferred": "true" }),
    ...(tierChangedAt !== undefined && { "x-ms-access-tier-change-time": tierChangedAt }),
  };
}

/** A signature may say under which headers the blob is answered. */
function overrides({ query }: BlobCall): Record<string, string> {
  const sent = Object.entries(overriddenHeaders).map(([parameter, header]) => [header, query.get(parameter) ?? ""] as const);
  return query.has("sig") ? Object.fromEntries(sent.filter(([, value]) => value !== "")) : {};
}

/** Undefined for the whole blob, also for a header that Azure ignores. @throws ApiError 416 InvalidRange */
function rangeOf({ headers }: BlobCall, size: number): { start: number; length: number } | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec((headers["x-ms-range"] ?? headers["range"] ?? "").trim()) ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last === "" || last === undefined ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== undefined && last !== "" && Number(last) < start) return undefined;
  if (start >= size) throw invalidRange(size);
  return { start, length: end - start + 1 };
}

const longestWithMd5 = 4 * 1024 * 1024;

/** @throws ApiError 400 for a range that is too long for it */
function wantsMd5({ headers }: BlobCall, length: number): boolean {
  const sent = headers["x-ms-range-get-content-md5"]?.toLowerCase();
  if (sent !== "true") return false;
  if (length > longestWithMd5) throw invalidHeaderValue("x-ms-range-get-content-md5", "true");
  return true;
}
