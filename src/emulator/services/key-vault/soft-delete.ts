/** Soft deletion of secrets and certificates: deleted, found among the deleted, recovered, purged. */
import type { Call } from "../../core/service.js";
import type { SoftDeletion } from "../../state/vault-content.js";
import { isPurgeProtected, retentionDaysOf } from "../../arm/types/key-vaults/provider.js";
import { beingDeleted, deletedButRecoverable, deletedNotFound, forbidden, notDeleted, notFound, type Noun } from "./errors.js";
import { epochSeconds, urlOf, type VaultCall } from "./vault-call.js";
import { namedIn } from "../../common/named.js";

const day = 24 * 3600 * 1000;

interface Deletable {
  readonly name: string;
  deleted?: SoftDeletion;
}

type Objects<T> = Readonly<Record<string, T>>;

/** The existing object, not deleted. */
export function live<T extends Deletable>(objects: Objects<T>, name: string): T | undefined {
  const object = namedIn(objects, name.toLowerCase());
  return object?.deleted === undefined ? object : undefined;
}

/** @throws ApiError 404 */
export function requireLive<T extends Deletable>(objects: Objects<T>, noun: Noun, name: string): T {
  const object = live(objects, name);
  if (object === undefined) throw notFound(noun, name);
  return object;
}

/** @throws ApiError 409 if a deleted object has the name. */
export function checkNameIsFree({ now }: Call, object: Deletable | undefined, noun: Noun): void {
  if (object?.deleted === undefined) return;
  throw isBusy(now, object.deleted) ? beingDeleted(noun, object.name) : deletedButRecoverable(noun, object.name);
}

/** A deletion continues for some seconds after its answer. */
export function newDeletion({ now, milliseconds, sample }: Call): SoftDeletion {
  return { at: now, busyUntil: now + milliseconds(sample("vaultObject.delete")) };
}

/** @throws ApiError 404 if it is not deleted, or its deletion still runs. */
export function findDeleted<T extends Deletable>({ call, name }: VaultCall, objects: Objects<T>, noun: Noun): T {
  const object = namedIn(objects, name.toLowerCase());
  if (object?.deleted === undefined || isBusy(call.now, object.deleted)) throw deletedNotFound(noun, name);
  return object;
}

/** @throws ApiError if it is not deleted, or its deletion still runs. */
export function requireDeleted<T extends Deletable>({ call, name }: VaultCall, objects: Objects<T>, noun: Noun): T {
  const object = namedIn(objects, name.toLowerCase());
  if (object === undefined) throw deletedNotFound(noun, name);
  if (object.deleted === undefined) throw notDeleted(noun, name);
  if (isBusy(call.now, object.deleted)) throw beingDeleted(noun, name);
  return object;
}

export function allDeleted<T extends Deletable>({ call }: VaultCall, objects: Objects<T>): T[] {
  return Object.values(objects).filter(({ deleted }) => deleted !== undefined && !isBusy(call.now, deleted));
}

export function checkPurge({ vault }: VaultCall): void {
  if (!isPurgeProtected(vault.properties)) return;
  throw forbidden(
    'Operation "purge" is not allowed because purge protection is enabled for this vault. Key Vault service will automatically purge it after the retention period has passed.',
  );
}

/** The members that a deleted object has in addition. */
export function deletionMembers(vaultCall: VaultCall, collection: string, { name, deleted }: Deletable): Record<string, unknown> {
  const at = deleted?.at ?? 0;
  const days = retentionDaysOf(vaultCall.vault.properties);
  return {
    recoveryId: urlOf(vaultCall, collection, name),
    deletedDate: epochSeconds(at),
    scheduledPurgeDate: epochSeconds(at + days * day),
  };
}

function isBusy(now: number, { busyUntil }: SoftDeletion): boolean {
  return now < busyUntil;
}
