/** Assigns a role to one principal on one resource, with a name of aro-hcp. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import type { SignedIn } from "../azure/signed-in.js";
import { parseResourceId } from "../domain/resource-id.js";
import { assignCommand } from "../domain/role-assignment-command.js";
import { grantName } from "../domain/role-assignment-name.js";
import { roleDefinitionId, type Role } from "../domain/roles.js";
import type { ShellCommand } from "../errors/advice.js";
import { Stale } from "../errors/stale.js";
import type { AssignmentLists } from "./assignment-lists.js";

interface WantedAssignment extends Pick<SignedIn, "objectId" | "principalType"> {
  readonly role: Role;
  /** ID of the resource. */
  readonly scope: string;
  readonly purpose?: string | undefined;
}

export function assignRoleCommand(wanted: WantedAssignment): ShellCommand {
  return assignCommand({ ...wanted, name: nameOf(wanted) });
}

/** @throws Stale if somebody else assigned it since it was read in `lists` */
export async function assignRole(azure: Azure, lists: Pick<AssignmentLists, "forget">, wanted: WantedAssignment): Promise<RoleAssignment> {
  const { role, scope, objectId, principalType, purpose } = wanted;
  const { subscriptionId } = parseResourceId(scope);
  const { roleAssignments } = await azure.authorization(subscriptionId);
  try {
    return await roleAssignments.create(scope, nameOf(wanted), {
      principalId: objectId,
      principalType,
      ...(purpose !== undefined && { description: purpose }),
      roleDefinitionId: roleDefinitionId(subscriptionId, role),
    });
  } catch (error) {
    if (azureCodeOf(error) !== "RoleAssignmentExists") throw error;
    lists.forget(scope);
    throw new Stale("it was assigned in the meantime", { cause: error });
  }
}

function nameOf({ objectId, role, scope }: WantedAssignment): string {
  return grantName(objectId, role.id, scope);
}
