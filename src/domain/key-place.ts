/** The place of the key that encrypts etcd: the vault of its identity set, or a managed HSM. */
import { encryptionKeyId } from "./encryption-key.js";
import { vaultOption } from "./given-vault.js";
import { contentTags } from "./set-content.js";
import { encryptionKeyName } from "./identity-names.js";
import type { IdentitySetKey } from "./identity-spec.js";
import { nameProblem } from "./name-rules.js";
import { ownershipTags, ownerTags } from "./ownership.js";
import { quotedTitleOf, titleOf } from "./resource-catalogue.js";
import { resourceTypes } from "./resource-types.js";
import { tagValue, type Tags } from "./tags.js";

export interface KeyPlace {
  readonly kind: "vault" | "managed HSM";
  /** The name of the vault or HSM. */
  readonly name: string;
  readonly suffix: string;
  /** The option of az that names it, and the option of aro-hcp. */
  readonly azOption: "--vault-name" | "--hsm-name";
  readonly option: "--key-vault-name" | "--key-vault-id" | "--managed-hsm-name";
  readonly keyName: string;
  /** The title of the key: "key demo-etcd-encryption of managed HSM contoso". */
  readonly title: string;
  readonly quotedTitle: string;
  /** The tags of the key, which show that it is this set's. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Names the vault of the set on its key in a managed HSM: sets of other groups can have the same name, but no two vaults can. */
const keyVaultTag = "aro-hcp-key-vault";
/** Names the managed HSM on the vault of the set: a destroy of the set finds its key there. */
export const managedHsmTag = "aro-hcp-managed-hsm";

/** The managed HSM that a vault's tags name. Undefined for what is no name of one: whoever may write tags would choose a host. */
export function managedHsmIn(tags: Tags): string | undefined {
  const name = tagValue(tags, managedHsmTag);
  // A managed HSM has the rules of a vault for its name.
  return name === undefined || nameProblem("keyVault", name) !== undefined ? undefined : name;
}

const row = resourceTypes.vaultKey;

export function vaultPlace(set: IdentitySetKey, { vaultSuffix }: { readonly vaultSuffix: string }): KeyPlace {
  const keyName = encryptionKeyName(set);
  return {
    kind: "vault",
    name: set.vaultName,
    suffix: vaultSuffix,
    azOption: "--vault-name",
    option: vaultOption(set),
    keyName,
    title: titleOf(row, keyName),
    quotedTitle: quotedTitleOf(row, keyName),
    tags: contentTags(set),
  };
}

export function hsmPlace(set: IdentitySetKey, name: string, { hsmSuffix }: { readonly hsmSuffix: string }): KeyPlace {
  const keyName = encryptionKeyName(set);
  return {
    kind: "managed HSM",
    name,
    suffix: hsmSuffix,
    azOption: "--hsm-name",
    option: "--managed-hsm-name",
    keyName,
    title: `key ${keyName} of managed HSM ${name}`,
    quotedTitle: `key "${keyName}" of managed HSM "${name}"`,
    tags: { ...ownershipTags({ identitySet: set.name }), [keyVaultTag]: set.vaultName },
  };
}

/** Whether the key with these tags belongs to the set, and to nobody else. */
export function ownsKey({ tags: wanted }: KeyPlace, tags: Tags): boolean {
  const isOthers = ownerTags.some((tag) => wanted[tag] === undefined && tagValue(tags, tag) !== undefined);
  return !isOthers && Object.entries(wanted).every(([tag, value]) => tagValue(tags, tag) === value);
}

/** The ID of a version of the key. */
export function versionId({ name, suffix, keyName }: KeyPlace, keyVersion: string): string {
  return encryptionKeyId({ keyVaultName: name, keyName, keyVersion, vaultSuffix: suffix });
}
