/** A role that a run assigns to the signed-in principal for its own work, and takes back at its end. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { idKey, parseResourceId, sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { grantName } from "../domain/role-assignment-name.js";
import { principalTitle, roleAssignmentTitle } from "../domain/role-assignment-title.js";
import { roleDefinitionId, type Role } from "../domain/roles.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { abortedLater, closingMs } from "./aborted-later.js";
import type { Azure } from "./azure.js";
import { azureCodeOf } from "./azure-error.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";
import type { SignedIn } from "./signed-in.js";

/** Shows that a run assigned the role for its own work only. An assignment without it stays. */
const purpose = "assigned by aro-hcp to itself for one run";

/** The role of the signed-in principal on a resource. `temporary`: a run of this program assigned it for its own work. */
export type HeldRole = "temporary" | "lasting" | undefined;

/** Whether a run of this program assigned it to the principal for its own work. */
export function isForOneRun({ principalId, description }: RoleAssignment, { objectId }: Pick<SignedIn, "objectId">): boolean {
  return sameText(principalId, objectId) && description === purpose;
}

export interface OwnRole {
  readonly title: string;
  readonly role: Role;
  /** Reads assignments of that role alone, on the resource or inherited. */
  held(scope: string): Promise<HeldRole>;
  assign(scope: string): Promise<void>;
  /** @throws Failure with the command that deletes it */
  takeBack(scope: string): Promise<void>;
}

/** `keepsRole`: what it assigns is lasting. */
export function ownRole(
  azure: Azure,
  { role, scopeTitle }: { readonly role: Role; readonly scopeTitle: string },
  caller: SignedIn,
  keepsRole: boolean,
): OwnRole {
  const { objectId, principalType } = caller;
  const title = roleAssignmentTitle({ role: role.name, holder: principalTitle(objectId, caller), scope: scopeTitle });
  const nameAt = (scope: string) => grantName(objectId, role.id, scope);

  const assignments = async (scope: string, options: { readonly abortSignal?: AbortSignal } = {}): Promise<RoleAssignment[]> => {
    const { roleAssignments } = await azure.authorization();
    const listed = (await found(all(roleAssignments.listForScope(scope, { ...options, filter: "atScope()" })))) ?? [];
    return listed.filter((live) => sameText(live.principalId, objectId) && idKey(live.roleDefinitionId ?? "").endsWith(`/${role.id}`));
  };
  const isTemporary = (scope: string, live: RoleAssignment) =>
    sameText(live.name, nameAt(scope)) && sameId(live.scope ?? "", scope) && isForOneRun(live, caller);

  const held = async (scope: string): Promise<HeldRole> => {
    const live = await assignments(scope);
    if (live.length === 0) return undefined;
    return live.every((one) => isTemporary(scope, one)) ? "temporary" : "lasting";
  };

  return {
    title,
    role,
    held,
    async assign(scope) {
      // Another run may have assigned it to stay since the plan: the same name would replace that.
      if ((await held(scope)) === "lasting") return;
      const { roleAssignments } = await azure.authorization();
      try {
        await roleAssignments.create(scope, nameAt(scope), {
          principalId: objectId,
          principalType,
          ...(!keepsRole && { description: purpose }),
          roleDefinitionId: roleDefinitionId(parseResourceId(scope).subscriptionId, role),
        });
      } catch (error) {
        // Somebody else has assigned it since, and it stays.
        if (azureCodeOf(error) !== "RoleAssignmentExists") throw error;
      }
    },
    async takeBack(scope) {
      // A signal of its own: that of the run has aborted if the command is stopped.
      const closing = abortedLater(azure.connection.clock, azure.connection.signal, closingMs);
      const options = { abortSignal: closing.signal };
      try {
        const live = (await assignments(scope, options)).find((one) => isTemporary(scope, one));
        if (live?.name === undefined) return;
        const { roleAssignments } = await azure.authorization();
        await found(roleAssignments.delete(scope, live.name, options));
      } catch (error) {
        const id = `${scope}/providers/${resourceTypes.roleAssignment.type}/${nameAt(scope)}`;
        throw new Failure("ARO-AUTHZ-001", `the ${title} was not deleted`, {
          because: error instanceof Error ? error.message : String(error),
          next: [advise`delete it: ${shell`az role assignment delete --ids ${id}`}`],
          cause: error,
        });
      } finally {
        closing.end();
      }
    },
  };
}
