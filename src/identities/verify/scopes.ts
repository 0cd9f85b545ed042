/** The resource groups of a cluster on which roles are assigned, from its infra document. */
import { azureCodeOf } from "../../azure/azure-error.js";
import { toFailure } from "../../azure/to-failure.js";
import { shell, type ShellCommand } from "../../errors/advice.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { InfraInput } from "../../files/infra-output.js";
import { groupIdOf, parseResourceId, resourceGroupId, sameId } from "../../domain/resource-id.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import type { AssignedComponent, RoleScope } from "../../domain/components.js";
import type { Finding } from "../../verify/check.js";
import { given } from "../../verify/row.js";
import type { IdentityReads } from "./reads.js";

export const infraOfRoles = given(
  ({ chain }: IdentityReads) => chain.infra,
  "--infra-file is not specified, so the resource groups are unknown",
);

/** IDs of the groups; those missing from the document are absent. */
export type Scopes = Readonly<Partial<Record<RoleScope, string>>>;

export function scopesIn(infra: InfraInput, subscriptionId: string): Scopes {
  const { resourceGroupName, vnetID, securityGroupID, publicZoneID } = infra;
  const managed = resourceGroupName ? resourceGroupId(infra.subscriptionID ?? subscriptionId, resourceGroupName) : undefined;
  const scopes = { managed, vnet: groupIdOf(vnetID), nsg: groupIdOf(securityGroupID), dns: groupIdOf(publicZoneID) };
  return Object.fromEntries(Object.entries(scopes).filter(([, id]) => id !== undefined));
}

/** The IDs of the cluster's resources in the document. */
export function resourcesIn({ vnetID, subnetID, securityGroupID, publicZoneID, privateZoneID }: InfraInput): string[] {
  return [vnetID, subnetID, securityGroupID, publicZoneID, privateZoneID].filter((id): id is string => Boolean(id));
}

/** Advice for a resource in the document that does not exist. */
export const createOrPassAnother =
  "rerun the `create infra` or `create all` that created the cluster, with the same settings, or pass the --infra-file of an existing cluster";

/** Runs a check that reads resource groups; `missing` returns the finding for a group that does not exist, given Azure's message. */
export async function catchGroupNotFound<Value>(
  read: () => Finding<Value> | Promise<Finding<Value>>,
  missing: (message: string) => Finding<Value>,
): Promise<Finding<Value>> {
  try {
    return await read();
  } catch (error) {
    if (azureCodeOf(error) !== "ResourceGroupNotFound") throw error;
    return missing(toFailure(error, "a resource group").because ?? "");
  }
}

/** The possible names of a component's assignment on a scope: they depend on how the ID of the group is spelled, here and in Azure. */
export async function namesOn(reads: IdentityReads, scope: string, infraId: string, { assigned }: AssignedComponent): Promise<string[]> {
  const live = (await reads.groupIds(parseResourceId(scope).subscriptionId)).find((id) => sameId(id, scope));
  return [...new Set([scope, live ?? scope])].map((text) => roleAssignmentName(infraId, assigned.hypershiftName, text));
}

export function unassign(assignments: readonly RoleAssignment[]): ShellCommand {
  return shell`az role assignment delete --ids ${assignments.map(({ id = "" }) => id)}`;
}
