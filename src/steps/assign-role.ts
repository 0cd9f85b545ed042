/** Assigns a role to one principal on one resource. The name shows that aro-hcp did. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import type { SignedIn } from "../azure/signed-in.js";
import { parseResourceId } from "../domain/resource-id.js";
import { grantName } from "../domain/role-assignment-name.js";
import { roleDefinitionId, type Role } from "../domain/roles.js";
import { Stale } from "../errors/stale.js";
import type { AssignmentLists } from "./assignment-lists.js";

interface WantedAssignment extends Pick<SignedIn, "objectId" | "principalType"> {
  readonly role: Role;
  /** ID of the resource. */
  readonly scope: string;
}

/** @throws Stale if somebody else assigned it since it was read in `lists` */
export async function assignRole(
  azure: Azure,
  lists: Pick<AssignmentLists, "forget">,
  { role, scope, objectId, principalType }: WantedAssignment,
): Promise<RoleAssignment> {
  const { subscriptionId } = parseResourceId(scope);
  const { roleAssignments } = await azure.authorization(subscriptionId);
  try {
    return await roleAssignments.create(scope, grantName(objectId, role.id, scope), {
      principalId: objectId,
      principalType,
      roleDefinitionId: roleDefinitionId(subscriptionId, role),
    });
  } catch (error) {
    if (azureCodeOf(error) !== "RoleAssignmentExists") throw error;
    lists.forget(scope);
    throw new Stale("it was assigned in the meantime", { cause: error });
  }
}
