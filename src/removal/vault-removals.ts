/** The removals of a vault: deleted with its contents, and purged if it is wanted and possible. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { CertificateClient } from "@azure/keyvault-certificates";
import type { Azure } from "../azure/azure.js";
import { vaultObjectDeletion, vaultPurge } from "../azure/expected-durations.js";
import { begun, finish, found, noInterval } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { patchTags } from "../azure/patch-tags.js";
import { OperationError } from "../azure/operation-error.js";
import { pollWhenDue } from "../azure/poll-timing.js";
import { orDenied } from "../azure/vault-admission.js";
import { readSecret } from "../azure/vault-secrets.js";
import type { StepIo } from "../engine/step.js";
import { inspectedTags } from "../domain/inspected-vault.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId } from "../domain/resource-id.js";
import { vaultReader } from "../domain/roles.js";
import type { Tags } from "../domain/tags.js";
import { resourceTypes } from "../domain/resource-types.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";
import { gotNewContents, hasOtherContents } from "./new-resources.js";
import { removalOf, resourceRemovalOf, type OwnedRemoval } from "./owned.js";
import { canPurge, keptFor, type ContentKind, type FoundVault, type TaggedVault } from "./vaults.js";

/** Directory replicas and Key Vault take seconds to list what was deleted. */
const purgePauseMs = 2_000;
const purgeTries = 15;

export function vaultRemovals(azure: Azure, vault: FoundVault, purge: boolean): OwnedRemoval[] {
  const { id, name, location, purgeProtected, keptDays, keys = [] } = vault;
  let isInspected = false;
  const kept = `it has purge protection: Azure keeps it, with its name, for ${plural(keptDays, "day")} after its deletion`;
  const lost = `${keys.length === 1 ? "key" : "keys"} ${keys.join(", ")} will be deleted with it: what it encrypts, such as etcd, cannot be read without it`;
  const notes = [
    ...(keys.length > 0 ? [lost] : []),
    ...(vault.closed ? [`its contents are read first, with the role ${vaultReader.name} for this run only`] : []),
    ...(purgeProtected ? [kept] : []),
  ];
  const remove = async (io: StepIo) => {
    const { vaults } = await azure.vaults();
    const live = await vault.again(io);
    if (live === undefined) return;
    requireOnlyOwn(vault, live, purge);
    // A destroy that is interrupted between deletion and purge leaves the purge to the next one.
    if (!live.closed && live.foreignDeleted.length === 0) await markInspected(azure, id);
    await found(vaults.delete(parseResourceId(id).resourceGroup ?? "", name));
    isInspected = true;
  };
  const removal = {
    ...resourceRemovalOf(resourceTypes.keyVault, id, remove),
    ...(notes.length > 0 && { why: notes.join("; ") }),
  };
  return purge && !purgeProtected
    ? [removal, { ...purgedVault(azure, { name, location, isInspected: () => isInspected }), after: [removal.id], left: false }]
    : [removal];
}

/** @throws Failure if the plan would have kept the vault with these contents */
function requireOnlyOwn({ name, closed }: FoundVault, live: FoundVault, purge: boolean): void {
  const kept = keptFor(live, { purge });
  if (kept === undefined) return;
  const contents = [...live.foreign, ...(purge ? live.foreignDeleted : [])];
  const what = quotedTitleOf(resourceTypes.keyVault, name);
  if (closed && contents.length > 0) throw hasOtherContents(what, contents);
  throw gotNewContents(what, contents.length > 0 ? contents : [kept.why]);
}

/** The purges of vaults that earlier destroys deleted. */
export function purgesOf(azure: Azure, deleted: readonly TaggedVault[]): OwnedRemoval[] {
  return deleted.filter(canPurge).map(({ name = "", properties: { location = "" } = {} }) => ({
    ...purgedVault(azure, { name, location, isInspected: () => false }),
    left: `deleted ${titleOf(resourceTypes.keyVault, name)}`,
  }));
}

/** If a missing permission or a policy prevents the tags, only this run can purge the vault. */
async function markInspected(azure: Azure, id: string): Promise<void> {
  try {
    await found(patchTags(azure, id, "Merge", inspectedTags(azure.connection.clock.now())));
  } catch (error) {
    const isRefused = isRestError(error) && error.statusCode === 403;
    if (!isRefused && !(error instanceof OperationError)) throw error;
  }
}

interface Purge {
  readonly name: string;
  readonly location: string;
  /** Whether this run has read its contents just before it deleted it. */
  readonly isInspected: () => boolean;
}

function purgedVault(azure: Azure, { name, location, isInspected }: Purge): OwnedRemoval {
  return removalOf(`purge key vault ${name.toLowerCase()}`, `${titleOf(resourceTypes.keyVault, name)}, permanently`, async (io) => {
    const { vaults } = await azure.vaults();
    const purged = async () => {
      if (!isInspected() && !(await mayPurge(azure, name))) return false;
      await finish(azure, vaultPurge, (options) => begun(vaults.purgeDeleted(name, location, options)));
      return true;
    };
    await untilPurged(azure, io, async () => (await found(purged())) ?? false);
  });
}

/** One that the user has named, whatever is in it. */
export function purgedNamedVault(azure: Azure, name: string, location: string): OwnedRemoval {
  return purgedVault(azure, { name, location, isInspected: () => true });
}

/**
 * False if it is purged, or not listed yet.
 * @throws Failure if somebody has recovered it since an earlier destroy, or deleted it before this one
 */
async function mayPurge(azure: Azure, name: string): Promise<boolean> {
  const { vaults } = await azure.vaults();
  const deleted = (await all(vaults.listDeleted())).find((one) => sameText(one.name, name));
  if (deleted === undefined || canPurge(deleted)) return deleted !== undefined;
  const why = "another client deleted it, and no destroy has read its contents since";
  throw gotNewContents(`deleted ${quotedTitleOf(resourceTypes.keyVault, name)}`, [why]);
}

/** An object in a vault that stays. `isOwn` decides by tags. */
export interface ContentPlace {
  readonly vaultName: string;
  readonly name: string;
  isOwn(tags: Tags): boolean;
}

/** The key and the secret of the certificate are deleted with it. */
export function certificateRemoval(azure: Azure, place: ContentPlace, purge: boolean): OwnedRemoval {
  const { vaultName, name } = place;
  const title = `certificate ${name}`;
  const removal = removalOf(title, title, async ({ note, signal }) => {
    const { certificates } = await azure.vaultContent(vaultName);
    const options = { intervalInMs: noInterval };
    const live = await found(certificates.getCertificate(name));
    requireStillOwn(place, title, live ?? (purge ? await orDenied(found(certificates.getDeletedCertificate(name))) : undefined));
    await found(pollWhenDue(vaultObjectDeletion, async () => (await certificates.beginDeleteCertificate(name, options)).pollUntilDone()));
    if (!purge) return;
    // In a vault of others, nothing shows later that the certificate was the cluster's: what Azure still has is purged again.
    for (let tries = 1; ; tries += 1) {
      await found(certificates.purgeDeletedCertificate(name));
      if (!(await isSoftDeleted(certificates, name))) return;
      if (tries === purgeTries) throw new Failure("ARO-DELETE-003", `${title} is still soft-deleted in Key Vault "${vaultName}"`);
      note("waiting until Azure has purged it");
      await azure.connection.clock.sleep(purgePauseMs, signal);
    }
  });
  return { ...removal, label: { noun: "certificate", name } };
}

/** Removes a secret with all its versions. */
function secretRemoval(azure: Azure, place: ContentPlace, purge: boolean): OwnedRemoval {
  const { vaultName, name } = place;
  const title = `secret ${name}`;
  const removal = removalOf(title, title, async () => {
    const { secrets } = await azure.vaultContent(vaultName);
    const options = { intervalInMs: noInterval };
    const { secret, deleted } = (await readSecret(azure, vaultName, name)) ?? {};
    requireStillOwn(place, title, secret ?? deleted);
    await found(pollWhenDue(vaultObjectDeletion, async () => (await secrets.beginDeleteSecret(name, options)).pollUntilDone()));
    if (purge) await found(secrets.purgeDeletedSecret(name));
  });
  return { ...removal, label: { noun: "secret", name } };
}

/**
 * Its name is known, and others use the vault: since the plan, somebody may have replaced it.
 * @throws Failure ARO-OWN-001
 */
function requireStillOwn(
  { vaultName, isOwn }: ContentPlace,
  title: string,
  live: { readonly properties: { readonly tags?: Tags } } | undefined,
) {
  if (live === undefined || isOwn(live.properties.tags)) return;
  throw new Failure("ARO-OWN-001", `${title} in ${quotedTitleOf(resourceTypes.keyVault, vaultName)} has another owner since the plan`, {
    because: "its tags have changed",
    next: ["rerun the command to see the plan without it"],
  });
}

/** Without the permission to read deleted certificates, as if it were purged. */
async function isSoftDeleted(certificates: CertificateClient, name: string): Promise<boolean> {
  try {
    return (await found(certificates.getDeletedCertificate(name))) !== undefined;
  } catch (error) {
    if (isRestError(error) && error.statusCode === 403) return false;
    throw error;
  }
}

/** An object that is not found may be purged or not listed as deleted yet, so this retries for a while. */
export async function untilPurged(azure: Azure, { note, signal }: StepIo, purge: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await purge()) && tries < purgeTries; tries += 1) {
    note("waiting until Azure lists it as deleted");
    await azure.connection.clock.sleep(purgePauseMs, signal);
  }
}

/** The contents of this set in a vault that others also use. */
export function contentRemovals(azure: Azure, vault: FoundVault, purgeWanted: boolean): OwnedRemoval[] {
  const { name: vaultName, secrets, certificates, purgeProtected, isOwn } = vault;
  const purge = purgeWanted && !purgeProtected;
  const place = (kind: ContentKind) => (name: string) => ({
    vaultName,
    name,
    isOwn: (tags: Tags) => isOwn({ name, tags }, kind),
  });
  return [
    ...secrets.map(place("secret")).map((one) => secretRemoval(azure, one, purge)),
    ...certificates.map(place("certificate")).map((one) => certificateRemoval(azure, one, purge)),
  ];
}
