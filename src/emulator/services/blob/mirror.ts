/**
 * Azurite's copy of the world's blobs. The world is the truth: another process may have written to it, this one's write may have been
 * overtaken, and a new process begins with an empty Azurite. So before a request goes to Azurite, its copy of the account is brought up to date.
 */
import { accountKeys } from "../../arm/types/storage/account-keys.js";
import { accountNamed } from "../../arm/types/storage/names.js";
import { containerType } from "../../arm/types/storage/versions.js";
import { isWithin } from "../../arm/resource-id.js";
import type { StoredBlob } from "../../state/blob-content.js";
import type { StoredResource, AzureState } from "../../state/state.js";
import { ownSignature, startAzurite, type Azurite, type BlobReply } from "./azurite.js";

/** What Azurite has of a blob: which write of ours, and under which etag. */
interface Copied {
  readonly stamp: string;
  readonly etag: string;
}

interface CopiedContainer {
  /** ARM's etag, new at every change of the container itself. */
  etag: string | undefined;
  readonly blobs: Map<string, Copied>;
}

/** By name. What is left of an account or a container that was made anew differs in its stamps, and goes. */
type Containers = Map<string, CopiedContainer>;

export interface OwnRequest {
  readonly method: string;
  /** Below the account, each segment encoded: "/demo/openid%2Fv1%2Fjwks". */
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export class BlobMirror {
  #azurite: Promise<Azurite> | undefined;
  /** The world of the request that is being answered: transactions come one after another. */
  #world: AzureState | undefined;
  readonly #copies = new Map<string, Containers>();

  /** Azurite with the account as the world has it. Started at the first call. */
  async open(state: AzureState, account: StoredResource): Promise<Azurite> {
    this.#world = state;
    // Not kept when it fails: it may be installed meanwhile.
    const azurite = await this.#started().catch((error: unknown) => {
      this.#azurite = undefined;
      throw error;
    });
    await this.#bringUp(account);
    return azurite;
  }

  /** Has it start for whoever will need it, and waits for nothing: what goes wrong is told to who opens it. */
  start(): void {
    this.#started().catch(() => undefined);
  }

  #started(): Promise<Azurite> {
    return (this.#azurite ??= startAzurite((name) => this.#keysOf(name)));
  }

  async close(): Promise<void> {
    const azurite = await this.#azurite?.catch(() => undefined);
    this.#azurite = undefined;
    await azurite?.close();
  }

  /** Sends a request of our own, signed with the account's key. */
  async send(account: StoredResource, { method, path, query = "", headers = {}, body = Buffer.alloc(0) }: OwnRequest): Promise<BlobReply> {
    const azurite = await this.#azurite;
    if (azurite === undefined || this.#world === undefined) throw new Error("Azurite is not open");
    const [key] = accountKeys(this.#world, account);
    const target = `${path}?${query === "" ? "" : `${query}&`}${ownSignature(account.name, key)}`;
    return azurite.send({ method, host: `${account.name}.blob.core.windows.net`, target, headers, body });
  }

  /** Azurite's etag of a blob. */
  etagOf(account: StoredResource, container: string, blob: string): string | undefined {
    return this.#containersOf(account).get(container)?.blobs.get(blob)?.etag;
  }

  /** Takes note of what a request has changed. Undefined: it is not known any more, or gone. */
  note(account: StoredResource, container: string, blob: string, copied: Copied | undefined): void {
    const blobs = this.#containersOf(account).get(container)?.blobs;
    if (copied === undefined) blobs?.delete(blob);
    else blobs?.set(blob, copied);
  }

  /** `etag` is the container's as ARM answers it; undefined where it is gone. */
  noteContainer(account: StoredResource, container: string, etag: string | undefined): void {
    const containers = this.#containersOf(account);
    if (etag === undefined) containers.delete(container);
    else containers.set(container, { etag, blobs: containers.get(container)?.blobs ?? new Map<string, Copied>() });
  }

  async #bringUp(account: StoredResource): Promise<void> {
    const copies = this.#containersOf(account);
    const wanted = new Map(containersOf(this.#world, account).map((container) => [container.name, container]));
    for (const name of copies.keys()) {
      if (wanted.has(name)) continue;
      await this.#must(account, { method: "DELETE", path: `/${name}`, query: "restype=container" }, [202, 404]);
      copies.delete(name);
    }
    for (const [name, container] of wanted) {
      const copy = copies.get(name) ?? { etag: undefined, blobs: new Map<string, Copied>() };
      if (!copies.has(name)) await this.#must(account, { method: "PUT", path: `/${name}`, query: "restype=container" }, [201]);
      copies.set(name, copy);
      if (copy.etag !== container.etag) {
        const headers = metadataHeaders(container.properties["metadata"] as Record<string, string> | undefined);
        await this.#must(account, { method: "PUT", path: `/${name}`, query: "restype=container&comp=metadata", headers }, [200]);
        copy.etag = container.etag;
      }
      await this.#bringUpBlobs(account, container, copy.blobs);
    }
  }

  async #bringUpBlobs(account: StoredResource, container: StoredResource, copied: Map<string, Copied>): Promise<void> {
    const wanted = blobsOf(container);
    for (const name of copied.keys()) {
      if (name in wanted) continue;
      await this.#must(account, { method: "DELETE", path: blobPath(container.name, name) }, [202, 404]);
      copied.delete(name);
    }
    for (const [name, blob] of Object.entries(wanted)) {
      if (copied.get(name)?.stamp === blob.stamp) continue;
      const path = blobPath(container.name, name);
      const { headers } = await this.#must(
        account,
        { method: "PUT", path, headers: putHeaders(blob), body: Buffer.from(blob.content, "base64") },
        [201],
      );
      copied.set(name, { stamp: blob.stamp, etag: headers["etag"] ?? "" });
    }
  }

  async #must(account: StoredResource, own: OwnRequest, statuses: readonly number[]): Promise<BlobReply> {
    const reply = await this.send(account, own);
    if (statuses.includes(reply.status)) return reply;
    throw new Error(`Azurite answers ${reply.status} to ${own.method} ${own.path}: ${reply.body.toString()}`);
  }

  #containersOf({ name }: StoredResource): Containers {
    let containers = this.#copies.get(name);
    if (containers === undefined) this.#copies.set(name, (containers = new Map<string, CopiedContainer>()));
    return containers;
  }

  #keysOf(name: string): readonly [string, string] | undefined {
    const account = this.#world && accountNamed(this.#world, name);
    return this.#world && account && accountKeys(this.#world, account);
  }
}

function containersOf(state: AzureState | undefined, account: StoredResource): StoredResource[] {
  return Object.values(state?.resources ?? {}).filter((one) => one.type === containerType && isWithin(one.id, account.id));
}

export function blobsOf(container: StoredResource): Record<string, StoredBlob> {
  return (container.properties["blobs"] ??= {}) as Record<string, StoredBlob>;
}

export function blobPath(container: string, blob: string): string {
  return `/${container}/${blob.split("/").map(encodeURIComponent).join("/")}`;
}

function putHeaders(blob: StoredBlob): Record<string, string> {
  const named = {
    "x-ms-blob-content-type": blob.contentType,
    "x-ms-blob-content-encoding": blob.contentEncoding,
    "x-ms-blob-content-language": blob.contentLanguage,
    "x-ms-blob-content-disposition": blob.contentDisposition,
    "x-ms-blob-cache-control": blob.cacheControl,
    "x-ms-tags": blob.tags && new URLSearchParams(blob.tags).toString(),
  };
  const present = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { "x-ms-blob-type": "BlockBlob", "x-ms-version": "2020-10-02", ...Object.fromEntries(present), ...metadataHeaders(blob.metadata) };
}

function metadataHeaders(metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-ms-meta-${name}`, value]));
}
