/** A blob as the state keeps it, in the `blobs` of its container. */

/** Bytes, in the document where they are few, in a file of their own where they are many: exactly one of `content` and `contentFile`. */
export interface StoredBytes {
  /** Base64. */
  content?: string;
  /** Name of a content file, with what identifies its content from one state to another. */
  contentFile?: string;
  size?: number;
  /** Hexadecimal. */
  sha256?: string;
}

export interface StoredBlock extends StoredBytes {
  /** Base64, as the client named it. */
  blockId: string;
}

export interface StoredBlob extends StoredBytes {
  /** Where the blob was committed from blocks: its bytes, in their order, instead of its own. */
  blocks?: StoredBlock[];
  /** Quotes included. */
  etag: string;
  /** RFC 7231 date, as in `Last-Modified`. */
  lastModifiedAt: string;
  /** The same, of the first write; absent in a state that an older version wrote. */
  createdAt?: string;
  /** Base64. */
  contentMd5?: string;
  contentType?: string;
  contentEncoding?: string;
  contentLanguage?: string;
  contentDisposition?: string;
  cacheControl?: string;
  metadata?: Record<string, string>;
  tags?: Record<string, string>;
  /** Where one was set: "Cool". */
  tier?: string;
  /** RFC 7231 date. */
  tierChangedAt?: string;
}
