/** Finds live and soft-deleted applications with our unique names, and explains why a destroy keeps one. */
import {
  foreignParts,
  unlessGone,
  unprovenReason,
  type EarlierFiles,
  type Unproven,
  type VaultEvidence,
} from "../azure/application-ownership.js";
import type { DeletedApplication } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { signedIn } from "../azure/signed-in.js";
import { sameText } from "../text/same-text.js";
import { withLateAssignments } from "./late-assignments.js";
import { removalOf, type Kept, type OwnedKind, type OwnedRemoval } from "./owned.js";
import { purgedByEntra, recoverableApplications } from "./recoverable.js";
import { untilPurged } from "./vault-removals.js";

export interface FoundApplication {
  /** Object ID. */
  readonly id: string;
  readonly displayName: string;
  /** Object ID of its service principal; undefined if there is none. */
  readonly principalId: string | undefined;
}

export interface FoundDeleted extends DeletedApplication {
  /** Why it is kept; undefined if it is ours. */
  readonly unproven?: Unproven | undefined;
}

/** The applications with one unique name. */
export interface NamedApplications {
  /** Undefined if there is none, or if nothing proves that it is ours. */
  readonly application: FoundApplication | undefined;
  readonly deletedApplications: readonly FoundDeleted[];
  /** The live one, if nothing proves that it is ours. */
  readonly kept: readonly Kept[];
}

/** `files`: what a create takes as proof too. `before`: an earlier read of the same run. */
export async function findNamedApplications(
  azure: Azure,
  uniqueName: string,
  { files, before }: { readonly files: EarlierFiles | undefined; readonly before?: NamedApplications | undefined },
): Promise<NamedApplications> {
  const earlier = before && { ...before, applications: before.application ? [before.application] : [] };
  const [own, deletedApplications] = await Promise.all([
    ownApplication(azure, uniqueName, files),
    findDeletedApplications(azure, [uniqueName], { files, before: earlier }),
  ]);
  return { ...own, deletedApplications };
}

async function ownApplication(
  azure: Azure,
  uniqueName: string,
  files: EarlierFiles | undefined,
): Promise<Pick<NamedApplications, "application" | "kept">> {
  const none = { application: undefined, kept: [] };
  const directory = await azure.directory();
  const live = await directory.application(uniqueName);
  if (live === undefined) return none;
  const { id, displayName, appId } = live;
  const caller = await signedIn(azure.connection);
  const proof = await unlessGone(azure, uniqueName, async () => ({ foreign: await foreignParts(azure, live, { caller, files }) }));
  if (proof === undefined) return none;
  const { foreign } = proof;
  if (foreign === undefined) return { application: { id, displayName, principalId: await directory.servicePrincipalOf(appId) }, kept: [] };
  return { application: undefined, kept: keptApplication({ id, displayName, unproven: unprovenReason(appId, foreign, { files }) }) };
}

/** An earlier read of the same run. It had the proof of the applications that the run has deleted since. */
interface EarlierRead {
  readonly applications: readonly { readonly id: string; readonly unproven?: Unproven | undefined }[];
  readonly deletedApplications: readonly FoundDeleted[];
}

/** Entra need not show the owners of a deleted application, so that it has no other credentials proves nothing. */
export interface DeletedProof {
  readonly files: EarlierFiles | undefined;
  readonly before?: EarlierRead | undefined;
  /** The evidence for the application with a unique name. */
  readonly vaultOf?: (uniqueName: string) => VaultEvidence | undefined;
}

export async function findDeletedApplications(azure: Azure, uniqueNames: readonly string[], proof: DeletedProof): Promise<FoundDeleted[]> {
  const deleted = await (await azure.directory()).deletedApplications(uniqueNames);
  return Promise.all(deleted.map(async (one) => ({ ...one, unproven: await unprovenOf(one, proof) })));
}

async function unprovenOf(deleted: DeletedApplication, { files, before, vaultOf }: DeletedProof): Promise<Unproven | undefined> {
  const { id, appId, uniqueName } = deleted;
  const known = provenOf([...(before?.applications ?? []), ...(before?.deletedApplications ?? [])]);
  if (known.some((one) => one.id === id)) return undefined;
  const isThis = (clientId: string) => sameText(clientId, appId);
  if ((await files?.clientIds())?.some(isThis)) return undefined;
  if ((await vaultOf?.(uniqueName?.toLowerCase() ?? "")?.clientIds())?.some(isThis)) return undefined;
  const way = files ? `; if it is, pass a file of its create that has the client ID ${appId}: ${files.flags}` : "";
  const wayOfSeveral = files ? `; if they are, pass a file of their create: ${files.flags}` : "";
  return {
    why: `nothing proves that it is yours: it was deleted before, and anybody may choose its unique name; Azure keeps it until ${purgedByEntra(deleted)}${way}`,
    whySeveral: `nothing proves that they are yours: they were deleted before, and anybody may choose their unique names${wayOfSeveral}`,
  };
}

export function provenOf<T extends { readonly unproven?: Unproven | undefined }>(found: readonly T[]): T[] {
  return found.filter(({ unproven }) => unproven === undefined);
}

/** Empty if the application is ours. */
export function keptApplication(
  { id, displayName, unproven }: Pick<FoundDeleted, "id" | "displayName" | "unproven">,
  noun = "application",
): Kept[] {
  if (unproven === undefined) return [];
  const line = { name: `${noun}s`, item: displayName, why: unproven.whySeveral };
  return [{ id: `application ${id}`, title: `${noun} ${displayName}`, why: unproven.why, line }];
}

/** Without --purge, all deleted applications stay. */
export function keptDeleted(deleted: readonly FoundDeleted[], purge: boolean): Kept[] {
  return purge ? deleted.flatMap((one) => keptApplication(one, "soft-deleted application")) : [];
}

interface NamedApplicationMode {
  readonly purge: boolean;
  /** "rerun the original create dns-zone" */
  readonly rerun: string;
  /** The subscriptions where roles are deleted that its principal has got since they were listed. */
  readonly lateIn?: readonly string[];
}

export function namedApplicationKind(
  azure: Azure,
  { application, deletedApplications, kept }: NamedApplications,
  { purge, rerun, lateIn = [] }: NamedApplicationMode,
): OwnedKind<never> {
  const [removal, ...purged] = application ? applicationRemovals(azure, application, purge) : [];
  return {
    removals: [
      ...(removal ? [withLateAssignments(azure, removal, [application?.principalId], lateIn)] : []),
      ...purged,
      ...purgesOfDeleted(azure, deletedApplications, purge),
    ],
    kept: [...kept, ...keptDeleted(deletedApplications, purge)],
    // Nobody is advised to recover what belongs to somebody else.
    recoverable: recoverableApplications(provenOf(deletedApplications), rerun),
  };
}

/** `roles`: the IDs of the removals of its roles. */
export function applicationRemovals(
  azure: Azure,
  { id, displayName }: Pick<FoundApplication, "id" | "displayName">,
  purge: boolean,
  roles: readonly string[] = [],
): OwnedRemoval[] {
  const remove = async () => (await azure.directory()).deleteApplication(id);
  const removal = {
    ...removalOf(`application ${id}`, `application ${displayName}`, remove, roles),
    label: { noun: "application", name: displayName },
  };
  return purge ? [removal, { ...purgedApplication(azure, { id, displayName }), after: [removal.id], left: false }] : [removal];
}

/** The purges of applications that were deleted before. */
export function purgesOfDeleted(azure: Azure, deleted: readonly FoundDeleted[], purge: boolean): OwnedRemoval[] {
  if (!purge) return [];
  return provenOf(deleted).map((one) => ({ ...purgedApplication(azure, one), left: `deleted application ${one.displayName}` }));
}

function purgedApplication(azure: Azure, { id, displayName }: Pick<FoundApplication, "id" | "displayName">): OwnedRemoval {
  const removal = removalOf(`purge application ${id}`, `application ${displayName}, permanently`, async (io) => {
    const directory = await azure.directory();
    await untilPurged(azure, io, () => directory.purgeApplication(id));
  });
  return { ...removal, label: { noun: "soft-deleted application", name: displayName } };
}
