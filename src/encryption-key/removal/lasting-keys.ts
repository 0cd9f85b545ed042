/** The keys of etcd that a destroy of their set deletes one by one: those in a managed HSM, and in a vault that stays. */
import type { Azure } from "../../azure/azure.js";
import type { SignedIn } from "../../azure/signed-in.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { sameId } from "../../domain/resource-id.js";
import { Failure } from "../../errors/failure.js";
import type { FoundGrant } from "../../removal/assignments.js";
import { findEncryptionKey, type FoundKey } from "./encryption-key.js";
import { findHsmKey } from "./hsm-key.js";
import type { Kept } from "../../removal/owned.js";

interface KeySearch {
  /** The managed HSMs that the vaults of the set name. */
  readonly hsmNames: readonly string[];
  /** Whether the vault of the set stays. */
  readonly vaultStays: boolean;
  readonly caller: SignedIn;
  /** The role assignments that are removed with their principals, the KMS identity among them. */
  readonly assigned: readonly FoundGrant[];
}

interface FoundKeys {
  readonly keys: readonly FoundKey[];
  readonly kept: readonly Kept[];
}

export async function findKeys(
  azure: Azure,
  set: IdentitySetKey,
  { hsmNames, vaultStays, caller, assigned }: KeySearch,
  purge: boolean,
): Promise<FoundKeys> {
  const found = await findHsmKeys(azure, set, hsmNames, caller, purge);
  const ofVault = vaultStays ? await findEncryptionKey(azure, set, { caller, keepsRole: false }) : undefined;
  if (ofVault === undefined) return found;
  const assignments = ofVault.assignments.filter(({ resourceId = "" }) => !assigned.some(({ id }) => sameId(id, resourceId)));
  return { keys: [...found.keys, { ...ofVault, assignments }], kept: [...found.kept, ...ofVault.kept] };
}

/** A key that the caller may not see stays: without a role in its HSM, nothing can be deleted there. */
async function findHsmKeys(
  azure: Azure,
  set: IdentitySetKey,
  hsmNames: readonly string[],
  caller: SignedIn,
  purge: boolean,
): Promise<FoundKeys> {
  const keys: FoundKey[] = [];
  const kept: Kept[] = [];
  for (const hsmName of hsmNames) {
    try {
      const key = await findHsmKey(azure, set, hsmName, caller, purge);
      keys.push(key);
      kept.push(...key.kept);
    } catch (error) {
      // Only a tag names the HSM, which may be gone.
      const isGone = error instanceof Failure && error.code === "ARO-OWN-003";
      if (!(error instanceof Failure) || (!isGone && error.code !== "ARO-AUTHZ-001")) throw error;
      const then = isGone ? "" : `; get a role there, then run destroy encryption-key --managed-hsm-name ${hsmName}`;
      const why = `${error.message}${then}`;
      kept.push({ id: `key of managed HSM ${hsmName}`, why });
    }
  }
  return { keys, kept };
}
