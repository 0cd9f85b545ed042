/** What a blob has besides its bytes: HTTP headers, metadata, tags and a tier, as headers carry them. */
import type { StoredBlob } from "../../state/blob-content.js";
import { invalidHeaderValue, invalidMetadata, invalidTags, tagsTooLarge } from "./errors.js";

type Headers = Readonly<Record<string, string>>;
type Settings = Pick<
  StoredBlob,
  "contentType" | "contentEncoding" | "contentLanguage" | "contentDisposition" | "cacheControl" | "contentMd5"
>;

const named = [
  ["contentType", "x-ms-blob-content-type", "content-type"],
  ["contentEncoding", "x-ms-blob-content-encoding", "content-encoding"],
  ["contentLanguage", "x-ms-blob-content-language", "content-language"],
  ["contentDisposition", "x-ms-blob-content-disposition", "content-disposition"],
  ["cacheControl", "x-ms-blob-cache-control", "cache-control"],
  ["contentMd5", "x-ms-blob-content-md5", "content-md5"],
] as const;

/** Those that the request sets; an empty one counts as none. `plain` reads the standard headers too, which tell of the body where it is the blob. */
export function sentSettings(headers: Headers, plain: boolean): Settings {
  const sent = named.map(([member, own, standard]) => {
    const value = headers[own] ?? (plain && member !== "contentMd5" ? headers[standard] : undefined);
    return [member, value] as const;
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined && value !== ""));
}

/** As an answer carries them. */
export function settingHeaders(blob: Settings): Record<string, string> {
  const sent = named.map(([member, , standard]) => [standard, blob[member]] as const);
  return Object.fromEntries(sent.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== undefined));
}

const metadataPrefix = "x-ms-meta-";

/** @throws ApiError 400 InvalidMetadata */
export function sentMetadata(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers)
    .filter(([name]) => name.startsWith(metadataPrefix))
    .map(([name, value]) => [name.slice(metadataPrefix.length), value] as const);
  if (entries.some(([name]) => !/^[A-Za-z_]\w*$/.test(name))) throw invalidMetadata();
  return Object.fromEntries(entries);
}

export function metadataHeaders(metadata: Headers = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [metadataPrefix + name, value]));
}

/** The value of `x-ms-tags`: "a=1&b=2". */
export function sentTags(headers: Headers): Record<string, string> | undefined {
  const sent = headers["x-ms-tags"];
  return sent === undefined || sent === "" ? undefined : checkedTags([...new URLSearchParams(sent)]);
}

const tagText = /^[A-Za-z0-9 +\-./:=_]*$/;

/** @throws ApiError 400 InvalidTag, TagsTooLarge */
export function checkedTags(tags: readonly (readonly [string, string])[]): Record<string, string> {
  if (tags.length > 10) throw tagsTooLarge();
  for (const [key, value] of tags) {
    if (key === "" || key.length > 128 || value.length > 256 || !tagText.test(key) || !tagText.test(value)) throw invalidTags();
  }
  if (new Set(tags.map(([key]) => key)).size < tags.length) throw invalidTags();
  return Object.fromEntries(tags);
}

const tiers = ["Hot", "Cool", "Cold", "Archive"] as const;

/** @throws ApiError 400 InvalidHeaderValue */
export function sentTier(headers: Headers): string | undefined {
  const tier = headers["x-ms-access-tier"];
  if (tier === undefined) return undefined;
  if (!tiers.some((known) => known === tier)) throw invalidHeaderValue("x-ms-access-tier", tier);
  return tier;
}
