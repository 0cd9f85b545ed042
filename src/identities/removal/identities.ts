/** Reads the resources of an identity set, found by tags and by derived names. */
import { findKeys, type FoundKey } from "../../encryption-key/index.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { EarlierFiles } from "../../azure/application-ownership.js";
import type { Azure } from "../../azure/azure.js";
import { isForOneRun } from "../../azure/own-role.js";
import { signedIn, type SignedIn } from "../../azure/signed-in.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import { managedHsmIn } from "../../domain/key-place.js";
import { sameId } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { principalTitle } from "../../domain/role-assignment-title.js";
import { namesVault, ownsVault } from "../../domain/set-ownership.js";
import { isVaultGrant, grantOf, listAssignments, type FoundGrant } from "../../removal/assignments.js";
import { keptApplication, keptDeleted, provenOf, type FoundDeleted } from "../../removal/applications.js";
import { copiedTag, groupReads, decideGroup, type EmptiedGroup, type GroupReads } from "../../removal/emptied-group.js";
import { findGivenVault, leftInGivenVaults, type GivenVault } from "./given-vault.js";
import { idsOf, type Kept } from "../../removal/owned.js";
import { requireOneOwner } from "../../removal/second-owner.js";
import { hasOwn, ownedDeletedVaults, ownedVaults, type VaultShowing } from "../../removal/owned-vaults.js";
import { keptFor, setVault, unseenVaults, type FoundVault, type TaggedVault } from "../../removal/vaults.js";
import { type RemovalMode } from "../../removal/selection.js";
import { deletedApplicationsOf, namedApplications, type SetApplication } from "../../removal/set-applications.js";
import { sameText } from "../../text/same-text.js";
import { ownIdentitiesIn, withPrincipals, ofType, type FoundManagedIdentity } from "../../removal/set-principals.js";

/** The resources of a set. Their contents are deleted with them. */
const removed = { managedIdentity: resourceTypes.managedIdentity, keyVault: resourceTypes.keyVault } as const;
export const identityTypes: readonly ResourceType[] = Object.values(removed);

export interface IdentityInventory {
  readonly applications: readonly SetApplication[];
  readonly identities: readonly FoundManagedIdentity[];
  /** The vaults to delete. */
  readonly vaults: readonly FoundVault[];
  /** The vaults to keep, whose contents of this set are deleted: also that of `--key-vault-id`. */
  readonly keptVaults: readonly FoundVault[];
  /** Role assignments of these principals anywhere in the subscription. */
  readonly assignments: readonly FoundGrant[];
  /** Also the assignments of applications that are kept without proof: they too show which clusters use the set. */
  readonly uses: readonly FoundGrant[];
  /**
   * Role assignments on a deleted vault, for the principals that use it; on a kept one, those that a run left behind; on that of `--key-vault-id`,
   * those of the set.
   */
  readonly vaultGrants: readonly FoundGrant[];
  /** The key that encrypts etcd, where no vault is deleted with it: in a managed HSM, or in the vault of `--key-vault-id`. */
  readonly keys: readonly FoundKey[];
  /** Soft-deleted. */
  readonly deletedVaults: readonly TaggedVault[];
  readonly deletedApplications: readonly FoundDeleted[];
  readonly group: EmptiedGroup | undefined;
  readonly kept: readonly Kept[];
}

export interface IdentitySearch {
  readonly reads?: GroupReads;
  /** The role assignments of the subscription; pass them to share the read. */
  readonly listed?: Promise<RoleAssignment[]>;
  readonly files?: EarlierFiles | undefined;
  /** What an earlier read found: the vault, which proves the applications, may be deleted by now. */
  readonly before?: Pick<IdentityInventory, "applications" | "deletedApplications"> | undefined;
}

export async function findIdentities(
  azure: Azure,
  key: IdentitySetKey,
  mode: RemovalMode,
  { reads = groupReads(azure), listed = listAssignments(azure, [key.subscriptionId]), files, before }: IdentitySearch = {},
): Promise<IdentityInventory> {
  const owner = { identitySet: key.name };
  const caller = await signedIn(azure.connection);
  const [assigned, given, named, { identities, vaults: inGroup, otherVaults, hsmNames, copied }, deletedVaults] = await Promise.all([
    listed,
    findGivenVault(azure, key, caller, { ...mode, listed }),
    namedApplications(azure, key),
    findInGroup(azure, key, reads),
    ownedDeletedVaults(azure, vaultsOf(key)),
    // For the decision on the group.
    reads.group(key.groupName),
  ]);
  const proof = { caller, files, vaults: [...inGroup, ...(given ? [given.vault] : [])].map(({ name }) => name) };
  const isProven = (id: string) => before?.applications.some((one) => one.id === id) === true;
  const [proven, deletedApplications] = await Promise.all([
    Promise.all(named.map(async (one) => (isProven(one.id) ? one : one.prove(proof)))),
    deletedApplicationsOf(azure, key, { ...proof, before }),
  ]);
  const applications = proven.filter((one) => one !== undefined);
  const decided = decideIdentities(
    { assigned, caller, applications, identities, vaults: inGroup, otherVaults, given, deletedVaults, deletedApplications },
    mode,
  );
  const toDelete = [...identities, ...decided.vaults];
  const [decision, { keys, kept: keptKeys }, leftElsewhere] = await Promise.all([
    decideGroup(reads, key.groupName, owner, (id) => toDelete.some((other) => sameId(other.id, id))),
    findKeys(azure, key, { hsmNames, vaultStays: given !== undefined, caller, assigned: decided.assignments }, mode.purge),
    leftInGivenVaults(azure, key, { roles: assigned, applications: named, files, decided: [...inGroup, ...decided.kept, ...copied] }),
  ]);
  const kept = [...decided.kept, ...keptKeys, ...copied, ...leftElsewhere, ...(decision.kept ? [decision.kept] : [])];
  return { ...decided, keys, group: decision.group, kept };
}

/** The resources that were read for a set, with every vault and role assignment of any owner. */
export interface IdentityReads extends Pick<
  IdentityInventory,
  "applications" | "identities" | "vaults" | "deletedVaults" | "deletedApplications"
> {
  readonly assigned: readonly RoleAssignment[];
  readonly caller: SignedIn;
  /** The IDs of the vaults in the group that are not the set's. A killed run may have left its role there before. */
  readonly otherVaults?: readonly string[];
  readonly given?: GivenVault | undefined;
}

/** What is deleted and what is retained of a set, except for its group. */
export function decideIdentities(
  {
    assigned,
    caller,
    applications: named,
    identities,
    vaults: inGroup,
    otherVaults = [],
    given,
    deletedVaults,
    deletedApplications,
  }: IdentityReads,
  mode: RemovalMode,
): Omit<IdentityInventory, "group" | "keys"> {
  const applications = provenOf(named);
  const grantsOf = (principals: readonly { readonly principalId: string | undefined }[]) =>
    found.filter((grant) => principals.some(({ principalId }) => sameText(principalId, grant.principalId)));
  const holderOf = (principalId: string) =>
    [...named, ...identities].find((one) => sameText(one.principalId, principalId))?.component ?? principalTitle(principalId, caller);
  const found = assigned.flatMap((live) =>
    grantOf(live, holderOf(live.principalId ?? "")).map((grant) => {
      return { ...grant, isLeft: isForOneRun(live, caller), isOnGiven: given?.isGrant(live) === true };
    }),
  );
  const isOn = (some: readonly string[], { scope }: FoundGrant) => some.some((id) => sameId(id, scope));
  // A vault that the caller cannot read may still prove the applications that are kept.
  const mayProve = ({ closed }: FoundVault) => closed && applications.length < named.length;
  const whyKept = (vault: FoundVault) =>
    keptFor(vault, mode) ??
    (mayProve(vault) ? { id: vault.id, why: "it may prove whose the kept applications are, but it cannot be read" } : undefined);
  const vaults = inGroup.filter((vault) => whyKept(vault) === undefined);
  const keptInGroup = inGroup.filter((vault) => !vaults.includes(vault));
  const left = [...idsOf(keptInGroup), ...otherVaults];
  return {
    applications,
    identities,
    vaults,
    keptVaults: [...keptInGroup, ...(given && hasOwn(given.vault) ? [given.vault] : [])],
    assignments: grantsOf([...applications, ...identities]),
    uses: grantsOf([...named, ...identities]),
    vaultGrants: found.filter(
      (grant) => grant.isOnGiven || (isVaultGrant(grant) && (isOn(idsOf(vaults), grant) || (grant.isLeft && isOn(left, grant)))),
    ),
    deletedVaults,
    deletedApplications,
    kept: [
      ...named.flatMap((application) => keptApplication(application)),
      ...keptInGroup.flatMap((vault) => whyKept(vault) ?? []),
      ...(given ? [given.kept] : []),
      ...unseenVaults(deletedVaults, mode),
      ...keptDeleted(deletedApplications, mode.purge),
    ],
  };
}

/** Only in the group of the set: another group may contain another set with the same name. */
async function findInGroup(azure: Azure, key: IdentitySetKey, reads: GroupReads) {
  const listed = await reads.contents(key.groupName);
  const ownIdentities = ownIdentitiesIn(key, listed);
  const [identities, { found: vaults, own: ownVaults, kept, others: otherVaults }] = await Promise.all([
    withPrincipals(azure, ownIdentities),
    ownedVaults(azure, ofType(listed, removed.keyVault), vaultsOf(key), setVault({ ...key, givenVaultId: undefined })),
  ]);
  // The operator names another vault: what the set has in one of its own is left to a destroy without the option.
  const left = key.givenVaultId === undefined ? [] : vaults;
  const own = [...ownIdentities, ...ownVaults];
  requireOneOwner({ identitySet: key.name }, own);
  const isDecided = (id: string) => [...own, ...kept].some((one) => one.id === id);
  return {
    identities,
    vaults: vaults.filter((vault) => !left.includes(vault)),
    otherVaults: [...otherVaults, ...idsOf(left)],
    hsmNames: ownVaults.flatMap(({ tags }) => managedHsmIn(tags) ?? []),
    copied: [
      ...kept,
      ...left.map(({ id }) => ({ id, why: "it is the set's own vault; to delete it, rerun the command without --key-vault-id" })),
      ...identityTypes
        .flatMap((wanted) => ofType(listed, wanted))
        .flatMap(({ id, tags }) => (isDecided(id) ? [] : copiedTag({ identitySet: key.name }, { id, tags }))),
    ],
  };
}

function vaultsOf(key: IdentitySetKey): VaultShowing {
  return {
    groupName: key.groupName,
    isTagged: (vault) => ownsVault(key, vault),
    isNamed: (vault) => namesVault(key, vault),
    why: (name) =>
      `only its tags name this identity set; pass --key-vault-name ${name}${key.givenVaultId === undefined ? "" : " instead of --key-vault-id"} if it is the set's`,
  };
}
