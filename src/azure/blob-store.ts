/** Reads and writes blobs with Azure RBAC, or with the key of an account. */
import { isRestError } from "@azure/core-rest-pipeline";
import {
  AnonymousCredential,
  BlockBlobClient,
  ContainerClient,
  StorageSharedKeyCredential,
  type StoragePipelineOptions,
} from "@azure/storage-blob";
import type { Connection } from "./connection.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";
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
  /** The names of all blobs in a container, none if it does not exist; undefined if the caller may not list them. */
  list(containerUrl: string): Promise<readonly string[] | undefined>;
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
  const optionsFor = (url: string, { brief = false } = {}): StoragePipelineOptions & { readonly additionalPolicies: unknown } => ({
    retryOptions: { maxTries: 1 },
    userAgentOptions: { userAgentPrefix: connection.userAgent },
    // The declared type lacks it, but its base class accepts one, as all SDK clients do. A client changes its pipeline, so each has its own.
    additionalPolicies: blobPolicies(connection, key ? undefined : scope, url, { brief }),
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
    async list(url) {
      // A missing role is a result here, so nothing waits until one takes effect.
      const container = new ContainerClient(url, credential, optionsFor(url, { brief: true }));
      try {
        return (await found(all(container.listBlobsFlat())))?.map(({ name }) => name) ?? [];
      } catch (error) {
        if (isRestError(error) && error.statusCode === 403) return undefined;
        throw error;
      }
    },
  };
}

async function textOf(stream: NodeJS.ReadableStream | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
