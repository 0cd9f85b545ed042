/** A soft-deleted key of a vault or managed HSM: it keeps its name, and can be recovered with all versions. */
import type { KeyPlace } from "../domain/key-place.js";
import type { Tags } from "../domain/tags.js";
import type { Azure } from "./azure.js";
import { isAccessDenied } from "./hsm-keys.js";
import { found } from "./long-running.js";
import { orDenied } from "./vault-admission.js";

export interface DeletedKey {
  readonly tags: Tags;
  readonly recoveryLevel: string | undefined;
  readonly until: Date | undefined;
}

type Place = Pick<KeyPlace, "name" | "keyName" | "kind">;

/** Undefined if the key does not exist, or is not deleted. @throws RestError without access */
export async function readDeletedKey(azure: Azure, { name, keyName, kind }: Place): Promise<DeletedKey | undefined> {
  const keys = kind === "managed HSM" ? (await azure.managedHsm(name)).keys : await azure.vaultKeys(name);
  const properties = (await found(keys.getDeletedKey(keyName)))?.properties;
  return properties && { tags: properties.tags, recoveryLevel: properties.recoveryLevel, until: properties.scheduledPurgeDate };
}

/** The same; also undefined if the caller may not read it: few may read deleted keys. */
export async function findDeletedKey(azure: Azure, place: Place): Promise<DeletedKey | undefined> {
  try {
    return await orDenied(readDeletedKey(azure, place));
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    return undefined;
  }
}
