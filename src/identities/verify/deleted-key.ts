/** A key that is soft-deleted, and the command that recovers it. */
import { keyCommand } from "../../encryption-key/index.js";
import type { Vault } from "@azure/arm-keyvault";
import { findDeletedKey } from "../../azure/deleted-keys.js";
import { keyVaultTypeOf, type EncryptionKey } from "../../domain/encryption-key.js";
import { hsmPlace, ownsKey, vaultPlace } from "../../domain/key-place.js";
import { identitySetTag } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { tagValue } from "../../domain/tags.js";
import { advise, shell } from "../../errors/advice.js";
import { sameText } from "../../text/same-text.js";
import { failed, type Finding } from "../../verify/check.js";
import type { IdentityReads } from "./reads.js";

/** Undefined if the key is not soft-deleted, or if the caller may not see that. */
export async function deletedKey(reads: IdentityReads, key: EncryptionKey): Promise<Finding<never> | undefined> {
  const { keyVaultName: name, keyName } = key;
  const isHsm = keyVaultTypeOf(key) === "ManagedHSM";
  const deleted = await findDeletedKey(reads.azure, { name, keyName, kind: isHsm ? "managed HSM" : "vault" });
  if (deleted === undefined) return undefined;
  const commands = (await reads.vaults()).flatMap((vault) => createCommand(reads, vault, key) ?? []);
  const own = commands.find(({ place }) => ownsKey(place, deleted.tags));
  const recover = shell`az keyvault key recover ${isHsm ? "--hsm-name" : "--vault-name"} ${name} --name ${keyName}`;
  return failed(
    `key ${keyName} of ${isHsm ? "managed HSM" : "vault"} ${name} is soft-deleted`,
    advise`recover it with all versions: ${own?.command ?? recover}`,
  );
}

/** The command that creates or recovers the key. Undefined unless this is the vault of a set whose key has that name and place. */
export function createCommand({ azure }: IdentityReads, { id = "", name: vaultName = "", tags }: Vault, key: EncryptionKey) {
  const name = tagValue(tags, identitySetTag);
  if (name === undefined) return undefined;
  const { subscriptionId = "", resourceGroup: groupName = "" } = parseResourceId(id);
  const set = { name, subscriptionId, groupName, vaultName };
  const { cloud } = azure.connection;
  const hsmName = keyVaultTypeOf(key) === "ManagedHSM" ? key.keyVaultName : undefined;
  const place = hsmName === undefined ? vaultPlace(set, cloud) : hsmPlace(set, hsmName, cloud);
  if (!sameText(place.name, key.keyVaultName) || !sameText(place.keyName, key.keyName)) return undefined;
  return { place, command: keyCommand("create encryption-key", set, hsmName) };
}
