/** Role assignments: one step for each component and group, with the same names as HyperShift computes. */
import { plural } from "../../text/plural.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { found } from "../../azure/long-running.js";
import { byId, defineLookup, defineStep, type Step } from "../../engine/step.js";
import { advise, aroHcp, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";
import { assignedComponents, roleOf, type AssignedComponent, type ComponentKey, type RoleScope } from "../../domain/components.js";
import { parseResourceId, subscriptionScope } from "../../domain/resource-id.js";
import type { ClusterKey } from "../../domain/names.js";
import { assignCommand } from "../../domain/role-assignment-command.js";
import { clusterDescription } from "../../domain/role-assignment-description.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import { roleAssignmentTitle } from "../../domain/role-assignment-title.js";
import { roleDefinitionId, type Role } from "../../domain/roles.js";
import type { Assignee, InfraSpec, RoleOptions } from "../../domain/infra-spec.js";
import { assigns, listedAssignments, type AssignmentLists } from "../../steps/assignment-lists.js";
import { refuse } from "../../steps/ownership-decision.js";
import { assignedIdentities, assignedTo, takenRole, type AssignedIdentity } from "../../azure/assigned-identities.js";
import type { GroupOutput } from "../../steps/resource-groups.js";
import { sameText } from "../../text/same-text.js";

/** Object IDs of service principals, by client ID in lower case. */
type PrincipalIds = ReadonlyMap<string, string>;

/** An identity that gets roles: its step, and how to get the object ID of its service principal from the step's output. */
export interface RoleHolder {
  readonly step: Step<unknown>;
  readonly objectIdIn: (output: unknown) => string;
  /** The key of the component with a principal, if the identity files contain it. */
  readonly componentIn?: (output: unknown, objectId: string) => string | undefined;
}

export function roleHolder<Output>(step: Step<Output>, objectIdIn: (output: Output) => string): RoleHolder {
  return { step, objectIdIn: objectIdIn as (output: unknown) => string };
}

/** Identities that the same run creates, by the component's key. */
export type CreatedIdentities = ReadonlyMap<ComponentKey, RoleHolder>;

interface KnownAssignee {
  /** Its key. */
  readonly component: ComponentKey;
  readonly clientId: string;
}

/** Looks up all identities in one or two requests. */
function principals(azure: Azure, assignees: readonly KnownAssignee[]): Step<PrincipalIds> {
  const clientIds = [...new Set(assignees.map(({ clientId }) => clientId.toLowerCase()))];
  return defineLookup({
    id: "principals",
    subject: { kind: "principals" },
    title: `${plural(clientIds.length, "identity")} in the directory`,
    needs: {},
    read: async () => (await azure.directory()).servicePrincipals(clientIds),
    decide(live = []) {
      const known = new Set(live.map(({ appId }) => appId.toLowerCase()));
      const missing = assignees.filter(({ clientId }) => !known.has(clientId.toLowerCase()));
      if (missing.length === 0) return { act: "use" };
      return refuse("ARO-ROLE-001", `${String(missing.length)} of ${plural(assignees.length, "identity")} not found in the directory`, {
        because: missing.map(({ component, clientId }) => `${component} (client ID ${clientId})`).join(", "),
        next: [
          advise`check the client IDs in the identity files and their tenant; a new identity may need a minute to appear`,
          advise`if the identities were deleted or created again, the files are outdated: rerun ${aroHcp("create identities")}, or the create all that wrote them, which also renews the files`,
        ],
      });
    },
    output: (live) => new Map(live.map(({ appId, id }) => [appId.toLowerCase(), id])),
  });
}

/** The hosted-control-plane roles are newer than the others, so this checks that they exist in the tenant before anything is written. */
function hcpRoles(azure: Azure, spec: InfraSpec): Step<unknown> {
  const roles = assignedComponents.flatMap(({ assigned: { hcpRole } }) => (hcpRole ? [hcpRole] : []));
  return defineLookup({
    id: "hcp-roles",
    subject: { kind: "role-definitions" },
    title: "hosted control plane roles",
    needs: {},
    async read() {
      const { roleDefinitions } = await azure.authorization();
      return Promise.all(
        roles.map(async (role) => ({ role, live: await found(roleDefinitions.get(subscriptionScope(spec.subscriptionId), role.id)) })),
      );
    },
    decide(live = []) {
      const missing = live.filter((entry) => !entry.live).map(({ role }) => `${role.id} (${role.name})`);
      if (missing.length === 0) return { act: "use" };
      return refuse("ARO-ROLE-003", "a hosted control plane role does not exist in this tenant", {
        because: missing.join(", "),
        next: ["run without --assign-custom-hcp-roles"],
      });
    },
    output: () => undefined,
  });
}

/** Components with the same principal share its assignment. */
function sameClient(one: Assignee, other: Assignee): boolean {
  return sameText(one.clientId, other.clientId);
}

function componentOf(known: readonly KnownAssignee[], ids: PrincipalIds, objectId: string): ComponentKey | undefined {
  return known.find(({ clientId }) => sameText(ids.get(clientId.toLowerCase()), objectId))?.component;
}

export type RoleGroups = Readonly<Record<RoleScope, Step<GroupOutput>>>;

interface RoleSurroundings {
  readonly groups: RoleGroups;
  readonly createdIdentities: CreatedIdentities;
}

/** All assignments that the identities need, each once, even if several groups are the same. */
export function roleAssignments(
  azure: Azure,
  spec: InfraSpec,
  options: RoleOptions,
  { groups, createdIdentities }: RoleSurroundings,
): Step<unknown>[] {
  const known = options.assignees.flatMap(({ component: { key: component }, clientId }) =>
    clientId === undefined ? [] : [{ component, clientId }],
  );
  const listed = listedAssignments(azure);
  const lookup = principals(azure, known);
  const holderOf = ({ component: { key }, clientId }: Assignee): RoleHolder => {
    if (clientId !== undefined) {
      return {
        ...roleHolder(lookup, (ids) => ids.get(clientId.toLowerCase()) ?? ""),
        // The lookup is its step.
        componentIn: (ids, objectId) => componentOf(known, ids as PrincipalIds, objectId),
      };
    }
    const holder = createdIdentities.get(key);
    if (!holder) throw new Failure("ARO-BUG-001", `${key} needs roles, but no step creates its identity`);
    return holder;
  };
  const checked = options.customHcpRoles ? [hcpRoles(azure, spec)] : [];
  const steps = new Map<string, Step<unknown>>();
  for (const assignee of options.assignees) {
    const { component } = assignee;
    const holder = holderOf(assignee);
    const role = roleOf(component.assigned, options.customHcpRoles);
    for (const scope of component.assigned.scopes) {
      const group = groups[scope];
      const key = `${component.key} ${group.id}`;
      const others = options.assignees
        .filter((other) => other !== assignee && !sameClient(other, assignee))
        .map((other) => other.component);
      const { identities } = options;
      const wanted = { cluster: spec.cluster, identities, component, others, role, scope, group, holder, checked };
      if (!steps.has(key)) steps.set(key, roleAssignment(azure, wanted, listed));
    }
  }
  return [...(known.length === 0 ? [] : [lookup]), ...checked, ...steps.values()];
}

interface WantedAssignment {
  readonly cluster: ClusterKey;
  readonly identities: RoleOptions["identities"];
  readonly component: AssignedComponent;
  /** The other identities that get roles. */
  readonly others: readonly AssignedComponent[];
  readonly role: Role;
  readonly scope: RoleScope;
  readonly group: Step<GroupOutput>;
  readonly holder: RoleHolder;
  /** Steps that must be complete before anything is assigned. */
  readonly checked: readonly Step<unknown>[];
}

export interface LiveAssignment {
  /** The assignment with the computed name. */
  readonly named: RoleAssignment | undefined;
  /** An assignment of the same role to the same principal on the same scope: Azure allows only one. */
  readonly equal: RoleAssignment | undefined;
  /** The other identity that has the named one, if it may not lose it; undefined if it does not exist any more. */
  readonly holder?: AssignedIdentity | undefined;
  /** The identity that would get it instead. */
  readonly next?: AssignedIdentity | undefined;
}

function roleAssignment(azure: Azure, wanted: WantedAssignment, listed: AssignmentLists): Step<unknown> {
  const { cluster, identities, component, others, role, scope, group, checked } = wanted;
  const { infraId } = cluster;
  const { step: holder, objectIdIn, componentIn } = wanted.holder;
  const nameOn = (id: string) => roleAssignmentName(infraId, component.assigned.hypershiftName, id);
  /** With the name of another component, it does not stay: that component's step replaces it. */
  const isOfOtherAssignee = (id: string, { name = "" }: RoleAssignment) =>
    others.some((other) => roleAssignmentName(infraId, other.assigned.hypershiftName, id) === name.toLowerCase());
  const title = roleAssignmentTitle({ role: role.name, holder: component.key, scope: group.title });
  /** Read with the assignment, so that a plan and a write decide alike. Two components of the same files may exchange their roles. */
  const otherHolder = async (held: unknown, named: RoleAssignment | undefined): Promise<Pick<LiveAssignment, "holder" | "next">> => {
    const principalId = named?.principalId;
    const own = objectIdIn(held);
    const isOther = principalId !== undefined && !sameText(principalId, own);
    if (identities.replace || !isOther || componentIn?.(held, principalId) !== undefined) return {};
    const holder = await assignedTo(azure, principalId, identities);
    return holder === undefined ? {} : { holder, next: (await assignedIdentities(azure, [own])).get(own.toLowerCase()) };
  };
  return defineStep({
    id: `role-${component.key}-${scope}`.toLowerCase(),
    title,
    subject: { kind: "role-assignment", role: role.name, component: component.key, scope },
    resourceId: group.resourceId && `${group.resourceId}/providers/Microsoft.Authorization/roleAssignments/${nameOn(group.resourceId)}`,
    needs: { group, holder, ...byId(checked) },
    within: "group",
    async read({ group: { id }, holder: held }): Promise<LiveAssignment | undefined> {
      const onScope = await listed.on(id);
      const name = nameOn(id);
      const principalId = objectIdIn(held);
      const named = onScope.find((live) => live.name?.toLowerCase() === name);
      const equal = onScope.find((live) => live !== named && assigns(live, principalId, role) && !isOfOtherAssignee(id, live));
      return named || equal ? { named, equal, ...(await otherHolder(held, named)) } : undefined;
    },
    decide(live, { holder: held }) {
      const principalId = objectIdIn(held);
      if (live?.equal && !live.named) return { act: "use" };
      if (!live?.named) return { act: "create" };
      if (assigns(live.named, principalId, role)) return { act: "keep" };
      if (live.holder !== undefined) {
        const { holder, next } = live;
        return { act: "refuse", failure: takenRole({ assignment: title, infraId, plane: component.plane, identities, holder, next }) };
      }
      // Azure cannot update an assignment (RoleAssignmentUpdateNotPermitted), so it is replaced.
      return {
        act: "replace",
        why: `the assignment of that name is ${foreign(componentIn?.(held, live.named.principalId ?? ""))}`,
        changes: [
          { path: "principalId", from: live.named.principalId, to: principalId },
          { path: "roleDefinitionId", from: live.named.roleDefinitionId, to: role.id },
        ].filter(({ from, to }) => !from?.toLowerCase().endsWith(to.toLowerCase())),
      };
    },
    commands(live, { group: { id: scope }, holder: held }) {
      const principal = { objectId: objectIdIn(held), principalType: "ServicePrincipal" } as const;
      const assigned = { name: nameOn(scope), scope, role, ...principal, purpose: clusterDescription(cluster) };
      const outdated = live?.named?.id;
      return [
        ...(outdated === undefined ? [] : [shell`az role assignment delete --ids ${outdated}`]),
        ...(live?.equal ? [] : [assignCommand(assigned)]),
      ];
    },
    async apply(live, { group: { id }, holder: held }): Promise<LiveAssignment> {
      const { subscriptionId } = parseResourceId(id);
      const client = await azure.authorization(subscriptionId);
      const name = nameOn(id);
      if (live?.named) await client.roleAssignments.delete(id, name);
      // The role is already assigned with another name, so only the outdated assignment had to be deleted.
      if (live?.equal) return { named: undefined, equal: live.equal };
      try {
        const named = await client.roleAssignments.create(id, name, {
          principalId: objectIdIn(held),
          // Without it, Azure responds with PrincipalNotFound for a new principal.
          principalType: "ServicePrincipal",
          roleDefinitionId: roleDefinitionId(subscriptionId, role),
          // What an audit finds it by, once the cluster is gone.
          description: clusterDescription(cluster),
        });
        return { named, equal: undefined };
      } catch (error) {
        if (!["RoleAssignmentExists", "RoleAssignmentUpdateNotPermitted"].includes(azureCodeOf(error) ?? "")) throw error;
        // The existing assignment may be the wanted one, so it is read and compared.
        listed.forget(id);
        throw new Stale("a different assignment has the name", { cause: error });
      }
    },
    predict: () => undefined,
    output: (live) => (live.named ?? live.equal)?.id,
  });
}

/** `holder` is the key of the component with that principal, if the identity files contain it. */
function foreign(holder: string | undefined): string {
  if (holder === undefined) return "of a different principal or role";
  return `held by the identity of ${holder}; if that is correct, the two are swapped in the identity files`;
}
