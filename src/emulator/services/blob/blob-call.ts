/** What an operation of the blob service works on: the call, the account, and the container and blob that its URL names. */
import { resourcesWithin } from "../../arm/indexes.js";
import { keyOf } from "../../arm/resource-id.js";
import { containerType } from "../../arm/types/storage/account-body.js";
import type { Answer, Call } from "../../core/service.js";
import type { StoredBlob, StoredBlock } from "../../state/blob-content.js";
import type { ContentFiles } from "../../state/content-files.js";
import type { StoredResource, AzureState } from "../../state/state.js";
import { blobNotFound, containerNotFound } from "./errors.js";
import { namedIn } from "../../common/named.js";

export interface BlobCall {
  readonly call: Call;
  readonly account: StoredResource;
  readonly files: ContentFiles;
  /** Empty for the service as a whole. */
  readonly container: string;
  /** Empty for a container; slashes included. */
  readonly blob: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  /** Object ID of the sender of a token; undefined for other requests. */
  readonly principal: string | undefined;
}

export type Handler = (call: BlobCall) => Answer;

export function containerId(account: StoredResource, container: string): string {
  return `${account.id}/blobServices/default/containers/${container}`;
}

export function findContainer({ call, account, container }: BlobCall): StoredResource | undefined {
  return call.state.resources[keyOf(containerId(account, container))];
}

/** @throws ApiError 404 ContainerNotFound */
export function requireContainer(call: BlobCall): StoredResource {
  const found = findContainer(call);
  if (found === undefined) throw containerNotFound();
  return found;
}

/** The containers of an account, in the order of their names. */
export function containersOf(state: AzureState, account: StoredResource): StoredResource[] {
  return resourcesWithin(state, account.id, containerType).sort((left, right) => (left.name < right.name ? -1 : 1));
}

export function blobsOf(container: StoredResource): Record<string, StoredBlob> {
  return (container.properties["blobs"] ??= {}) as Record<string, StoredBlob>;
}

export function findBlob(container: StoredResource, name: string): StoredBlob | undefined {
  return namedIn(blobsOf(container), name);
}

/** @throws ApiError 404 ContainerNotFound, BlobNotFound */
export function requireBlob(call: BlobCall): StoredBlob {
  const found = findBlob(requireContainer(call), call.blob);
  if (found === undefined) throw blobNotFound();
  return found;
}

/** Blocks that were put and not yet committed, by blob. */
export function allStagedIn(container: StoredResource): Readonly<Record<string, StoredBlock[]>> {
  return (container.properties["uncommittedBlocks"] ?? {}) as Record<string, StoredBlock[]>;
}

/** The staged blocks of one blob. */
export function stagedIn(container: StoredResource, name: string): readonly StoredBlock[] | undefined {
  return namedIn(allStagedIn(container), name);
}

/** Keeps the blocks of a blob; none takes them away. */
export function keepStaged(container: StoredResource, name: string, blocks: readonly StoredBlock[]): void {
  const others = Object.entries(allStagedIn(container)).filter(([blob]) => blob !== name);
  const kept = blocks.length > 0 ? [...others, [name, [...blocks]] as const] : others;
  if (kept.length === 0) delete container.properties["uncommittedBlocks"];
  else container.properties["uncommittedBlocks"] = Object.fromEntries(kept);
}

/** New at every write. */
export function newEtag(call: Call): string {
  return `"0x8D${call.uuid().replaceAll("-", "").slice(0, 12).toUpperCase()}"`;
}

export function httpDate(now: number): string {
  return new Date(now).toUTCString();
}

/** The headers of an answer about a container. */
export function containerHeaders({ etag, properties }: StoredResource): Record<string, string> {
  return { ...(etag !== undefined && { etag }), "last-modified": httpDate(Number(properties["lastModifiedAt"])) };
}

export const leaseHeaders = { "x-ms-lease-status": "unlocked", "x-ms-lease-state": "available" } as const;
export const xmlType = { "content-type": "application/xml" } as const;

/** A stored access policy of a container. */
export interface SignedIdentifier {
  readonly id: string;
  readonly start: string;
  readonly expiry: string;
  readonly permission: string;
}

export function signedIdentifiersOf({ properties }: StoredResource): readonly SignedIdentifier[] {
  return (properties["signedIdentifiers"] ?? []) as SignedIdentifier[];
}
