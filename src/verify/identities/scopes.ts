/** The resource groups of a cluster that roles are given on, as its infra document names them. */
import { advise, aroHcp } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import type { InfraInput } from "../../files/infra-output.js";
import { groupIdOf, parseResourceId, resourceGroupId, sameId } from "../../domain/resource-id.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import type { AssignedComponent, RoleScope } from "../../domain/components.js";
import type { Finding } from "../check.js";

/** Ids of the groups; those that the document does not tell are absent. */
export type Scopes = Readonly<Partial<Record<RoleScope, string>>>;

export function scopesIn(infra: InfraInput, subscriptionId: string): Scopes {
  const { resourceGroupName, vnetID, securityGroupID, publicZoneID } = infra;
  const managed = resourceGroupName ? resourceGroupId(infra.subscriptionID ?? subscriptionId, resourceGroupName) : undefined;
  const scopes = { managed, vnet: groupIdOf(vnetID), nsg: groupIdOf(securityGroupID), dns: groupIdOf(publicZoneID) };
  return Object.fromEntries(Object.entries(scopes).filter(([, id]) => id !== undefined));
}

/** What to do where there is nothing of what the document names. */
export const makeOrGiveAnother = advise`create it: ${aroHcp("create infra")}, or pass the --infra-json of an existing cluster`;

/** Looks at what is in groups; `gone` says what it comes to where one of them is not there, in Azure's words. */
export async function unlessGone<Value>(
  look: () => Finding<Value> | Promise<Finding<Value>>,
  gone: (said: string) => Finding<Value>,
): Promise<Finding<Value>> {
  try {
    return await look();
  } catch (error) {
    if (azureCodeOf(error) !== "ResourceGroupNotFound") throw error;
    return gone(toFailure(error, "a resource group").because ?? "");
  }
}

/** A group's id in every spelling that a role assignment's name may have been computed from: as it was given, and as Azure writes it. */
export type Spellings = (scope: string) => Promise<readonly string[]>;

/** The names that a component's assignment on a scope may have. */
export async function namesOn(scope: string, spellings: Spellings, infraId: string, { assigned }: AssignedComponent): Promise<string[]> {
  return (await spellings(scope)).map((text) => roleAssignmentName(infraId, assigned.component, text));
}

export function spellingsOf(azure: Azure): Spellings {
  const lists = oncePerKey<readonly string[]>();
  const names = async (subscriptionId: string) => {
    const { resourceGroups } = await azure.resources(subscriptionId);
    return (await all(resourceGroups.list())).map(({ name }) => resourceGroupId(subscriptionId, name ?? ""));
  };
  return async (scope) => {
    const { subscriptionId } = parseResourceId(scope);
    const live = (await lists.get(subscriptionId, () => names(subscriptionId))).find((id) => sameId(id, scope));
    return [...new Set([scope, live ?? scope])];
  };
}
