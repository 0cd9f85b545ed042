/** The vault of `--key-vault-id`, which a destroy leaves: what the set has in it and on it, and why it stays. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { creationEnded, creationOf } from "../azure/certificate-creations.js";
import { all } from "../azure/pages.js";
import { isForOneRun } from "../azure/own-role.js";
import { requireVaultOfSet } from "../azure/set-vault.js";
import type { SignedIn } from "../azure/signed-in.js";
import { orDenied } from "../azure/vault-admission.js";
import { controlPlaneComponents } from "../domain/components.js";
import { purposeOnVault } from "../domain/given-vault.js";
import { certificateName } from "../domain/identity-names.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { hasOwner } from "../domain/ownership.js";
import { idKey, sameId } from "../domain/resource-id.js";
import { certificatesOfficer, cryptoOfficer, secretsOfficer } from "../domain/roles.js";
import { sameText } from "../text/same-text.js";
import type { Kept } from "./inventory.js";
import {
  isOwnGrant,
  itemsOf,
  readContents,
  setVault,
  type FoundVault,
  type VaultItem,
  type VaultItems,
  type VaultOwner,
} from "./vaults.js";

export interface GivenVault {
  readonly vault: FoundVault;
  readonly kept: Kept;
  /** Whether the set has assigned the role on it, or a run has left it, and nobody else uses the vault. */
  isGrant(live: RoleAssignment): boolean;
}

/** Undefined without `--key-vault-id`. @throws ARO-OWN-003 if the vault does not exist */
export async function findGivenVault(
  azure: Azure,
  set: IdentitySetKey,
  caller: SignedIn,
  { purge }: { readonly purge: boolean },
): Promise<GivenVault | undefined> {
  const live = set.givenVaultId === undefined ? undefined : await requireVaultOfSet(azure, set);
  if (live?.id === undefined) return undefined;
  const { id, location = "" } = live;
  const owner = setVault(set);
  let others: readonly VaultItem[] = [];
  const read = await readContents(
    azure,
    { id, name: set.vaultName, location },
    {
      ...owner,
      readItems: () => readItems(azure, set),
      decide(items, keys) {
        others = othersIn(owner, items, keys);
        return owner.decide(items, keys);
      },
    },
  );
  if (read === undefined) return undefined;
  const vault = purge && !read.purgeProtected && !read.closed ? await withDeleted(azure, read, owner) : read;
  const purpose = purposeOnVault(set);
  return {
    vault,
    kept: { id, why: ["it was given with --key-vault-id, so it stays", ...alsoKept(vault, others)].join("; ") },
    isGrant(role) {
      // The removal of the key takes back its own role.
      const isLeft = isForOneRun(role, caller) && !idKey(role.roleDefinitionId ?? "").endsWith(`/${cryptoOfficer.id}`);
      if (!isOwnGrant(role) || !sameId(role.scope ?? "", id) || !(isLeft || role.description === purpose)) return false;
      // A destroy that was interrupted between the roles of the signed-in principal cannot read the vault any more.
      return vault.closed ? sameText(role.principalId, caller.objectId) : others.length === 0;
    },
  };
}

/** With certificates that a create has just begun: the own vault of a set is deleted with them, but this one stays. */
async function readItems(azure: Azure, set: IdentitySetKey): Promise<VaultItems> {
  const items = await itemsOf(azure, set.vaultName);
  const { certificates } = await azure.vaultContent(set.vaultName);
  const isListed = (wanted: string) => items.certificates.some(({ name }) => sameText(name, wanted));
  const missing = controlPlaneComponents.map((component) => certificateName(set, component)).filter((name) => !isListed(name));
  // One may end after the list.
  const begun = await Promise.all(missing.map(async (name) => ((await creationOf(certificates, name)) === undefined ? [] : [name])));
  if (begun.flat().length === 0) return items;
  await Promise.all(begun.flat().map((name) => creationEnded(azure, certificates, name)));
  return itemsOf(azure, set.vaultName);
}

/** With what is soft-deleted, because an earlier destroy ended before it purged it. */
async function withDeleted(azure: Azure, vault: FoundVault, { isOwn }: VaultOwner): Promise<FoundVault> {
  const { secrets } = await azure.vaultContent(vault.name);
  const deleted = (await orDenied(all(secrets.listDeletedSecrets()))) ?? [];
  const own = (wanted: "certificate" | "secret") =>
    deleted.flatMap(({ name, properties: { managed, tags } }) => {
      // A deleted certificate has a deleted secret.
      const kind = managed === true ? "certificate" : "secret";
      return kind === wanted && isOwn({ name, ...(tags && { tags }) }, kind) ? [name] : [];
    });
  return { ...vault, secrets: [...vault.secrets, ...own("secret")], certificates: [...vault.certificates, ...own("certificate")] };
}

/** The contents of others that aro-hcp created. A certificate has a key with its name. */
function othersIn({ isOwn }: VaultOwner, items: VaultItems | undefined, keys: readonly VaultItem[]): VaultItem[] {
  const others = [
    ...(items?.certificates ?? []).filter((item) => !isOwn(item, "certificate")),
    ...(items?.secrets ?? []).filter((item) => !isOwn(item, "secret")),
    ...keys.filter((item) => !isOwn(item, "key") && !isOwn(item, "certificate")),
  ];
  return others.filter(({ tags }) => hasOwner(tags));
}

function alsoKept({ closed }: FoundVault, others: readonly VaultItem[]): string[] {
  if (closed) {
    const roles = [certificatesOfficer, secretsOfficer].map(({ name }) => `"${name}"`).join(" and ");
    return [`its contents cannot be read; if it still has some of the set, ask an owner for ${roles} on it, then rerun the command`];
  }
  if (others.length === 0) return [];
  const names = [...new Set(others.map(({ name }) => name))].join(", ");
  return [`roles on it stay too, because others that use aro-hcp have ${names} in it`];
}
