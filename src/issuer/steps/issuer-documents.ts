/** The documents of the issuer: uploaded, then read anonymously before they count as published. */
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { usualRoleDelay } from "../../azure/expected-durations.js";
import type { Blob, BlobStore } from "../../azure/blob-store.js";
import { defineStep, type Change, type Decision, type Step, type StepIo } from "../../engine/step.js";
import { advise, aroHcp, blank } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import type { IssuerSpec } from "../../domain/issuer.js";
import {
  discoveryDocument,
  discoveryPath,
  documentText,
  keySet,
  keySetPath,
  keysIn,
  mergeKeys,
  hasContent,
  type PublishedKey,
} from "../../oidc/documents.js";
import type { Jwk } from "../../oidc/signing-key.js";
import { withAccountKey } from "./account-key.js";
import type { GrantOutput } from "../../steps/grant.js";
import { refuse } from "../../steps/ownership-decision.js";

const contentType = "application/json";
/** Entra caches keys for a while; other caches should not keep them longer. A new key is effective everywhere after this time. */
const cacheControl = "public, max-age=300";

/** Azure documents half a minute until new public access is effective. DNS may take longer. */
const publicAfterMs = 3 * 60_000;
const publicPollMs = 2_000;

export interface IssuerOutput {
  readonly url: string;
  readonly discovery: string;
  readonly keySet: string;
  /** IDs of the published keys. */
  readonly kids: readonly string[];
}

interface LiveDocuments {
  readonly discovery: Blob | undefined;
  readonly keySet: Blob | undefined;
  /** Whether both are public. */
  readonly isPublic: boolean;
}

/** `container` must exist before anything can be read or written. */
export type IssuerNeeds = {
  readonly keys: Step<{ readonly keys: readonly Jwk[] }>;
  readonly container: Step<void>;
  /** Set if the documents are uploaded with a role. */
  readonly role?: Step<GrantOutput>;
};

/** `account` is the ID of the storage account. */
export function issuerDocuments(azure: Azure, spec: IssuerSpec, account: string | undefined, needs: IssuerNeeds): Step<IssuerOutput> {
  const urls = { discovery: `${spec.url}/${discoveryPath}`, keySet: `${spec.url}/${keySetPath}` };
  const byKey = spec.upload === "account-key";
  return defineStep({
    id: "issuer-documents",
    subject: { kind: "blob", ...(byKey && { keyOf: account }) },
    title: `issuer ${spec.url}`,
    ...(!byKey && { seconds: usualRoleDelay }),
    needs,
    within: "container",
    neededToRead: ["role"],
    preview(_outputs, _now, live: LiveDocuments | undefined): Decision {
      const why = "with the new signing key";
      if (!live) return { act: "create", why };
      const others = kidsIn(live.keySet).filter((kid) => !spec.retiredKeys.includes(kid));
      const beside = others.length === 0 ? "" : `, ${besideOthers(others)}`;
      return refuseOtherContent(live, spec) ?? refuseToJoin(others, spec) ?? { act: "update", why: `${why}${beside}`, changes: [] };
    },
    read: ({ role }) => readDocuments(azure, urls, role?.isAssigned ?? false),
    decide: (live, { keys: { keys: added } }) => decide(live, spec, added),
    async apply(live, { keys: { keys: added } }, io): Promise<LiveDocuments> {
      const upload = async (blobs: BlobStore, current: LiveDocuments | undefined) => {
        const wanted = wantedTexts(current, spec, keysOf(current, spec, added));
        for (const part of ["keySet", "discovery"] as const) {
          if (isAsWanted(current?.[part], wanted[part])) continue;
          await asStale(blobs.write(urls[part], { text: wanted[part], contentType, cacheControl }, current?.[part]?.etag));
        }
      };
      if (!byKey) await upload(await azure.blobs(), live);
      else {
        await withAccountKey(azure, spec, async (blobs) => {
          // Documents that are not public are unknown without the role.
          const current = live ?? { ...(await stored(blobs, urls)), isPublic: false };
          const decision = decide(current, spec, added);
          if (decision.act === "refuse") throw decision.failure;
          await upload(blobs, current);
        });
      }
      return untilPublic(azure, urls, (documents) => decide(documents, spec, added).act === "keep", io);
    },
    output: (live, { keys: { keys: added } }) => {
      const published = keysOf(live, spec, added);
      return { url: spec.url, ...wantedTexts(live, spec, published), kids: published.map(({ kid }) => kid) };
    },
  });
}

interface Texts {
  readonly discovery: string;
  readonly keySet: string;
}

/**
 * Reads the documents anonymously first; that also shows whether they are public. Otherwise reads them with the role.
 * Before the role is assigned, they are unknown, and a write that finds documents reads again.
 */
async function readDocuments(azure: Azure, urls: Texts, byRole: boolean): Promise<LiveDocuments | undefined> {
  const seen = await Promise.all([published(azure, urls.discovery), published(azure, urls.keySet)]);
  const [discovery, keySet] = seen;
  if (discovery && keySet) return { discovery, keySet, isPublic: true };
  if (!byRole) return undefined;
  const own = await readByRole(azure, urls);
  return own.discovery || own.keySet ? { ...own, isPublic: false } : undefined;
}

async function readByRole(azure: Azure, urls: Texts): Promise<StoredDocuments> {
  return stored(await azure.blobs(), urls);
}

type StoredDocuments = Omit<LiveDocuments, "isPublic">;

async function stored(blobs: BlobStore, urls: Texts): Promise<StoredDocuments> {
  const read = async (url: string) => {
    try {
      return await blobs.read(url);
    } catch (error) {
      // The account's network rules deny access. After they are fixed, a write that finds documents reads again.
      if (azureCodeOf(error) === "AuthorizationFailure") return undefined;
      throw error;
    }
  };
  const [discovery, keySet] = await Promise.all([read(urls.discovery), read(urls.keySet)]);
  return { discovery, keySet };
}

async function published(azure: Azure, url: string): Promise<Blob | undefined> {
  const { status, body, header } = await azure.published(url);
  if (status !== 200) return undefined;
  return { text: body, contentType: header("content-type"), cacheControl: header("cache-control"), etag: header("etag") };
}

function decide(live: LiveDocuments | undefined, spec: IssuerSpec, added: readonly Jwk[]): Decision {
  const refused = live && refuseOtherContent(live, spec);
  if (refused) return refused;
  const keys = keysOf(live, spec, added);
  if (keys.length === 0) {
    return refuse("ARO-OIDC-005", "this would retire the last key of the issuer", {
      because: "without a key, Azure accepts no token of the cluster",
    });
  }
  if (!live) return { act: "create" };
  const others = isAdded(live, added) ? kidsIn(live.keySet).filter((kid) => !isNamed(kid, spec, added)) : [];
  const refusedToJoin = refuseToJoin(others, spec);
  if (refusedToJoin) return refusedToJoin;
  const wanted = wantedTexts(live, spec, keys);
  const changes: Change[] = [
    ...(isAsWanted(live.discovery, wanted.discovery)
      ? []
      : [{ path: discoveryPath, from: live.discovery ? "differs" : "absent", to: "up to date" }]),
    ...(isAsWanted(live.keySet, wanted.keySet) ? [] : [{ path: keySetPath, from: kidsIn(live.keySet), to: keys.map(({ kid }) => kid) }]),
    ...(live.isPublic ? [] : [{ path: "publicly readable", from: false, to: true }]),
  ];
  const gone = kidsIn(live.keySet).filter((kid) => spec.retiredKeys.includes(kid));
  const reasons = [
    ...(others.length === 0 ? [] : [`another signing key ${besideOthers(others)}`]),
    ...(gone.length === 0
      ? []
      : [`without ${gone.join(", ")}; ${keys.map(({ kid }) => kid).join(", ")} ${keys.length === 1 ? "stays" : "stay"} published`]),
  ];
  const why = reasons.length === 0 ? "it differs" : reasons.join("; ");
  if (changes.length === 0) return { act: "keep" };
  return refuseToRetire(gone, keys, spec) ?? { act: "update", why, changes };
}

function isAdded({ keySet: blob }: LiveDocuments, added: readonly Jwk[]): boolean {
  return added.some(({ kid }) => !kidsIn(blob).includes(kid));
}

function isNamed(kid: string, { retiredKeys }: IssuerSpec, added: readonly Jwk[]): boolean {
  return retiredKeys.includes(kid) || added.some((key) => key.kid === kid);
}

function besideOthers(others: readonly string[]): string {
  return `beside ${others.join(", ")}, which this run does not name`;
}

/** Whoever has a private key of the issuer can act as all identities that trust it. A second cluster must not become one of them by its name alone. */
function refuseToJoin(others: readonly string[], { url, owner, joinFlag }: IssuerSpec): Decision | undefined {
  if (joinFlag === undefined || others.length === 0) return undefined;
  return refuse("ARO-OIDC-005", `${url} publishes a signing key that this run does not name: ${others.join(", ")}`, {
    because: `everything that trusts the issuer of set "${owner.identitySet}" would also accept tokens of this run's key`,
    next: [
      `to publish the key of this run beside it, pass ${joinFlag}`,
      "if the published key is the cluster's own, pass the --output-dir that has it",
      "otherwise choose a different --name",
    ],
  });
}

/** Clusters that share an issuer have IDs of keys that look alike, and without its key a cluster gets no token accepted. */
function refuseToRetire(gone: readonly string[], left: readonly PublishedKey[], { url, joinFlag }: IssuerSpec): Decision | undefined {
  if (joinFlag === undefined || gone.length === 0) return undefined;
  return refuse("ARO-OIDC-005", `this would retire ${gone.join(", ")} of ${url}, which may be the key of a cluster in use`, {
    because: `${left.map(({ kid }) => kid).join(", ")} would stay published`,
    next: [
      advise`compare the ID with that of the cluster's key: ${aroHcp("create key-pair", { outputDir: blank("directory") })} prints it for the output directory of create all`,
      `to retire this key, pass ${joinFlag}`,
    ],
  });
}

function refuseOtherContent({ keySet: blob }: LiveDocuments, spec: IssuerSpec): Decision | undefined {
  if (blob === undefined || keysIn(blob.text) !== undefined) return undefined;
  return refuse("ARO-OIDC-005", `${spec.url}/${keySetPath} is not a JSON Web Key Set`, {
    because: "overwriting it could delete keys of others",
    next: ["check the blob, and delete it if nobody needs it"],
  });
}

function keysOf(live: LiveDocuments | undefined, { retiredKeys }: IssuerSpec, added: readonly Jwk[]): PublishedKey[] {
  return mergeKeys(keysIn(live?.keySet?.text ?? "") ?? [], added, retiredKeys);
}

function kidsIn(blob: Blob | undefined): string[] {
  return (keysIn(blob?.text ?? "") ?? []).map(({ kid }) => kid);
}

/** Keeps the formatting of a document with the same content. */
function wantedTexts(live: LiveDocuments | undefined, { url }: IssuerSpec, keys: readonly PublishedKey[]): Texts {
  const text = (blob: Blob | undefined, document: object) => (blob && hasContent(blob.text, document) ? blob.text : documentText(document));
  return { discovery: text(live?.discovery, discoveryDocument(url)), keySet: text(live?.keySet, keySet(keys)) };
}

function isAsWanted(blob: Blob | undefined, text: string): boolean {
  return blob?.text === text && blob.contentType === contentType && blob.cacheControl === cacheControl;
}

/** Somebody else published in the meantime: their keys must not be lost. */
async function asStale(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (["ConditionNotMet", "BlobAlreadyExists"].includes(azureCodeOf(error) ?? ""))
      throw new Stale("it was published again in the meantime", { cause: error });
    throw error;
  }
}

/**
 * Waits until both documents are public and `isDone` accepts them: others may have added keys meanwhile.
 * @throws Stale if others have removed or replaced what this run wrote
 */
async function untilPublic(
  azure: Azure,
  urls: Texts,
  isDone: (documents: LiveDocuments) => boolean,
  { note, signal }: StepIo,
): Promise<LiveDocuments> {
  const { clock } = azure.connection;
  for (let waitedMs = 0; ; waitedMs += publicPollMs) {
    const [discovery, keySet] = await Promise.all([published(azure, urls.discovery), published(azure, urls.keySet)]);
    const documents = { discovery, keySet, isPublic: true };
    if (discovery && keySet) {
      if (isDone(documents)) return documents;
      // A cache may still return the documents from before. The store itself never does.
      const stored = await readByRole(azure, urls);
      if ((stored.discovery ?? stored.keySet) && !isDone({ ...stored, isPublic: true }))
        throw new Stale("it was published again in the meantime");
    }
    if (waitedMs >= publicAfterMs) throw await notPublic(azure, urls, [discovery, keySet]);
    note("waiting until the documents are public");
    await clock.sleep(publicPollMs, signal);
  }
}

async function notPublic(azure: Azure, urls: Texts, seen: readonly (Blob | undefined)[]): Promise<Failure> {
  const unseen = [urls.discovery, urls.keySet].find((_, index) => seen[index] === undefined);
  const answer = unseen === undefined ? undefined : await azure.published(unseen);
  const code = answer?.header("x-ms-error-code");
  return new Failure("ARO-OIDC-003", `the document at ${unseen ?? urls.discovery} is not publicly readable`, {
    because:
      answer === undefined
        ? "the response is a different document"
        : `the response is ${String(answer.status)}${code === undefined ? "" : ` ${code}`}`,
  });
}
