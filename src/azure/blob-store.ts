/** Reads and writes blobs with Azure RBAC, or with the key of an account. */
import {
  AnonymousCredential,
  BlockBlobClient,
  ContainerClient,
  StorageSharedKeyCredential,
  type StoragePipelineOptions,
} from "@azure/storage-blob";
import type { Connection } from "./connection.js";
import { found } from "./long-running.js";
import { pageChain } from "./page-chain.js";
import { blobPolicies } from "./pipeline.js";

export interface Blob {
  readonly text: string;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly etag: string | undefined;
}

export interface BlobStore {
  /** Undefined if the blob or the container does not exist. */
  read(url: string): Promise<Blob | undefined>;
  /** Writes the blob if its ETag is `etag`; without `etag`, only if the blob does not exist. Otherwise: ConditionNotMet, BlobAlreadyExists. */
  write(url: string, blob: Omit<Blob, "etag">, etag: string | undefined): Promise<void>;
  /** The names of the blobs of a container, page by page: the caller may need only the first ones. @throws ARO-NET-006 if the list does not end */
  list(containerUrl: string): AsyncIterable<string>;
}

/** Allows everything in the account. It signs requests, and is never sent, logged or stored. */
export interface AccountKey {
  readonly account: string;
  /** In base64. */
  readonly value: string;
}

/** The same in every cloud. */
const scope = "https://storage.azure.com/.default";

export function blobStore(connection: Connection, key?: AccountKey): BlobStore {
  const credential = key ? new StorageSharedKeyCredential(key.account, key.value) : new AnonymousCredential();
  const optionsFor = (
    url: string,
    retries?: Parameters<typeof blobPolicies>[3],
  ): StoragePipelineOptions & { readonly additionalPolicies: unknown } => ({
    retryOptions: { maxTries: 1 },
    userAgentOptions: { userAgentPrefix: connection.userAgent },
    // The declared type lacks it, but its base class accepts one, as all SDK clients do. A client changes its pipeline, so each has its own.
    additionalPolicies: blobPolicies(connection, key ? undefined : scope, url, retries),
  });
  const open = (url: string) => new BlockBlobClient(url, credential, optionsFor(url));
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
    async *list(url) {
      const follow = pageChain();
      const addressOf = (marker = "") => `${url}?marker=${encodeURIComponent(marker)}`;
      // A caller without the role is not waited for.
      const container = new ContainerClient(url, credential, optionsFor(url, { rolesInEffect: true }));
      for await (const { marker, continuationToken, segment } of container.listBlobsFlat().byPage()) {
        yield* segment.blobItems.map(({ name }) => name);
        if (continuationToken) follow(addressOf(marker), addressOf(continuationToken));
      }
    },
  };
}

async function textOf(stream: NodeJS.ReadableStream | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
