/** What Azure holds of an issuer, found by tags, and its removal: the rights on the account, the account, its group. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import type { Removal } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { containerMark } from "../infra/issuer.js";
import { identitySetTag, type IdentitySet } from "../infra/ownership.js";
import { idKey, isWithin, parseResourceId, sameId, sameType } from "../infra/resource-id.js";
import { grantName } from "../infra/role-assignment-name.js";
import { blobContributor } from "../infra/role-table.js";
import { emptiedGroupRemoval, groupReads, judgeGroup, type EmptiedGroup } from "./emptied-group.js";
import type { Kept } from "./inventory.js";

interface FoundAccount {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  /** Names of containers in it that others made. */
  readonly foreignContainers: readonly string[];
  /** Names of the role assignments on it that we gave. */
  readonly grants: readonly string[];
}

export interface IssuerInventory {
  readonly accounts: readonly FoundAccount[];
  readonly groups: readonly EmptiedGroup[];
  readonly kept: readonly Kept[];
}

export interface IssuerPlace {
  /** Where the account is or was to be; a create that died early has left no more than that group. */
  readonly groupName: string;
  /** Whether it was named: then what is in other groups is another issuer's. */
  readonly named: boolean;
}

/** Throws ARO-OIDC-006 where it is not told which of several is meant. */
export async function findIssuer(
  azure: Azure,
  owner: IdentitySet,
  { groupName, named }: IssuerPlace,
  reads = groupReads(azure),
): Promise<IssuerInventory> {
  const { resources } = await azure.resources();
  const filter = `tagName eq '${identitySetTag}' and tagValue eq '${owner.identitySet}'`;
  const tagged = await all(resources.list({ filter }));
  const ids = tagged.flatMap(({ id = "", type = "" }) => (sameType(type, "Microsoft.Storage/storageAccounts") ? [id] : []));
  const groupOf = (id: string) => parseResourceId(id).resourceGroup?.toLowerCase() ?? "";
  const meant = named ? ids.filter((id) => groupOf(id) === groupName.toLowerCase()) : ids;
  const homes = new Set(meant.map(groupOf));
  if (homes.size > 1) {
    throw new Failure("ARO-OIDC-006", `${String(homes.size)} resource groups hold an issuer of the set "${owner.identitySet}"`, {
      because: meant.join(", "),
    });
  }
  const accounts = await Promise.all(meant.map((id) => look(azure, id)));
  const names = new Map([groupName, ...accounts.map(({ group }) => group)].map((name) => [name.toLowerCase(), name]));
  const goes = (id: string) => accounts.some((account) => sameId(account.id, id) || isWithin(id, account.id));
  const verdicts = await Promise.all([...names.values()].map((name) => judgeGroup(reads, name, owner, goes)));
  return {
    accounts,
    groups: verdicts.flatMap(({ group }) => group ?? []),
    kept: verdicts.flatMap(({ kept }) => kept ?? []),
  };
}

async function look(azure: Azure, id: string): Promise<FoundAccount> {
  const { name, resourceGroup: group = "" } = parseResourceId(id);
  const [{ blobContainers }, { roleAssignments }] = await Promise.all([azure.storage(), azure.authorization()]);
  const foreign = async () => {
    const names: string[] = [];
    for await (const { name: container = "" } of blobContainers.list(group, name)) {
      const live = await found(blobContainers.get(group, name, container));
      if (live && live.metadata?.[containerMark] === undefined) names.push(container);
    }
    return names;
  };
  const grants = async () => {
    const given = await all(roleAssignments.listForScope(id, { filter: "atScope()" }));
    return given.flatMap(({ name: assigned = "", principalId = "" }) =>
      assigned.toLowerCase() === grantName(principalId, blobContributor.id, id) ? [assigned] : [],
    );
  };
  const [foreignContainers, given] = await Promise.all([found(foreign()), found(grants())]);
  return { id, name, group, foreignContainers: foreignContainers ?? [], grants: given ?? [] };
}

/** In safe order: a role assignment outlives what it was given on, so it goes first. */
export function issuerRemovals(azure: Azure, { accounts, groups }: IssuerInventory): Removal[] {
  const removals = accounts.flatMap((account) => {
    const grants = account.grants.map((name) => grantRemoval(azure, account, name));
    return [...grants, accountRemoval(azure, account, idsOf(grants))];
  });
  return [...removals, ...groups.map((group) => emptiedGroupRemoval(azure, group, idsOf(removals)))];
}

function grantRemoval(azure: Azure, { id, name: accountName }: FoundAccount, name: string): Removal {
  return {
    id: `role-assignment ${name}`,
    title: `${blobContributor.name} on the storage account ${accountName}`,
    resourceId: `${id}/providers/Microsoft.Authorization/roleAssignments/${name}`,
    after: [],
    async remove() {
      const { roleAssignments } = await azure.authorization();
      await found(roleAssignments.delete(id, name));
    },
  };
}

function accountRemoval(azure: Azure, { id, name, group }: FoundAccount, after: readonly string[]): Removal {
  return {
    id: idKey(id),
    title: `storage account ${name}`,
    resourceId: id,
    after,
    async remove() {
      const { storageAccounts } = await azure.storage();
      await found(storageAccounts.delete(group, name));
    },
  };
}

function idsOf(removals: readonly Removal[]): string[] {
  return removals.map(({ id }) => id);
}
