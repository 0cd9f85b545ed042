/** A role assignment on one created resource, for a principal that uses its contents. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import type { SignedIn } from "../azure/signed-in.js";
import { defineStep, type Step } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import { assignCommand } from "../domain/role-assignment-command.js";
import { grantName } from "../domain/role-assignment-name.js";
import { roleAssignmentTitle } from "../domain/role-assignment-title.js";
import { roleDefinitionId, type Role } from "../domain/roles.js";
import { assigns, type AssignmentLists } from "./assignment-lists.js";

export interface Grant {
  readonly id: string;
  readonly role: Role;
  /** The principal as in a title: "the signed-in principal". */
  readonly grantee: string;
  readonly principal: Pick<SignedIn, "objectId" | "principalType">;
}

/** The scope. */
interface Resource {
  readonly id: string;
  readonly exists: boolean;
}

export interface GrantOutput {
  /** False while it is only planned: the role is not effective yet. */
  readonly isAssigned: boolean;
}

export function grant(
  azure: Azure,
  { id, role, grantee, principal }: Grant,
  resource: Step<Resource>,
  lists: AssignmentLists,
): Step<GrantOutput> {
  const { objectId, principalType } = principal;
  return defineStep({
    id,
    title: roleAssignmentTitle({ role: role.name, holder: grantee, scope: resource.title }),
    subject: { kind: "role-assignment", role: role.name },
    needs: { resource },
    within: "resource",
    // With any name: Azure allows only one.
    async read({ resource: { id: scope, exists } }) {
      if (!exists) return undefined;
      return (await lists.on(scope)).find((live) => assigns(live, objectId, role));
    },
    decide: (live) => (live ? { act: "keep" } : { act: "create" }),
    commands: (_live, { resource: { id: scope } }) => [
      assignCommand({ name: grantName(objectId, role.id, scope), scope, role, objectId, principalType }),
    ],
    async apply(_live, { resource: { id: scope } }): Promise<RoleAssignment> {
      const { subscriptionId } = azure.connection;
      const { roleAssignments } = await azure.authorization();
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
    },
    predict: (): GrantOutput => ({ isAssigned: false }),
    output: () => ({ isAssigned: true }),
  });
}
