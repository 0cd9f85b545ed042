/** Lists of containers and of blobs, in pages. */
import type { Answer } from "../../core/service.js";
import type { StoredBlob } from "../../state/blob-content.js";
import type { StoredResource } from "../../state/state.js";
import { element, leaf, xmlHead } from "../../common/xml.js";
import { blobsOf, containersOf, httpDate, requireContainer, allStagedIn, xmlType, type BlobCall } from "./blob-call.js";
import { sizeOf } from "./content.js";
import { invalidQueryValue, queryOutOfRange } from "./errors.js";

const mostOnPage = 5000;

export function listContainers(asked: BlobCall): Answer {
  const include = included(asked, ["metadata", "deleted", "system"]);
  const prefix = asked.query.get("prefix") ?? "";
  const containers = containersOf(asked.call.state, asked.account).filter(({ name }) => name.startsWith(prefix));
  const { entries, next } = page(asked, containers);
  return answer(
    asked,
    { prefix, next },
    {},
    element(
      "Containers",
      entries.map((one) => containerElement(one, include.has("metadata"))),
    ),
  );
}

function containerElement({ name, etag, properties }: StoredResource, withMetadata: boolean): string {
  const { publicAccess, metadata } = properties;
  return element("Container", [
    leaf("Name", name),
    element("Properties", [
      leaf("Last-Modified", httpDate(Number(properties["lastModifiedAt"]))),
      leaf("Etag", etag),
      leaf("LeaseStatus", "unlocked"),
      leaf("LeaseState", "available"),
      publicAccess === "Blob" || publicAccess === "Container" ? leaf("PublicAccess", publicAccess.toLowerCase()) : undefined,
      leaf("DefaultEncryptionScope", "$account-encryption-key"),
      leaf("DenyEncryptionScopeOverride", false),
      leaf("HasImmutabilityPolicy", false),
      leaf("HasLegalHold", false),
      leaf("ImmutableStorageWithVersioningEnabled", false),
    ]),
    withMetadata ? metadataElement(metadata as Record<string, string> | undefined) : undefined,
  ]);
}

/** Snapshots, versions and deleted blobs there are none of: asking for them too changes nothing. */
const blobIncludes = [
  ...["metadata", "tags", "uncommittedblobs", "copy", "snapshots", "versions", "deleted", "deletedwithversions"],
  ...["immutabilitypolicy", "legalhold", "permissions"],
];

interface Entry {
  readonly name: string;
  /** Undefined for a common prefix. */
  readonly blob: StoredBlob | undefined;
}

export function listBlobs(asked: BlobCall): Answer {
  const { query } = asked;
  const include = included(asked, blobIncludes);
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
  const container = requireContainer(asked);
  const blobs = { ...(include.has("uncommittedblobs") && uncommitted(container)), ...blobsOf(container) };
  const byName = new Map<string, Entry>();
  for (const name of Object.keys(blobs)
    .filter((one) => one.startsWith(prefix))
    .sort(byCodePoint)) {
    const cut = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
    const shown = cut < 0 ? name : name.slice(0, cut + delimiter.length);
    byName.set(`${cut < 0 ? "blob" : "prefix"} ${shown}`, { name: shown, blob: cut < 0 ? blobs[name] : undefined });
  }
  const { entries, next } = page(asked, [...byName.values()]);
  const elements = entries.map(({ name, blob }) =>
    blob === undefined ? element("BlobPrefix", [nameElement(name)]) : blobElement(name, blob, include),
  );
  return answer(asked, { prefix, delimiter, next }, { ContainerName: container.name }, element("Blobs", elements));
}

const byCodePoint = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Blobs that have only uncommitted blocks. */
function uncommitted(container: StoredResource): Record<string, StoredBlob> {
  const lastModifiedAt = httpDate(Number(container.properties["lastModifiedAt"]));
  return Object.fromEntries(Object.keys(allStagedIn(container)).map((name) => [name, { content: "", etag: '""', lastModifiedAt }]));
}

function blobElement(name: string, blob: StoredBlob, include: ReadonlySet<string>): string {
  const tags = Object.entries(blob.tags ?? {});
  return element("Blob", [
    nameElement(name),
    element("Properties", [
      leaf("Creation-Time", blob.createdAt ?? blob.lastModifiedAt),
      leaf("Last-Modified", blob.lastModifiedAt),
      leaf("Etag", blob.etag.replaceAll('"', "")),
      leaf("Content-Length", sizeOf(blob)),
      leaf("Content-Type", blob.contentType ?? "application/octet-stream"),
      leaf("Content-Encoding", blob.contentEncoding),
      leaf("Content-Language", blob.contentLanguage),
      leaf("Content-CRC64"),
      leaf("Content-MD5", blob.contentMd5),
      leaf("Cache-Control", blob.cacheControl),
      leaf("Content-Disposition", blob.contentDisposition),
      leaf("BlobType", "BlockBlob"),
      leaf("AccessTier", blob.tier ?? "Hot"),
      blob.tier === undefined ? leaf("AccessTierInferred", true) : leaf("AccessTierChangeTime", blob.tierChangedAt),
      leaf("LeaseStatus", "unlocked"),
      leaf("LeaseState", "available"),
      leaf("ServerEncrypted", true),
      tags.length > 0 ? leaf("TagCount", tags.length) : undefined,
    ]),
    include.has("metadata") ? metadataElement(blob.metadata) : undefined,
    include.has("tags") && tags.length > 0
      ? element("Tags", [
          element(
            "TagSet",
            tags.map(([key, value]) => element("Tag", [leaf("Key", key), leaf("Value", value)])),
          ),
        ])
      : undefined,
    leaf("OrMetadata"),
  ]);
}

function metadataElement(metadata: Readonly<Record<string, string>> = {}): string {
  return element(
    "Metadata",
    Object.entries(metadata).map(([name, value]) => leaf(name, value)),
  );
}

/** A name that XML cannot hold is sent percent-encoded, and says so. */
function nameElement(name: string): string {
  if (!/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.test(name)) return leaf("Name", name);
  return element("Name", [encodeURIComponent(name)], { Encoded: "true" });
}

/** @throws ApiError 400 InvalidQueryParameterValue */
function included({ query }: BlobCall, known: readonly string[]): ReadonlySet<string> {
  const sent = (query.get("include") ?? "")
    .toLowerCase()
    .split(",")
    .filter((one) => one !== "");
  for (const one of sent) if (!known.includes(one)) throw invalidQueryValue("include", one, "Invalid query parameter value.");
  return new Set(sent);
}

/** The marker is the name of the page's first entry, encoded: it stays right when others come and go. */
function page<T extends { readonly name: string }>({ query, call }: BlobCall, all: readonly T[]): { entries: readonly T[]; next: string } {
  const size = Math.min(pageSizeOf(query), call.state.knobs?.pageSize ?? mostOnPage);
  const marker = query.get("marker") ?? "";
  const first = marker === "" ? undefined : Buffer.from(marker, "base64url").toString();
  if (first !== undefined && Buffer.from(first).toString("base64url") !== marker) throw queryOutOfRange();
  const rest = first === undefined ? all : all.filter(({ name }) => byCodePoint(name, first) >= 0);
  const following = rest[size];
  return { entries: rest.slice(0, size), next: following ? Buffer.from(following.name).toString("base64url") : "" };
}

/** @throws ApiError 400 InvalidQueryParameterValue, OutOfRangeQueryParameterValue */
function pageSizeOf(query: URLSearchParams): number {
  const sent = query.get("maxresults");
  if (sent === null || sent === "") return mostOnPage;
  if (!/^-?\d+$/.test(sent)) throw invalidQueryValue("maxresults", sent, "Invalid query parameter value.");
  if (Number(sent) < 1) throw queryOutOfRange();
  return Math.min(Number(sent), mostOnPage);
}

function answer(
  { call, query }: BlobCall,
  shown: { readonly prefix: string; readonly delimiter?: string; readonly next: string },
  attributes: Readonly<Record<string, string>>,
  list: string,
): Answer {
  const sent = (name: string, value: string) => (value === "" ? undefined : leaf(name, value));
  const body = element(
    "EnumerationResults",
    [
      sent("Prefix", shown.prefix),
      sent("Marker", query.get("marker") ?? ""),
      sent("MaxResults", query.get("maxresults") ?? ""),
      sent("Delimiter", shown.delimiter ?? ""),
      list,
      leaf("NextMarker", shown.next),
    ],
    { ServiceEndpoint: `https://${call.request.host}/`, ...attributes },
  );
  return { status: 200, headers: xmlType, body: xmlHead + body };
}
