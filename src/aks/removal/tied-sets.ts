/** The identity sets whose secrets the pods of an AKS cluster mount, and the hosted clusters that use them. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { identitySetTag } from "../../domain/ownership.js";
import { idKey, isWithin, parseResourceId, sameType, subscriptionScope } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { ownIdentity } from "../../domain/set-ownership.js";
import { tagValue } from "../../domain/tags.js";
import type { AksInventory } from "./aks-inventory.js";
import { assignmentsTo } from "../../removal/assignments.js";
import { existingClusters } from "../../removal/existing-clusters.js";
import { clustersUsing } from "../../removal/set-in-use.js";

export interface TiedSet {
  /** Name of the identity set. */
  readonly set: string;
  /** ID of its vault. */
  readonly vault: string;
  /** Infra IDs. */
  readonly users: readonly string[];
}

/** Searches the subscription; what the caller may not read ties nothing. */
export async function tiedSets(
  azure: Azure,
  { grants, assigned, vaults }: Pick<AksInventory, "grants" | "assigned" | "vaults">,
): Promise<TiedSet[]> {
  const home = subscriptionScope(azure.connection.subscriptionId);
  const own = new Set(vaults.map(({ id }) => idKey(id)));
  const scopes = grants.flatMap(({ scope, beforeCluster }) =>
    beforeCluster && isWithin(scope, home) && sameType(parseResourceId(scope).type, resourceTypes.keyVault.type) ? [scope] : [],
  );
  const read = [...new Map(scopes.map((scope) => [idKey(scope), scope])).values()].filter((scope) => !own.has(idKey(scope)));
  if (read.length === 0) return [];
  const clusters = await existingClusters(azure, Promise.resolve([...assigned]));
  const sets = await Promise.all(read.map(async (vault) => setOf(azure, vault)));
  return sets.flatMap((one) => {
    if (one === undefined) return [];
    const users = clustersUsing(assignmentsTo(one.principals, assigned), clusters);
    return [{ set: one.set, vault: one.vault, users: users.map(({ infraId }) => infraId) }];
  });
}

/** The managed identities of the set show which clusters use it: every hosted cluster has role assignments of them. */
async function setOf(azure: Azure, vault: string) {
  const { resourceGroup = "", name } = parseResourceId(vault);
  const { vaults } = await azure.vaults();
  const live = await orRefused(found(vaults.get(resourceGroup, name)));
  const set = tagValue(live?.tags, identitySetTag);
  if (set === undefined) return undefined;
  const { userAssignedIdentities } = await azure.identities();
  const identities = (await orRefused(found(all(userAssignedIdentities.listByResourceGroup(resourceGroup))))) ?? [];
  const own = identities.filter((identity) => ownIdentity({ name: set }, { name: identity.name, tags: identity.tags }) !== undefined);
  return { set, vault, principals: own.flatMap(({ principalId }) => principalId ?? []) };
}
