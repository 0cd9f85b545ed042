/** A role assignment on one created resource, for a principal that uses its contents. */
import type { Azure } from "../azure/azure.js";
import { isForOneRun } from "../azure/own-role.js";
import type { SignedIn } from "../azure/signed-in.js";
import { defineStep, type Decision, type Step } from "../engine/step.js";
import { roleAssignmentTitle } from "../domain/role-assignment-title.js";
import type { Role } from "../domain/roles.js";
import { assignRole, assignRoleCommand } from "./assign-role.js";
import { assigns, type AssignmentLists } from "./assignment-lists.js";

export interface Grant {
  readonly id: string;
  readonly role: Role;
  /** The principal as in a title: "the signed-in principal". */
  readonly holder: string;
  readonly principal: Pick<SignedIn, "objectId" | "principalType">;
  readonly purpose?: string | undefined;
}

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
  { id, role, holder, principal, purpose }: Grant,
  resource: Step<Resource>,
  lists: AssignmentLists,
): Step<GrantOutput> {
  const { objectId } = principal;
  return defineStep({
    id,
    title: roleAssignmentTitle({ role: role.name, holder, scope: resource.title }),
    subject: { kind: "role-assignment", role: role.name, principalType: principal.principalType },
    needs: { resource },
    within: "resource",
    // With any name: Azure allows only one.
    async read({ resource: { id: scope, exists } }) {
      if (!exists) return undefined;
      return (await lists.on(scope)).find((live) => assigns(live, objectId, role));
    },
    decide(live): Decision {
      if (live === undefined) return { act: "create" };
      if (!isForOneRun(live, principal)) return { act: "keep" };
      // A killed run left it, and this run keeps its roles.
      const changes = [{ path: "description", from: live.description, to: purpose }];
      return { act: "update", why: "a run has assigned it to itself, and from now on it stays", changes };
    },
    commands: (_live, { resource: { id: scope } }) => [assignRoleCommand({ ...principal, role, scope, purpose })],
    apply: (_live, { resource: { id: scope } }) => assignRole(azure, lists, { ...principal, role, scope, purpose }),
    predict: (): GrantOutput => ({ isAssigned: false }),
    output: () => ({ isAssigned: true }),
  });
}
