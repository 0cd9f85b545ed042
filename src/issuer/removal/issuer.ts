/** The resources of an issuer, found by tags, and their removal: role assignments on the account, the account, its group. */
import { plural } from "../../text/plural.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { signedIn } from "../../azure/signed-in.js";
import { listWithTag, withTags } from "../../azure/tagged-resources.js";
import { Failure } from "../../errors/failure.js";
import { identitySetTag, type IdentitySet } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { groupNameOf, isInGroup, isWithin, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { grantName } from "../../domain/role-assignment-name.js";
import { ownsAccount, type NamedAccount } from "../../domain/set-ownership.js";
import type { Tags } from "../../domain/tags.js";
import { principalTitle } from "../../domain/role-assignment-title.js";
import { blobContributor } from "../../domain/roles.js";
import { adoptedIdentities, type AdoptedIdentity } from "./ccoctl-identities.js";
import { accountContents, type AccountContents } from "./account-contents.js";
import type { FoundGrant } from "../../removal/assignments.js";
import { grantRemoval, managedIdentityRemoval } from "../../removal/azure-removals.js";
import { copiedTag, emptiedGroupRemoval, groupReads, decideGroup, type EmptiedGroup } from "../../removal/emptied-group.js";
import { checkedBefore, foundIn, resourceRemovalOf, type Found, type Kept, type OwnedRemoval } from "../../removal/owned.js";
import { requireNothingNew } from "../../removal/new-resources.js";
import { requireOneOwner } from "../../removal/second-owner.js";

/** The storage account of an issuer. Its contents are deleted with it. */
const removed = { storageAccount: resourceTypes.storageAccount } as const;
export const issuerTypes: readonly ResourceType[] = Object.values(removed);

interface FoundAccount extends AccountContents {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  /** Reads its contents again, right before its deletion; undefined if it is gone. */
  readonly again: () => Promise<AccountContents | undefined>;
  /** The role assignments on it that aro-hcp created. */
  readonly grants: readonly Omit<FoundGrant, "principalId">[];
}

export interface IssuerInventory {
  readonly accounts: readonly FoundAccount[];
  /** Those of ccoctl that were adopted with it. */
  readonly identities: readonly AdoptedIdentity[];
  readonly groups: readonly EmptiedGroup[];
  readonly kept: readonly Kept[];
}

/** An interrupted create may have left only the group. */
export interface IssuerPlace extends NamedAccount {
  /** Whether the group is specified: then accounts in other groups belong to other issuers. */
  readonly named: boolean;
  /** Groups that an earlier read has found, because a deleted account does not lead to its group. */
  readonly knownGroups?: readonly EmptiedGroup[];
}

/** @throws Failure ARO-OIDC-006 if there are several issuers and no group is specified. */
export async function findIssuer(
  azure: Azure,
  owner: IdentitySet,
  place: IssuerPlace,
  reads = groupReads(azure),
): Promise<IssuerInventory> {
  const listed = await listWithTag(azure, identitySetTag, owner.identitySet);
  const tagged = listed.filter(({ type = "" }) => sameType(type, removed.storageAccount.type));
  const { ids, copied } = selectAccounts(await withTags(azure, tagged, reads.contents), owner, place);
  const accounts = await Promise.all(ids.map((id) => readAccount(azure, owner, id)));
  const known = place.knownGroups?.map(({ name }) => name) ?? [];
  const names = new Map([place.groupName, ...known, ...accounts.map(({ group }) => group)].map((name) => [name.toLowerCase(), name]));
  const hasIdentity = (group: string) =>
    listed.some(({ id = "", type = "" }) => sameType(type, resourceTypes.managedIdentity.type) && isInGroup(id, group));
  const groupsOfIdentities = [...names.values()].filter(hasIdentity);
  const contents = await Promise.all(groupsOfIdentities.map(async (group) => reads.contents(group)));
  const identities = await adoptedIdentities(azure, owner, contents.flat());
  const isDeleted = (id: string) =>
    accounts.some((account) => sameId(account.id, id) || isWithin(id, account.id)) || identities.some((one) => sameId(one.id, id));
  const verdicts = await Promise.all([...names.values()].map((name) => decideGroup(reads, name, owner, isDeleted)));
  return {
    accounts,
    identities,
    groups: verdicts.flatMap(({ group }) => group ?? []),
    kept: [...copied, ...verdicts.flatMap(({ kept }) => kept ?? [])],
  };
}

/**
 * The IDs of the issuer's storage accounts, of the resources with the tag of its set, and the accounts that only have tags.
 * @throws ARO-OIDC-006 where several groups have one. ARO-OWN-001 where another owner's tag is on one too
 */
export function selectAccounts(
  tagged: readonly { readonly id?: string; readonly type?: string; readonly tags?: Tags }[],
  owner: IdentitySet,
  place: IssuerPlace,
): { readonly ids: readonly string[]; readonly copied: readonly Kept[] } {
  const accounts = tagged.flatMap(({ id = "", type = "", tags }) => (sameType(type, removed.storageAccount.type) ? [{ id, tags }] : []));
  const own = accounts.filter((account) => ownsAccount(owner, account, place)).map(({ id }) => id);
  const selected = place.named ? own.filter((id) => isInGroup(id, place.groupName)) : own;
  const homes = new Set(selected.map((id) => parseResourceId(id).resourceGroup?.toLowerCase()));
  if (homes.size > 1) {
    throw new Failure("ARO-OIDC-006", `${plural(homes.size, "resource group")} contain an issuer of the set "${owner.identitySet}"`, {
      because: selected.join(", "),
    });
  }
  requireOneOwner(
    owner,
    accounts.filter(({ id }) => selected.includes(id)),
  );
  return { ids: selected, copied: accounts.flatMap((one) => (own.includes(one.id) ? [] : keptAccount(owner, one, place))) };
}

function keptAccount(owner: IdentitySet, one: { readonly id: string; readonly tags?: Tags }, { named }: IssuerPlace): Kept[] {
  const group = groupNameOf(one.id) ?? "";
  if (!ownsAccount(owner, one, { groupName: group, accountName: undefined })) return copiedTag(owner, one);
  const why = `has the tags of this identity set, but nothing shows that resource group ${group} is the issuer's; if it is, pass --oidc-resource-group-name ${group}`;
  return named ? [] : [{ id: one.id, why }];
}

async function readAccount(azure: Azure, owner: IdentitySet, id: string): Promise<FoundAccount> {
  const { name, resourceGroup: group = "" } = parseResourceId(id);
  const again = () => found(accountContents(azure, owner, id));
  const [contents, given] = await Promise.all([again(), found(ownGrants(azure, id))]);
  return { id, name, group, again, foreign: contents?.foreign ?? [], kids: contents?.kids ?? [], grants: given ?? [] };
}

async function ownGrants(azure: Azure, id: string): Promise<FoundAccount["grants"]> {
  const { roleAssignments } = await azure.authorization();
  const [given, caller] = await Promise.all([all(roleAssignments.listForScope(id, { filter: "atScope()" })), signedIn(azure.connection)]);
  return given.flatMap(({ id: assigned = "", name: grant = "", principalId = "", roleDefinitionId = "" }) =>
    grant.toLowerCase() === grantName(principalId, blobContributor.id, id)
      ? [{ id: assigned, name: grant, scope: id, holder: principalTitle(principalId, caller), roleDefinitionId }]
      : [],
  );
}

/** A storage account is deleted with its contents: the failure if others created some of them. */
export function foreignContentsRefusal({ accounts }: IssuerInventory): Failure | undefined {
  const foreign = accounts.flatMap((account) => account.foreign);
  if (foreign.length === 0) return undefined;
  return new Failure("ARO-OWN-004", `the issuer's storage account contains ${plural(foreign.length, "resource")} not owned by it`, {
    because: foreign.join(", "),
    next: ["move their contents elsewhere and delete them; the account is deleted with its contents"],
  });
}

/** Role assignments come first, because Azure does not delete them with their scope. */
export function issuerFound(azure: Azure, { accounts, identities, groups, kept }: IssuerInventory): Found {
  const { removals } = foundIn({
    identityRoles: { removals: identities.flatMap(({ grants }) => grants.map((grant) => grantRemoval(azure, grant))) },
    identities: { removals: identities.map((one) => managedIdentityRemoval(azure, one)), after: ["identityRoles"] },
    // Without the role, the blobs cannot be listed any more.
    roles: { removals: accounts.flatMap((account) => account.grants.map((grant) => ifNothingNew(account, grantRemoval(azure, grant)))) },
    accounts: { removals: accounts.map((account) => ifNothingNew(account, accountRemoval(azure, account))), after: ["roles"] },
  });
  return { removals: [...removals, ...groups.map((group) => emptiedGroupRemoval(azure, group, removals))], kept };
}

/** Others may have put something into the account since the plan. */
function ifNothingNew({ name, foreign, again }: FoundAccount, removal: OwnedRemoval): OwnedRemoval {
  const title = quotedTitleOf(resourceTypes.storageAccount, name);
  return checkedBefore(removal, async () => requireNothingNew(title, foreign, (await again())?.foreign ?? []));
}

/** A key in use is lost with the issuer, whoever published it. */
function accountRemoval(azure: Azure, { id, name, group, kids }: FoundAccount): OwnedRemoval {
  const removal = resourceRemovalOf(removed.storageAccount, id, async () => {
    const { storageAccounts } = await azure.storage();
    await found(storageAccounts.delete(group, name));
  });
  return kids.length === 0
    ? removal
    : { ...removal, why: `signing ${kids.length === 1 ? "key" : "keys"} ${kids.join(", ")} will be deleted with it` };
}
