/** The requests that the emulator and Azurite are compared by, in their order, and the differences between the two that are known. */
import { createHash } from "node:crypto";

export interface Exchange {
  readonly name: string;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** "{etag}" stands for the etag of the last answer that had one. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** By the account's signature where absent. */
  readonly by?: "nobody" | "a wrong signature";
}

const id = (name: string): string => Buffer.from(name).toString("base64");
const blockList = (...names: string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${names.map((name) => `<Latest>${id(name)}</Latest>`).join("")}</BlockList>`;
const md5 = (text: string): string => createHash("md5").update(text).digest("base64");
const block = { "x-ms-blob-type": "BlockBlob" };
const policies =
  '<?xml version="1.0" encoding="utf-8"?><SignedIdentifiers><SignedIdentifier><Id>one</Id><AccessPolicy><Start>2026-01-01T00:00:00.0000000Z</Start><Expiry>2099-01-01T00:00:00.0000000Z</Expiry><Permission>rl</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>';
const tags = '<?xml version="1.0" encoding="utf-8"?><Tags><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tags>';
const past = "Mon, 01 Jan 2024 00:00:00 GMT";
const future = "Thu, 01 Jan 2099 00:00:00 GMT";
const container = "/box?restype=container";

export const exchanges: readonly Exchange[] = [
  { name: "make a container", method: "PUT", target: container, headers: { "x-ms-blob-public-access": "blob", "x-ms-meta-a": "1" } },
  { name: "make it again", method: "PUT", target: container },
  { name: "make one of a bad name", method: "PUT", target: "/Bad_Name?restype=container" },
  { name: "make one of a short name", method: "PUT", target: "/b?restype=container" },
  { name: "container", method: "GET", target: container },
  { name: "head of a container", method: "HEAD", target: container },
  { name: "missing container", method: "GET", target: "/none?restype=container" },
  { name: "set container metadata", method: "PUT", target: `${container}&comp=metadata`, headers: { "x-ms-meta-b": "2" } },
  { name: "container metadata", method: "GET", target: `${container}&comp=metadata` },
  {
    name: "set container metadata too late",
    method: "PUT",
    target: `${container}&comp=metadata`,
    headers: { "if-unmodified-since": past, "x-ms-meta-b": "2" },
  },
  {
    name: "set policies",
    method: "PUT",
    target: `${container}&comp=acl`,
    headers: { "x-ms-blob-public-access": "blob", "content-type": "application/xml" },
    body: policies,
  },
  { name: "policies", method: "GET", target: `${container}&comp=acl` },
  {
    name: "set policies that are no XML",
    method: "PUT",
    target: `${container}&comp=acl`,
    headers: { "content-type": "application/xml" },
    body: "<SignedIdentifiers><SignedIdentifier>",
  },
  { name: "containers", method: "GET", target: "/?comp=list&include=metadata" },
  { name: "containers of a prefix", method: "GET", target: "/?comp=list&prefix=zz&maxresults=3" },
  {
    name: "put a blob",
    method: "PUT",
    target: "/box/dir/a.json",
    headers: {
      ...block,
      "content-type": "text/plain",
      "content-md5": md5("first"),
      "x-ms-blob-content-type": "application/json",
      "x-ms-blob-cache-control": "public, max-age=300",
      "x-ms-blob-content-language": "en",
      "x-ms-meta-made": "here",
      "x-ms-tags": "k=v",
    },
    body: "first",
  },
  { name: "blob", method: "GET", target: "/box/dir/a.json" },
  { name: "blob by its encoded name", method: "GET", target: "/box/dir%2Fa.json" },
  { name: "head of a blob", method: "HEAD", target: "/box/dir/a.json" },
  { name: "unchanged blob", method: "GET", target: "/box/dir/a.json", headers: { "if-none-match": "{etag}" } },
  { name: "blob unchanged by time", method: "GET", target: "/box/dir/a.json", headers: { "if-modified-since": future } },
  { name: "blob of another etag", method: "GET", target: "/box/dir/a.json", headers: { "if-match": '"0x0"' } },
  { name: "blob of its own etag", method: "GET", target: "/box/dir/a.json", headers: { "if-match": "{etag}" } },
  { name: "blob not changed since long ago", method: "GET", target: "/box/dir/a.json", headers: { "if-unmodified-since": past } },
  { name: "blob unless it exists", method: "GET", target: "/box/dir/a.json", headers: { "if-none-match": "*" } },
  { name: "part of a blob", method: "GET", target: "/box/dir/a.json", headers: { range: "bytes=1-2" } },
  { name: "part of a blob by Azure's own header", method: "GET", target: "/box/dir/a.json", headers: { "x-ms-range": "bytes=2-" } },
  { name: "part beyond its end", method: "GET", target: "/box/dir/a.json", headers: { range: "bytes=3-99" } },
  { name: "part behind its end", method: "GET", target: "/box/dir/a.json", headers: { range: "bytes=50-99" } },
  {
    name: "part of a blob with its hash",
    method: "GET",
    target: "/box/dir/a.json",
    headers: { "x-ms-range": "bytes=0-1", "x-ms-range-get-content-md5": "true" },
  },
  { name: "missing blob", method: "GET", target: "/box/none" },
  { name: "head of a missing blob", method: "HEAD", target: "/box/none" },
  { name: "blob of a missing container", method: "GET", target: "/none/none" },
  { name: "put over it if it is another", method: "PUT", target: "/box/dir/a.json", headers: { ...block, "if-match": '"0x0"' }, body: "x" },
  { name: "put if there is none", method: "PUT", target: "/box/dir/a.json", headers: { ...block, "if-none-match": "*" }, body: "x" },
  { name: "put with its own etag", method: "PUT", target: "/box/dir/a.json", headers: { ...block, "if-none-match": "{etag}" }, body: "x" },
  { name: "put of no type", method: "PUT", target: "/box/b", body: "x" },
  { name: "put with a wrong hash", method: "PUT", target: "/box/b", headers: { ...block, "content-md5": md5("y") }, body: "x" },
  { name: "put into a missing container", method: "PUT", target: "/none/b", headers: block, body: "x" },
  { name: "put without a type of content", method: "PUT", target: "/box/b", headers: block, body: "x" },
  { name: "blob without a type of content", method: "GET", target: "/box/b" },
  { name: "put an empty blob", method: "PUT", target: "/box/empty", headers: { ...block, "content-length": "0" } },
  { name: "empty blob", method: "GET", target: "/box/empty" },
  { name: "part of an empty blob", method: "GET", target: "/box/empty", headers: { range: "bytes=0-9" } },
  { name: "set metadata", method: "PUT", target: "/box/b?comp=metadata", headers: { "x-ms-meta-c": "3" } },
  { name: "metadata", method: "GET", target: "/box/b?comp=metadata" },
  {
    name: "set headers",
    method: "PUT",
    target: "/box/b?comp=properties",
    headers: { "x-ms-blob-content-type": "text/css", "x-ms-blob-content-disposition": "inline" },
  },
  { name: "head after headers were set", method: "HEAD", target: "/box/b" },
  { name: "set tags", method: "PUT", target: "/box/b?comp=tags", headers: { "content-type": "application/xml" }, body: tags },
  { name: "tags", method: "GET", target: "/box/b?comp=tags" },
  { name: "set a tier", method: "PUT", target: "/box/b?comp=tier", headers: { "x-ms-access-tier": "Cool" } },
  { name: "set an unknown tier", method: "PUT", target: "/box/b?comp=tier", headers: { "x-ms-access-tier": "Warm" } },
  { name: "head after a tier was set", method: "HEAD", target: "/box/b" },
  { name: "put a block", method: "PUT", target: `/box/parts?comp=block&blockid=${id("1")}`, body: "one " },
  { name: "put another block", method: "PUT", target: `/box/parts?comp=block&blockid=${id("2")}`, body: "two" },
  { name: "put a block of a longer name", method: "PUT", target: `/box/parts?comp=block&blockid=${id("22222")}`, body: "x" },
  { name: "put a block of a bad name", method: "PUT", target: "/box/parts?comp=block&blockid=%25%25", body: "x" },
  { name: "blocks before they are a blob", method: "GET", target: "/box/parts?comp=blocklist&blocklisttype=all" },
  { name: "blob of uncommitted blocks", method: "GET", target: "/box/parts" },
  { name: "commit a missing block", method: "PUT", target: "/box/parts?comp=blocklist", body: blockList("1", "3") },
  { name: "commit what is no list", method: "PUT", target: "/box/parts?comp=blocklist", body: "<BlockList><Latest>" },
  {
    name: "commit blocks",
    method: "PUT",
    target: "/box/parts?comp=blocklist",
    headers: { "x-ms-blob-content-type": "text/plain" },
    body: blockList("2", "1"),
  },
  { name: "blob of blocks", method: "GET", target: "/box/parts" },
  { name: "part across blocks", method: "GET", target: "/box/parts", headers: { range: "bytes=2-4" } },
  { name: "blocks of a blob", method: "GET", target: "/box/parts?comp=blocklist" },
  { name: "blocks of a missing blob", method: "GET", target: "/box/none?comp=blocklist" },
  { name: "commit committed blocks", method: "PUT", target: "/box/parts?comp=blocklist", body: blockList("1") },
  { name: "blob of one block", method: "GET", target: "/box/parts" },
  { name: "blobs", method: "GET", target: `${container}&comp=list` },
  { name: "blobs with what they carry", method: "GET", target: `${container}&comp=list&include=metadata,tags` },
  { name: "blobs by folder", method: "GET", target: `${container}&comp=list&delimiter=/` },
  { name: "blobs in a folder", method: "GET", target: `${container}&comp=list&delimiter=/&prefix=dir/` },
  { name: "blobs of no such prefix", method: "GET", target: `${container}&comp=list&prefix=zz` },
  { name: "first page of blobs", method: "GET", target: `${container}&comp=list&maxresults=1` },
  { name: "page of no blobs", method: "GET", target: `${container}&comp=list&maxresults=0` },
  { name: "page of so many blobs", method: "GET", target: `${container}&comp=list&maxresults=many` },
  { name: "blobs of a missing container", method: "GET", target: "/none?restype=container&comp=list" },
  { name: "blob for everybody", method: "GET", target: "/box/dir/a.json", by: "nobody" },
  { name: "put by nobody", method: "PUT", target: "/box/c", headers: block, body: "x", by: "nobody" },
  { name: "list for everybody", method: "GET", target: `${container}&comp=list`, by: "nobody" },
  { name: "put by a wrong signature", method: "PUT", target: "/box/c", headers: block, body: "x", by: "a wrong signature" },
  { name: "service properties", method: "GET", target: "/?restype=service&comp=properties" },
  { name: "account information", method: "GET", target: "/?restype=account&comp=properties" },
  { name: "delete if it is another", method: "DELETE", target: "/box/b", headers: { "if-match": '"0x0"' } },
  { name: "delete", method: "DELETE", target: "/box/b", headers: { "x-ms-delete-snapshots": "include" } },
  { name: "delete again", method: "DELETE", target: "/box/b" },
  { name: "delete the container", method: "DELETE", target: container },
  { name: "delete the container again", method: "DELETE", target: container },
];

export interface Difference {
  /** Absent for whatever exchange it shows in. */
  readonly exchange?: string;
  /** Matches "status", "header:<name>" or "body:<path of the element>". */
  readonly of: RegExp;
  readonly reason: string;
}

const all = /^/;
const isNotXml = "Azurite answers no body to XML, or to headers, that it cannot read";

export const knownDifferences: readonly Difference[] = [
  { of: /^header:x-ms-version$/, reason: "Azure answers the version of the request, Azurite its own or none" },
  { of: /^body:.*\/(Prefix|Marker|MaxResults|Delimiter)$/, reason: "Azure repeats what was sent, Azurite also what was not" },
  {
    of: /\/Properties\/(Content-(Encoding|Language|CRC64|MD5|Disposition)|Cache-Control)$/,
    reason: "Azure lists what is empty as an empty element",
  },
  { of: /\/OrMetadata$/, reason: "Azure closes each blob of a list with it" },
  { of: /\/Properties\/ServerEncrypted$/, reason: "Azurite leaves it out for blobs of blocks" },
  {
    of: /^(header:x-ms-access-tier-change-time|body:.*\/AccessTierChangeTime)$/,
    reason: "Azurite tells a change also where no tier was ever set",
  },
  {
    of: /^header:x-ms-access-tier-inferred$/,
    reason: "Azure sends it only where the tier is the account's",
  },
  {
    of: /^(header:x-ms-(default-encryption-scope|deny-encryption-scope-override|immutable-storage-with-versioning-enabled)|body:.*\/(DefaultEncryptionScope|DenyEncryptionScopeOverride|ImmutableStorageWithVersioningEnabled))$/,
    reason: "Azurite knows no encryption scopes and no versions",
  },
  { of: /^header:x-ms-blob-content-md5$/, reason: "Azure sends it with a part of a blob only" },
  { exchange: "head of a container", of: /^header:content-length$/, reason: "of no content" },
  { exchange: "container metadata", of: /^header:x-ms-/, reason: "Azure answers the metadata alone, Azurite all properties" },
  { exchange: "metadata", of: all, reason: "Azure answers the metadata alone, Azurite the whole blob" },
  { exchange: "set container metadata too late", of: all, reason: "Azurite overlooks the condition" },
  { exchange: "unchanged blob", of: /^header:(etag|last-modified|content-type)$/, reason: "Azure says which version it is" },
  { exchange: "blob unchanged by time", of: /^header:(etag|last-modified|content-type)$/, reason: "Azure says which version it is" },
  { exchange: "head of a missing blob", of: /^header:content-(type|length)$/, reason: "of an error that HEAD leaves out" },
  { exchange: "put of no type", of: all, reason: isNotXml },
  { exchange: "put with a wrong hash", of: /Code$|code$|Message$|Md5$/, reason: "Azure has a code of its own: Md5Mismatch" },
  { exchange: "set an unknown tier", of: /Code$|code$|Message$|HeaderName$|HeaderValue$/, reason: "Azure names the header" },
  { exchange: "blocks before they are a blob", of: /^header:(etag|last-modified)$/, reason: "there is no blob yet" },
  { exchange: "commit what is no list", of: all, reason: isNotXml },
  { exchange: "commit blocks", of: /^header:content-md5$/, reason: "of the list; Azure sends it back only where the request had one" },
  { exchange: "commit committed blocks", of: /^header:content-md5$/, reason: "as above" },
  { exchange: "blob of blocks", of: /^header:content-md5$/, reason: "Azure computes none for blobs of blocks" },
  { exchange: "blob of one block", of: /^header:content-md5$/, reason: "as above" },
  { exchange: "blobs with what they carry", of: /\/Metadata$/, reason: "Azure lists no metadata as an empty element" },
  { exchange: "first page of blobs", of: /NextMarker$/, reason: "each encodes its own" },
  { exchange: "page of no blobs", of: all, reason: isNotXml },
  { exchange: "page of so many blobs", of: all, reason: isNotXml },
  { exchange: "put by nobody", of: all, reason: "Azure asks for a token" },
  { exchange: "list for everybody", of: all, reason: "Azure does not tell that the container exists" },
  { exchange: "put by a wrong signature", of: all, reason: "Azurite has codes and words of its own" },
  { exchange: "service properties", of: /Logging|DeleteRetentionPolicy|DefaultServiceVersion/, reason: "Azure logs nothing by default" },
  { exchange: "account information", of: /sku-name$/, reason: "as Azure Resource Manager has the account" },
  { exchange: "blocks of a blob", of: /UncommittedBlocks$/, reason: "not asked for" },
];
