/** A role that the signed-in principal has only during a run, from its first step to its last. */
import type { Azure } from "../azure/azure.js";
import { isForOneRun, ownRole, type HeldRole, type OwnRole } from "../azure/own-role.js";
import { orRefused } from "../azure/or-refused.js";
import type { SignedIn } from "../azure/signed-in.js";
import { byId, defineStep, type Decision, type Step } from "../engine/step.js";
import type { Role } from "../domain/roles.js";
import { assignRoleCommand } from "./assign-role.js";
import { assigns, type AssignmentLists } from "./assignment-lists.js";
import type { GrantOutput } from "./grant.js";

export const forThisRun = "for this run only";

type Scope = Step<{ readonly id: string; readonly exists: boolean }>;

export interface HeldOutput extends GrantOutput {
  readonly role: HeldRole;
}

interface Held {
  readonly role: HeldRole;
}

export interface RoleForOneRun {
  readonly assigned: Step<HeldOutput>;
  /** `steps` use the role. */
  end(steps: readonly Step<unknown>[]): Step<unknown>;
}

/** A role that the principal already has, also an inherited one, stays. */
export function roleForOneRun(
  azure: Azure,
  { id, role }: { readonly id: string; readonly role: Role },
  resource: Scope,
  lists: AssignmentLists,
  caller: SignedIn,
): RoleForOneRun {
  const own = ownRole(azure, { role, scopeTitle: resource.title }, caller, false);
  const assigned = defineStep({
    id,
    title: own.title,
    subject: { kind: "role-assignment", role: role.name, principalType: caller.principalType },
    needs: { resource },
    within: "resource",
    async read({ resource: { id: scope, exists } }): Promise<Held | undefined> {
      const live = exists ? (await lists.reaching(scope)).filter((one) => assigns(one, caller.objectId, role)) : [];
      if (live.length === 0) return undefined;
      return { role: live.every((one) => isForOneRun(one, caller)) ? "temporary" : "lasting" };
    },
    decide: (live): Decision => (live ? { act: "keep" } : { act: "create", why: forThisRun }),
    commands: (_live, { resource: { id: scope } }) => [assignRoleCommand({ ...caller, role, scope })],
    async apply(_live, { resource: { id: scope } }): Promise<Held> {
      await own.assign(scope);
      lists.forget(scope);
      return { role: "temporary" };
    },
    predict: (): HeldOutput => ({ isAssigned: false, role: "temporary" }),
    output: ({ role: held }): HeldOutput => ({ isAssigned: true, role: held }),
  });
  return { assigned, end: (steps) => ownRoleEnd(own, { id, scope: resource, assigned, steps }) };
}

interface OwnRoleEnd {
  /** The ID of the step that assigns it. */
  readonly id: string;
  readonly scope: Scope;
  /** The role as it is during the run. */
  readonly assigned: Step<Held>;
  readonly steps: readonly Step<unknown>[];
}

/** It also takes back what a killed run left. */
export function ownRoleEnd(own: OwnRole, { id, scope, assigned, steps }: OwnRoleEnd): Step<unknown> {
  const decide = (held: HeldRole): Decision => (held === "temporary" ? { act: "remove", why: forThisRun, changes: [] } : { act: "keep" });
  return defineStep({
    id: `${id}-end`,
    title: own.title,
    subject: { kind: "role-assignment", role: own.role.name },
    needs: { ...byId(steps), scope, assigned },
    isLast: true,
    // Both are undefined if their steps have failed.
    async read({ scope: live, assigned: before }): Promise<Held> {
      if (live?.exists !== true || before?.role === "lasting") return { role: before?.role };
      // If the roles can no longer be listed, the write fails for the same reason, and says which role is left.
      const listed = await orRefused(own.held(live.id).then((role) => ({ role })));
      return listed ?? { role: before?.role };
    },
    preview: ({ assigned: held }) => decide(held?.role),
    decide: (live, { assigned: before }) => decide(live?.role ?? before?.role),
    async apply(_live, { scope: live }): Promise<Held> {
      await own.takeBack(live.id);
      return { role: undefined };
    },
    output: () => undefined,
  });
}
