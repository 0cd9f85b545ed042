/** What an operation of the blob service is, and which one a request asks for. */
import type { Handler } from "./blob-call.js";

export interface Operation {
  readonly level: "service" | "container" | "blob";
  readonly methods: readonly string[];
  /** `comp` of the query. */
  readonly comp: string;
  /** `restype` of the query, at the level of the service. */
  readonly restype?: "service" | "account";
  readonly handle: Handler;
  /** Below Microsoft.Storage/storageAccounts/blobServices. */
  readonly right: string;
  /** Whether that is a data action. */
  readonly onData: boolean;
  /** Letters of a shared access signature; any of them will do, none is enough where there are none. */
  readonly signed: string;
  /** Whether it replaces a blob that exists: a signature that may only create (c) is refused then. */
  readonly replaces?: true;
  /** Whether only an account's signature or key allows it, not one for a container or blob. */
  readonly accountOnly?: true;
  /** What a container must at least be for everybody. */
  readonly publicIn?: "Blob" | "Container";
  readonly writes: boolean;
  /** x-ms- headers of its own, without the prefix; "meta-" stands for all of metadata. */
  readonly headers?: readonly string[];
  readonly query?: readonly string[];
}

export interface BlobRequest {
  readonly operation: Operation;
  /** Empty for the service as a whole. */
  readonly container: string;
  /** Empty for a container; slashes included. */
  readonly blob: string;
}
