/** A role assignment on one resource, for an identity that another step creates or finds. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../azure/azure.js";
import { defineStep, type Step } from "../engine/step.js";
import { roleAssignmentTitle } from "../domain/role-assignment-title.js";
import type { Role } from "../domain/roles.js";
import { assignRole, assignRoleCommand } from "./assign-role.js";
import { assigns, type AssignmentLists } from "./assignment-lists.js";

/** An identity that gets roles; its output is the object ID of its service principal. */
export interface Holder<Output> {
  /** The name in titles: "mgmt-msi". */
  readonly name: string;
  readonly step: Step<Output>;
  readonly objectIdIn: (output: Output) => string;
}

export interface Scope<Output> {
  readonly title: string;
  readonly step: Step<Output>;
  /** Undefined if there is no such resource: then there is nothing to assign. */
  readonly idIn: (output: Output) => string | undefined;
}

export interface WantedRole<Held, Scoped> {
  readonly id: string;
  readonly role: Role;
  readonly holder: Holder<Held>;
  readonly scope: Scope<Scoped>;
}

export interface AssignedRole {
  readonly isAssigned: boolean;
}

/** An assignment of the same role on the resource, or inherited, is used as it is: Azure allows only one on the same scope. */
export function roleOnResource<Held, Scoped>(
  { azure, assignments }: { readonly azure: Azure; readonly assignments: AssignmentLists },
  wanted: WantedRole<Held, Scoped>,
): Step<AssignedRole> {
  const { id: step, role, holder, scope } = wanted;
  const needs = { scope: scope.step, holder: holder.step };
  // Without the type of the principal, Azure responds with PrincipalNotFound for a new identity.
  const assignmentFor = ({ scope: scoped, holder: held }: { scope: Scoped; holder: Held }) => ({
    role,
    scope: scope.idIn(scoped) ?? "",
    objectId: holder.objectIdIn(held),
    principalType: "ServicePrincipal" as const,
  });
  return defineStep({
    id: step,
    title: roleAssignmentTitle({ role: role.name, holder: holder.name, scope: scope.title }),
    subject: { kind: "role-assignment", role: role.name },
    needs,
    within: "scope",
    async read({ scope: scoped, holder: held }): Promise<RoleAssignment | "not needed" | undefined> {
      const id = scope.idIn(scoped);
      if (id === undefined) return "not needed";
      return (await assignments.reaching(id)).find((live) => assigns(live, holder.objectIdIn(held), role));
    },
    decide: (live) => (live === undefined ? { act: "create" } : { act: "keep" }),
    commands: (_live, inputs) => [assignRoleCommand(assignmentFor(inputs))],
    apply: (_live, inputs) => assignRole(azure, assignments, assignmentFor(inputs)),
    predict: (): AssignedRole => ({ isAssigned: false }),
    output: (): AssignedRole => ({ isAssigned: true }),
  });
}
