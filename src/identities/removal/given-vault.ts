/** The vaults of others, which a destroy leaves, and what the identity set has in them. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import type { Azure } from "../../azure/azure.js";
import { creationEnded, creationOf } from "../../azure/certificate-creations.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { isForOneRun } from "../../azure/own-role.js";
import { requireVaultOfSet } from "../../azure/set-vault.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { orDenied } from "../../azure/vault-admission.js";
import { controlPlaneComponents } from "../../domain/components.js";
import { purposeOnVault, setOfPurpose, setTitle, vaultsShownBy } from "../../domain/given-vault-roles.js";
import { type SetInGroup } from "../../domain/set-content.js";
import { certificateName } from "../../domain/identity-names.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { idKey, parseResourceId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { certificatesOfficer, cryptoOfficer, secretsOfficer } from "../../domain/roles.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { isVaultGrant } from "../../removal/assignments.js";
import type { Kept } from "../../removal/owned.js";
import { namedApplications } from "../../removal/set-applications.js";
import { itemsOf, readContents, setVault, type FoundVault, type VaultItems, type VaultOwner } from "../../removal/vaults.js";
import { shellWord } from "../../errors/shell-word.js";

export interface GivenVault {
  readonly vault: FoundVault;
  readonly kept: Kept;
  /** Whether the set, or one that is gone, has assigned the role on it, or a run has left it, and nobody else uses the vault. */
  isGrant(live: RoleAssignment): boolean;
}

/** Undefined without `--key-vault-id`. @throws ARO-OWN-003 if the vault does not exist */
export async function findGivenVault(
  azure: Azure,
  set: IdentitySetKey,
  caller: SignedIn,
  { purge, listed }: { readonly purge: boolean; readonly listed: Promise<readonly RoleAssignment[]> },
): Promise<GivenVault | undefined> {
  const live = set.givenVaultId === undefined ? undefined : await requireVaultOfSet(azure, set);
  if (live?.id === undefined) return undefined;
  const { id, location = "" } = live;
  const owner = setVault(set);
  const place = { id, name: set.vaultName, location };
  const read = await readContents(azure, place, { ...owner, readItems: () => readItems(azure, set) });
  if (read === undefined) return undefined;
  const vault = purge && !read.purgeProtected && !read.closed ? await withDeleted(azure, read, owner) : read;
  const onVault = (await listed).filter((role) => isVaultGrant(role) && sameId(role.scope ?? "", id));
  const { gone, left } = await otherSets(azure, set, onVault);
  const purposes = [set, ...gone.map((one) => ({ ...set, ...one }))].map(purposeOnVault);
  const isUnused = vault.ofOwners.length === 0 && (!vault.closed || (vault.lacksRole === true && left.length === 0));
  return {
    vault,
    kept: { id, why: ["it was given with --key-vault-id, so it stays", ...alsoKept(vault, { left, isUnused })].join("; ") },
    isGrant(role) {
      if (!isUnused || !onVault.some((one) => one.id === role.id)) return false;
      // A destroy that was interrupted between the roles of the signed-in principal cannot read the vault any more.
      if (vault.closed && !sameText(role.principalId, caller.objectId)) return false;
      // The removal of the key takes back its own role.
      const isLeft = isForOneRun(role, caller) && !idKey(role.roleDefinitionId ?? "").endsWith(`/${cryptoOfficer.id}`);
      return isLeft || purposes.includes(role.description);
    },
  };
}

interface Shown {
  readonly roles: readonly RoleAssignment[];
  readonly applications: readonly { readonly principalId: string | undefined }[];
  readonly files: EarlierFiles | undefined;
  /** The vaults about which the destroy decides by itself. */
  readonly decided: readonly { readonly id: string }[];
}

/** What the set still has in vaults for which only a destroy with `--key-vault-id` is. */
export async function leftInGivenVaults(
  azure: Azure,
  set: IdentitySetKey,
  { roles, applications, files, decided }: Shown,
): Promise<Kept[]> {
  const isDecided = (id: string) => sameId(id, set.givenVaultId ?? "") || decided.some((one) => sameId(one.id, id));
  const names = (await files?.vaultNames?.()) ?? [];
  const named = names.length === 0 ? [] : await vaultsNamed(azure, names);
  const principals = applications.map(({ principalId }) => principalId);
  const ids = [...vaultsShownBy(roles, set, principals), ...named].filter((id) => !isDecided(id));
  const read = await Promise.all(
    [...new Map(ids.map((id) => [idKey(id), id])).values()].map(async (id) => {
      const left = { ...set, givenVaultId: id };
      const place = { id, name: parseResourceId(id).name, location: "" };
      const found = await orRefused(readContents(azure, place, setVault(left)).then((contents) => ({ contents })));
      const what = found === undefined ? "certificates, secrets and a key" : contentsInWords(found.contents);
      if (what === undefined) return [];
      const has = found?.contents?.closed === false ? "still contains" : "may still contain";
      return [{ id, why: `it ${has} ${what} of the identity set; to delete them, rerun the command with --key-vault-id ${shellWord(id)}` }];
    }),
  );
  return read.flat();
}

async function vaultsNamed(azure: Azure, names: readonly string[]): Promise<string[]> {
  const { resources } = await azure.resources();
  const listed = (await orRefused(all(resources.list({ filter: `resourceType eq '${resourceTypes.keyVault.type}'` })))) ?? [];
  return listed.flatMap(({ id, name }) => (id !== undefined && names.some((one) => sameText(one, name)) ? [id] : []));
}

/** Undefined if it has none. */
function contentsInWords(contents: FoundVault | undefined): string | undefined {
  if (contents === undefined) return undefined;
  const { closed, certificates, secrets, keys = [] } = contents;
  if (closed) return "certificates, secrets and a key";
  const counts = [
    { count: certificates.length, noun: "certificate" },
    { count: secrets.length, noun: "secret" },
    { count: keys.length, noun: "key" },
  ];
  const some = counts.filter(({ count }) => count > 0).map(({ count, noun }) => plural(count, noun));
  return some.length === 0 ? undefined : some.join(", ");
}

interface OtherSets {
  readonly gone: readonly SetInGroup[];
  readonly left: readonly SetInGroup[];
}

/** The other sets for which roles on the vault were assigned. One without contents there may be about to create them: its applications show it. */
async function otherSets(azure: Azure, set: IdentitySetKey, onVault: readonly RoleAssignment[]): Promise<OtherSets> {
  const named = onVault.flatMap(({ description }) => setOfPurpose(description) ?? []);
  const others = [...new Map(named.map((one) => [setTitle(one), one])).values()].filter(
    ({ name, groupName }) => name !== set.name || !sameText(groupName, set.groupName),
  );
  const read = await Promise.all(others.map(async (one) => ({ one, live: await namedApplications(azure, { ...set, ...one }) })));
  const having = (isGone: boolean) => read.filter(({ live }) => (live.length === 0) === isGone).map(({ one }) => one);
  return { gone: having(true), left: having(false) };
}

/** Also reads certificates that a create has just begun: unlike the own vault of a set, this one stays. */
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

/** Adds what is soft-deleted, because an earlier destroy ended before it purged it. */
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

interface Users extends Pick<OtherSets, "left"> {
  readonly isUnused: boolean;
}

function alsoKept({ closed, lacksRole, ofOwners }: FoundVault, { left, isUnused }: Users): string[] {
  const used = ofOwners.length === 0 ? [] : [`roles on it stay too, because others that use aro-hcp have ${ofOwners.join(", ")} in it`];
  if (closed) {
    const roles = [certificatesOfficer, secretsOfficer].map(({ name }) => `"${name}"`).join(" and ");
    const then = "if it still has some of the set,";
    const unread = lacksRole
      ? `its contents cannot be read; ${then} ask an owner for ${roles} on it, then rerun the command`
      : `its network rules deny access to its contents; ${then} rerun the command from a network that they allow`;
    return [unread, ...(used.length > 0 || isUnused ? used : ["roles on it stay too, because another set may use them"])];
  }
  if (used.length > 0 || left.length === 0) return used;
  return [`roles that it has ${left.map((one) => `for ${setTitle(one)}`).join(", ")} stay too, because applications of that are left`];
}
