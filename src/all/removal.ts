/** Removes everything of a hosted cluster in one graph; independent resources are removed concurrently. */
import { findIdentities, identitiesFound, type IdentityInventory } from "../identities/index.js";
import {
  adoptedInUse,
  clustersTrusting,
  findIssuer,
  foreignContentsRefusal,
  issuerFound,
  type IssuerInventory,
  type IssuerPlace,
} from "../issuer/index.js";
import { removalsOf } from "../infra/index.js";
import type { EarlierFiles } from "../azure/application-ownership.js";
import type { Azure } from "../azure/azure.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { idKey, isGroupId, isWithin, resourceGroupId, sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { emptiedGroupRemoval, groupReads, decideGroup, type GroupReads } from "../removal/emptied-group.js";
import { takeInventory, type FoundResource, type Inventory, type Search } from "../removal/inventory.js";
import { idsOf, leftOf, type Found, type Kept, type OwnedRemoval } from "../removal/owned.js";
import { clustersUsing, clustersUsingNow } from "../removal/set-in-use.js";
import { readSubscriptionLists, withOtherSubscriptions, type SubscriptionLists } from "../removal/subscription-lists.js";
import { cascadedResources, foreignRefusal, idsToRemove, type RemovalMode, type RemovalOptions } from "../removal/selection.js";

/** Where a destroy searches. */
export interface DestroyAllPlace {
  readonly search: Search;
  readonly key: IdentitySetKey;
  readonly issuer: IssuerPlace;
  /** Files of the operator that name applications of the set. */
  readonly files?: EarlierFiles | undefined;
}

export type DestroyAllOptions = RemovalOptions & RemovalMode;

export interface DestroyAllInventory {
  readonly infra: Inventory;
  readonly issuer: IssuerInventory;
  readonly identities: IdentityInventory;
  /** The infra IDs of the other clusters that use the set. If there are any, the set and its issuer are kept. */
  readonly users: readonly string[];
  /** The infra IDs of clusters that use only the issuer. If there are any, the issuer is kept. */
  readonly issuerUsers: readonly string[];
  /** The IDs of the keys that the issuer publishes, also if it is kept. */
  readonly kids: readonly string[];
  /** The groups that the three inventories have read. */
  readonly reads: GroupReads;
}

/** Reads role assignments and groups once for all three inventories. `lists`: if they are being read already. `before`: what an earlier read found. */
export async function takeAllInventories(
  azure: Azure,
  { search, key, issuer: place, files }: DestroyAllPlace,
  options: DestroyAllOptions,
  {
    lists: read = readSubscriptionLists(azure),
    before,
  }: { readonly lists?: Promise<SubscriptionLists>; readonly before?: DestroyAllInventory } = {},
): Promise<DestroyAllInventory> {
  const reads = groupReads(azure);
  const lists = withOtherSubscriptions(azure, read, search.otherSubscriptions);
  const assigned = lists.then(({ assignments }) => [...assignments]);
  const { early } = azure.connection;
  const [infra, issuer, set] = await Promise.all([
    early.start(() => takeInventory(azure, search, lists)),
    early.start(() => findIssuer(azure, { identitySet: key.name }, place, reads)),
    early.start(() => findIdentities(azure, key, options, { reads, listed: assigned, files, before: before?.identities })),
  ]);
  const users = clustersUsing(set.uses, infra.otherClusters).map(({ infraId }) => infraId);
  const kids = issuer.accounts.flatMap((account) => account.kids);
  if (users.length > 0) return { infra, ...keptSet(key, { issuer, identities: set }, users), users, issuerUsers: [], kids, reads };
  const trusting = await clustersTrusting(azure, issuer, await assigned, infra.otherClusters);
  const issuerUsers = trusting.map(({ infraId }) => infraId);
  const installed = await adoptedInUse(azure, issuer);
  const why = issuerUsers.length > 0 ? `identities of ${issuerUsers.join(", ")} trust this issuer` : installed?.message;
  const unused = why === undefined ? issuer : keptIssuer(issuer, why);
  const ofSet = idsOf([...unused.accounts, ...unused.identities, ...set.identities, ...set.vaults]);
  return { infra: withoutSet(infra, ofSet), issuer: unused, identities: set, users, issuerUsers, kids, reads };
}

/** Other sets may trust the issuer, also those of the same name in other resource groups. */
function keptIssuer(issuer: IssuerInventory, why: string): IssuerInventory {
  const accounts = issuer.accounts.map(({ id, name }) => ({ id, title: titleOf(resourceTypes.storageAccount, name), why }));
  const identities = issuer.identities.map(({ id }) => ({ id, why }));
  return { accounts: [], identities: [], groups: [], kept: [...issuer.kept, ...accounts, ...identities] };
}

/** Nothing of a set is deleted while another cluster needs it. The cluster's own role assignments are part of its infrastructure. */
function keptSet(
  key: IdentitySetKey,
  { issuer, identities: set }: Pick<DestroyAllInventory, "issuer" | "identities">,
  users: readonly string[],
): Pick<DestroyAllInventory, "issuer" | "identities"> {
  const nothing = { applications: [], identities: [], vaults: [], keptVaults: [], assignments: [], uses: [], vaultGrants: [], keys: [] };
  const why = `${users.join(", ")} ${users.length === 1 ? "uses" : "use"} it`;
  return {
    issuer: { accounts: [], identities: [], groups: [], kept: issuer.kept },
    identities: {
      ...nothing,
      deletedVaults: [],
      deletedApplications: [],
      group: undefined,
      kept: [...set.kept, { id: setWithIssuer(key), why }],
    },
  };
}

/** A set that is kept is one thing in plans and documents. A rerun may need the flag, because the record is gone with the cluster. */
function setWithIssuer({ name }: IdentitySetKey): string {
  return `identity set ${name} with its issuer (--identities-name ${name})`;
}

/** The set and its issuer may be in a group of the cluster. What this destroy removes of them anyway is no reason to refuse. */
function withoutSet(infra: Inventory, ofSet: readonly string[]): Inventory {
  const isOfSet = ({ id, origin }: FoundResource) => origin === "foreign" && ofSet.some((removed) => isWithin(id, removed));
  return { ...infra, groups: infra.groups.map((group) => ({ ...group, contents: group.contents.filter((one) => !isOfSet(one)) })) };
}

export interface DestroyAllFound extends Found {
  readonly cascaded: ReturnType<typeof cascadedResources>;
  readonly networkUsers: Inventory["networkUsers"];
}

/** `keepsSet`: whether this destroy has kept the set, which is left if no other cluster uses it by now. */
export async function destroyAllFound(
  azure: Azure,
  place: DestroyAllPlace,
  found: DestroyAllInventory,
  options: DestroyAllOptions & { readonly keepsSet?: boolean },
): Promise<DestroyAllFound> {
  const { infra, issuer, identities, users } = found;
  const clustersNow = clustersUsingNow(azure, place.key, identities, place.search.cluster.infraId);
  const set = identitiesFound(azure, { ...identities, group: undefined }, options, clustersNow);
  const ofSet = [...issuerFound(azure, { ...issuer, groups: [] }).removals, ...set.removals];
  const parts = [...removalsOf(azure, infra, options).map((removal) => afterContents(removal, ofSet)), ...ofSet];
  const isRemoved = ({ id }: Pick<Kept, "id">) => parts.some(({ resourceId }) => resourceId !== undefined && sameId(resourceId, id));
  const groups = users.length > 0 ? noGroups : await sharedGroups(azure, place, found.reads, parts);
  const cascaded = cascadedResources(infra, options).filter((one) => !isRemoved(one));
  const kept = [
    ...infra.kept,
    ...[...issuer.kept, ...set.kept].filter(({ id }) => !groups.decided.includes(idKey(id))),
    ...groups.kept.filter((one) => !isRemoved(one)),
  ];
  const leftOfSet = leftOf({ removals: [...ofSet, ...groups.removals] });
  // Role assignments of other clusters may still be on their way out.
  const isSetLeft = leftOfSet.some((id) => !identities.assignments.some((one) => one.id === id));
  const left = [...idsToRemove(infra, options), ...(options.keepsSet ? (isSetLeft ? [setWithIssuer(place.key)] : []) : leftOfSet)];
  return {
    removals: mergedRemovals([...parts, ...groups.removals]),
    kept: kept.filter(({ id }) => !cascaded.some((one) => sameId(one.id, id))),
    recoverable: set.recoverable,
    // Infrastructure, issuer and identities may share a group.
    left: [...new Map(left.map((id) => [idKey(id), id])).values()],
    cascaded,
    networkUsers: infra.networkUsers,
  };
}

/** A group is removed after everything in it that has a removal of its own. */
function afterContents(removal: OwnedRemoval, others: readonly OwnedRemoval[]): OwnedRemoval {
  const { resourceId } = removal;
  if (resourceId === undefined || !isGroupId(resourceId)) return removal;
  const contents = others.filter((other) => other.resourceId !== undefined && isWithin(other.resourceId, resourceId));
  return { ...removal, after: [...removal.after, ...contents.map(({ id }) => id)] };
}

const noGroups: Awaited<ReturnType<typeof sharedGroups>> = { removals: [], decided: [], kept: [] };

/** The issuer and the identities may share a group, so the decision on groups comes after all other removals are known. */
async function sharedGroups(azure: Azure, { key, issuer }: DestroyAllPlace, reads: GroupReads, parts: readonly OwnedRemoval[]) {
  const names = new Map([issuer.groupName, key.groupName].map((name) => [name.toLowerCase(), name]));
  const isDeleted = (id: string) => parts.some(({ resourceId }) => resourceId !== undefined && isWithin(id, resourceId));
  const decisions = await Promise.all([...names.values()].map((name) => decideGroup(reads, name, { identitySet: key.name }, isDeleted)));
  const inGroup = (id: string) => parts.filter(({ resourceId }) => resourceId !== undefined && isWithin(resourceId, id));
  return {
    removals: decisions.flatMap(({ group }) => (group ? [emptiedGroupRemoval(azure, group, inGroup(group.id))] : [])),
    decided: [...names.keys()].map((name) => idKey(resourceGroupId(key.subscriptionId, name))),
    kept: decisions.flatMap(({ kept }) => kept ?? []),
  };
}

/** The failure if something blocks the destroy. */
export function destroyAllRefusal(found: DestroyAllInventory, options: RemovalOptions): Failure | undefined {
  return foreignRefusal(found.infra, options) ?? foreignContentsRefusal(found.issuer);
}

/** The failure if a group of the cluster would be deleted with the vault of `--key-vault-id`, which stays. Not even --delete-foreign allows that. */
export function givenVaultRefusal(
  { search: { cluster }, key: { name, groupName, givenVaultId } }: DestroyAllPlace,
  { infra: { groups } }: Pick<DestroyAllInventory, "infra">,
): Failure | undefined {
  const group = groups.find(({ id, ours }) => ours && givenVaultId !== undefined && isWithin(givenVaultId, id));
  if (group === undefined) return undefined;
  const set = aroHcp("destroy identities", { identitiesName: name, persistentResourceGroupName: groupName, keyVaultId: givenVaultId });
  return new Failure("ARO-OWN-004", `the vault of --key-vault-id is in resource group ${group.name}, which would be deleted with it`, {
    because: "a destroy never deletes that vault",
    next: [
      "move it to another resource group, then rerun the command with its new ID",
      advise`or keep the groups: ${aroHcp("destroy infra", { ...cluster, preserveResourceGroup: true })}, then ${set}`,
    ],
  });
}

/** Several parts may remove the same resource: it is removed once, after everything that any of them removes first. */
export function mergedRemovals(removals: readonly OwnedRemoval[]): OwnedRemoval[] {
  const byId = new Map<string, OwnedRemoval>();
  for (const removal of removals) {
    const known = byId.get(removal.id);
    byId.set(removal.id, known ? { ...known, after: [...new Set([...known.after, ...removal.after])] } : removal);
  }
  return [...byId.values()];
}
