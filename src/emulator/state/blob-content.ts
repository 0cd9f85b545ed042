/** A blob as the world keeps it, in the `blobs` of its container. */
export interface StoredBlob {
  /** New at every write: tells whether another's copy is this one. */
  stamp: string;
  /** Base64. */
  content: string;
  /** As the first answer gave it, quotes included. */
  etag: string;
  /** RFC 7231 date, as in `Last-Modified`. */
  lastModifiedAt: string;
  contentType?: string;
  contentEncoding?: string;
  contentLanguage?: string;
  contentDisposition?: string;
  cacheControl?: string;
  metadata?: Record<string, string>;
  tags?: Record<string, string>;
}
