/** Writing a block blob as a whole, changing what it has besides its bytes, and deleting it. */
import type { Answer } from "../../core/service.js";
import type { StoredBlob } from "../../state/blob-content.js";
import type { StoredResource } from "../../state/state.js";
import { childOf, parseXml } from "../../common/xml.js";
import { blobsOf, findBlob, httpDate, newEtag, requireBlob, requireContainer, keepStaged, type BlobCall } from "./blob-call.js";
import { checkWrite, mustBeNew } from "./conditions.js";
import { md5Of, storeBytes } from "./content.js";
import {
  blobAlreadyExists,
  blobArchived,
  blobNotFound,
  invalidMd5,
  invalidXmlDocument,
  md5Mismatch,
  missingRequiredHeader,
  nameOutOfRange,
  notEmulated,
} from "./errors.js";
import { checkedTags, sentMetadata, sentSettings, sentTags, sentTier } from "./settings.js";
import { setNamed } from "../../common/named.js";

export function putBlob(asked: BlobCall): Answer {
  const { headers, body, files } = asked;
  if (headers["x-ms-blob-type"] === undefined) throw missingRequiredHeader("x-ms-blob-type");
  const container = requireReplaceable(asked);
  const md5 = md5Of(body);
  checkMd5(headers["content-md5"], md5);
  checkMd5(headers["x-ms-blob-content-md5"], md5);
  const written = replaceBlob(asked, container, { ...storeBytes(files, body), ...sentSettings(headers, true), contentMd5: md5 });
  return { status: 201, headers: { ...written, "content-md5": md5, "x-ms-request-server-encrypted": "true" } };
}

/** The container, if the blob may be written under the request's conditions. */
export function requireReplaceable(asked: BlobCall): StoredResource {
  const container = requireContainer(asked);
  const existing = findBlob(container, asked.blob);
  if (existing !== undefined && mustBeNew(asked.headers)) throw blobAlreadyExists();
  checkWrite(asked.headers, existing);
  if (existing?.tier === "Archive" && sentTier(asked.headers) === undefined) throw blobArchived();
  // Of a part of an address, which counts percent-encoded characters as one.
  if (asked.blob.length > 1024) throw nameOutOfRange();
  return container;
}

/** Puts the content in the place of what the blob was, with all that its writer sent; blocks that were not committed are discarded. */
export function replaceBlob(
  asked: BlobCall,
  container: StoredResource,
  content: Omit<StoredBlob, "etag" | "lastModifiedAt">,
): Record<string, string> {
  const { call, headers, blob: name } = asked;
  const now = httpDate(call.now);
  const [metadata, tags, tier] = [sentMetadata(headers), sentTags(headers), sentTier(headers)];
  const blob: StoredBlob = {
    ...content,
    etag: newEtag(call),
    lastModifiedAt: now,
    createdAt: findBlob(container, name)?.createdAt ?? now,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(tags && { tags }),
    ...(tier !== undefined && { tier, tierChangedAt: now }),
  };
  setNamed(blobsOf(container), name, blob);
  keepStaged(container, name, []);
  return { etag: blob.etag, "last-modified": now };
}

/** @throws ApiError 400 InvalidMd5, Md5Mismatch */
export function checkMd5(sent: string | undefined, computed: string): void {
  if (sent === undefined || sent === "" || sent === computed) return;
  if (Buffer.from(sent, "base64").length !== 16) throw invalidMd5();
  throw md5Mismatch({ UserSpecifiedMd5: sent, ServerCalculatedMd5: computed });
}

export function setBlobProperties(asked: BlobCall): Answer {
  const blob = requireWritable(asked);
  // Sets all of them: one that is not sent is cleared.
  const { contentType: _type, contentEncoding: _encoding, contentLanguage: _language, ...others } = blob;
  const { contentDisposition: _disposition, cacheControl: _cache, contentMd5: _md5, ...kept } = others;
  return { status: 200, headers: change(asked, { ...kept, ...sentSettings(asked.headers, false) }) };
}

export function setBlobMetadata(asked: BlobCall): Answer {
  const { metadata: _before, ...kept } = requireWritable(asked);
  const metadata = sentMetadata(asked.headers);
  const changed = Object.keys(metadata).length > 0 ? { ...kept, metadata } : kept;
  return { status: 200, headers: { ...change(asked, changed), "x-ms-request-server-encrypted": "true" } };
}

/** Tags are no part of the blob's version: its etag stays. */
export function setBlobTags(asked: BlobCall): Answer {
  const { tags: _before, ...kept } = requireBlob(asked);
  const root = parseXml(asked.body.toString());
  const set = root && childOf(root, "TagSet");
  if (root?.name !== "Tags" || set === undefined) throw invalidXmlDocument();
  const tags = checkedTags(set.children.map((tag) => [childOf(tag, "Key")?.text ?? "", childOf(tag, "Value")?.text ?? ""] as const));
  setNamed(blobsOf(requireContainer(asked)), asked.blob, Object.keys(tags).length > 0 ? { ...kept, tags } : kept);
  return { status: 204 };
}

/** 202 where Azure takes hours to bring a blob back from the archive; here it is back at once. */
export function setBlobTier(asked: BlobCall): Answer {
  const blob = requireBlob(asked);
  const tier = sentTier(asked.headers);
  if (tier === undefined) throw missingRequiredHeader("x-ms-access-tier");
  setNamed(blobsOf(requireContainer(asked)), asked.blob, { ...blob, tier, tierChangedAt: httpDate(asked.call.now) });
  return { status: blob.tier === "Archive" && tier !== "Archive" ? 202 : 200 };
}

export function deleteBlob(asked: BlobCall): Answer {
  const snapshots = asked.headers["x-ms-delete-snapshots"]?.toLowerCase();
  if (snapshots !== undefined && snapshots !== "include") throw notEmulated(`x-ms-delete-snapshots: ${snapshots}`);
  const container = requireContainer(asked);
  const blob = findBlob(container, asked.blob);
  if (blob === undefined) throw blobNotFound();
  checkWrite(asked.headers, blob);
  delete blobsOf(container)[asked.blob];
  keepStaged(container, asked.blob, []);
  return { status: 202, headers: { "x-ms-delete-type-permanent": "true" } };
}

function requireWritable(asked: BlobCall): StoredBlob {
  const blob = requireBlob(asked);
  checkWrite(asked.headers, blob);
  if (blob.tier === "Archive") throw blobArchived();
  return blob;
}

function change(asked: BlobCall, blob: Omit<StoredBlob, "etag" | "lastModifiedAt">): Record<string, string> {
  const { call } = asked;
  const version = { etag: newEtag(call), lastModifiedAt: httpDate(call.now) };
  setNamed(blobsOf(requireContainer(asked)), asked.blob, { ...blob, ...version });
  return { etag: version.etag, "last-modified": version.lastModifiedAt };
}
