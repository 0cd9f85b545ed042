/** The commands for the key that encrypts etcd, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import { changes, reads } from "../settings/shared-options.js";

export const commands = {
  "create encryption-key": {
    summary: "create the key that encrypts etcd",
    description:
      "Creates an RSA key in the vault of an identity set, and assigns the role Key Vault Crypto User on it to the set's KMS identity, which " +
      "create identities --enable-kms creates. A soft-deleted key is recovered. Prints the ID for --encryption-key-id. " +
      "With --managed-hsm-name, the key is created in that managed HSM, and the HSM's own role Managed HSM Crypto User assigned on it. " +
      "A tag of the vault names the HSM, so that a destroy of the set finds the key.",
    examples: ["aro-hcp create encryption-key --cloud local --identities-name demo --output-file encryption-key.json"],
    required: ["setName"],
    options: [
      ...changes,
      "roleCommands",
      "name",
      "persistentResourceGroupName",
      "keyVaultName",
      "setVaultId",
      "managedHsmName",
      "encryptionKeyOutputFile",
    ],
  },
  "rotate encryption-key": {
    summary: "create a new version of the key that encrypts etcd",
    description:
      "Creates a new version, the active key, and prints it with the one before it, the backup key. Set both in the HostedCluster: it encrypts with the " +
      "active key, and decrypts with the backup key until etcd is encrypted again. No version is disabled or deleted. " +
      "The role Key Vault Crypto Officer that a run assigns to the signed-in principal is taken back at its end.",
    examples: ["aro-hcp rotate encryption-key --cloud local --identities-name demo --output-file encryption-key.json"],
    required: ["setName"],
    options: [
      ...changes,
      "name",
      "persistentResourceGroupName",
      "keyVaultName",
      "setVaultId",
      "managedHsmName",
      "minAge",
      "keepOwnRoles",
      "encryptionKeyOutputFile",
    ],
  },
  "show encryption-key": {
    summary: "show the versions of the key that encrypts etcd",
    description: "Reads the versions of the key and says which is the active one and which the backup. Read-only.",
    examples: ["aro-hcp show encryption-key --cloud local --identities-name demo"],
    required: ["setName"],
    options: [...reads, "unusedLocation", "name", "persistentResourceGroupName", "keyVaultName", "setVaultId", "managedHsmName"],
  },
  "destroy encryption-key": {
    summary: "delete the key that encrypts etcd",
    description:
      "Deletes the key and the role assignments on it. Refused while a cluster uses the identity set: it could not read its etcd any more. " +
      "The key stays soft-deleted for a while; --purge deletes it permanently, and takes back the role Key Vault Crypto Officer " +
      "that a run assigned to the signed-in principal. Without --purge, that role stays: a recovery needs it.",
    examples: ["aro-hcp destroy encryption-key --cloud local --identities-name demo"],
    required: ["setName"],
    options: [...changes, "name", "persistentResourceGroupName", "keyVaultName", "setVaultId", "managedHsmName", "purge", "keepOwnRoles"],
  },
} as const satisfies Readonly<Record<string, Command>>;
