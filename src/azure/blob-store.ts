/** Blobs, read and written by role: the keys of an account are never asked for. */
import { AnonymousCredential, BlockBlobClient, type StoragePipelineOptions } from "@azure/storage-blob";
import type { Connection } from "./connection.js";
import { found } from "./long-running.js";
import { clientPolicies } from "./pipeline.js";

export interface Blob {
  readonly text: string;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly etag: string | undefined;
}

export interface BlobStore {
  /** Undefined where there is no such blob or container. */
  read(url: string): Promise<Blob | undefined>;
  /** Writes the whole blob if it is still the one of `etag`; without, if there is still none. Refused otherwise: ConditionNotMet, BlobAlreadyExists. */
  write(url: string, blob: Omit<Blob, "etag">, etag: string | undefined): Promise<void>;
}

/** The same in every cloud. */
const scope = "https://storage.azure.com/.default";

export function blobStore(connection: Connection): BlobStore {
  const open = (url: string): BlockBlobClient => {
    const options: StoragePipelineOptions & { readonly additionalPolicies: unknown } = {
      retryOptions: { maxTries: 1 },
      userAgentOptions: { userAgentPrefix: connection.userAgent },
      // Not in the declared type, but what its base class takes, as all SDK clients do. A client adds them to its pipeline, so each has its own.
      additionalPolicies: clientPolicies(connection, scope),
    };
    return new BlockBlobClient(url, new AnonymousCredential(), options);
  };
  return {
    async read(url) {
      const answer = await found(open(url).download());
      if (!answer) return undefined;
      const { contentType, cacheControl, etag } = answer;
      return { text: await textOf(answer.readableStreamBody), contentType, cacheControl, etag };
    },
    async write(url, { text, contentType, cacheControl }, etag) {
      await open(url).upload(text, Buffer.byteLength(text), {
        conditions: etag === undefined ? { ifNoneMatch: "*" } : { ifMatch: etag },
        blobHTTPHeaders: {
          ...(contentType !== undefined && { blobContentType: contentType }),
          ...(cacheControl !== undefined && { blobCacheControl: cacheControl }),
        },
      });
    },
  };
}

async function textOf(stream: NodeJS.ReadableStream | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
