/** Soft-deleted applications with our unique names, and why a purge keeps one: whoever registers an application chooses its name. */
import type { EarlierFiles, Unproven, VaultEvidence } from "../azure/application-ownership.js";
import type { DeletedApplication } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import type { Removal } from "../engine/step.js";
import { sameText } from "../text/same-text.js";
import type { Kept } from "./inventory.js";
import { purgedByEntra } from "./recoverable.js";
import { removalOf, untilPurged } from "./vault-removals.js";

export interface FoundDeleted extends DeletedApplication {
  /** Why it is kept; undefined if it is ours. */
  readonly unproven?: Unproven | undefined;
}

/** An earlier read of the same run. It had the proof of the applications that the run has deleted since. */
interface EarlierRead {
  readonly applications: readonly { readonly id: string; readonly unproven?: Unproven | undefined }[];
  readonly deletedApplications: readonly FoundDeleted[];
}

/** Of a read that finds one live application, and only if it is ours. */
export function earlierRead({
  application,
  deletedApplications,
}: Pick<EarlierRead, "deletedApplications"> & { readonly application: { readonly id: string } | undefined }): EarlierRead {
  return { applications: application ? [application] : [], deletedApplications };
}

/** Entra need not show the owners of a deleted application, so that it has no other credentials proves nothing. */
export interface DeletedProof {
  readonly files: EarlierFiles | undefined;
  readonly before?: EarlierRead | undefined;
  /** Of the application with a unique name. */
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

/** Without --purge, all of them stay. */
export function keptDeleted(deleted: readonly FoundDeleted[], purge: boolean): Kept[] {
  return purge ? deleted.flatMap((one) => keptApplication(one, "soft-deleted application")) : [];
}

/** Nothing if it is ours. */
export function keptApplication(
  { id, displayName, unproven }: Pick<FoundDeleted, "id" | "displayName" | "unproven">,
  noun = "application",
): Kept[] {
  if (unproven === undefined) return [];
  const line = { name: `${noun}s`, item: displayName, why: unproven.whySeveral };
  return [{ id: `application ${id}`, title: `${noun} ${displayName}`, why: unproven.why, line }];
}

export function purgedApplication(azure: Azure, id: string, displayName: string, after: readonly string[]): Removal {
  const removal = removalOf(`purge application ${id}`, `application ${displayName}, permanently`, after, async (io) => {
    const directory = await azure.directory();
    await untilPurged(azure, io, () => directory.purgeApplication(id));
  });
  return { ...removal, label: { noun: "soft-deleted application", name: displayName } };
}
