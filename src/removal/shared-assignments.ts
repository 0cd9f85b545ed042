/** Role assignments of a cluster that another cluster needs too, decided scope by scope. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { assignedComponents, type RoleScope } from "../domain/components.js";
import { groupIdOf, idKey, isWithin, sameId } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf, type FoundAssignment } from "./assignments.js";
import type { NetworkLists } from "./subscription-lists.js";

export interface SharingQuestion {
  readonly ours: readonly FoundAssignment[];
  /** All role assignments of the subscriptions. */
  readonly every: readonly RoleAssignment[];
  /** Infra IDs. */
  readonly otherClusters: readonly string[];
  /** The cluster's own groups, which are deleted. */
  readonly deletedGroups: readonly { readonly id?: string }[];
  /** The IDs of the load balancers. */
  readonly loadBalancers: readonly string[];
  readonly networks: NetworkLists;
}

/**
 * The assignments that another cluster needs, with its infra ID. Azure allows one assignment of a role to a principal on a scope. A cluster that finds
 * one there makes none of its own, and relies on it.
 */
export function sharedAssignments(question: SharingQuestion): Map<FoundAssignment, string> {
  const retained = retainedOf(question);
  const users = retained.length === 0 ? [] : question.otherClusters.map((infraId) => ({ infraId, needs: needsOf(infraId, question) }));
  return new Map(
    retained.flatMap((assignment) => {
      const user = users.find(({ needs }) => needs(assignment));
      return user ? [[assignment, user.infraId] as const] : [];
    }),
  );
}

/** The assignments on groups that are not deleted. */
export function retainedOf({ ours, deletedGroups }: Pick<SharingQuestion, "ours" | "deletedGroups">): FoundAssignment[] {
  return ours.filter(({ scope }) => !isIn(scope, deletedGroups));
}

/** Whether a cluster needs an assignment of ours. It has the same identities and none of its own on the group, which can be one of its groups. */
function needsOf(infraId: string, question: SharingQuestion): (assignment: FoundAssignment) => boolean {
  const { ours, every } = question;
  const ofOurIdentities = every.filter((one) => ours.some(({ principalId }) => sameText(principalId, one.principalId)));
  const uses = assignmentsOf(infraId, ofOurIdentities).filter((one) =>
    ours.some(({ component, principalId }) => component === one.component && sameText(principalId, one.principalId)),
  );
  const couldBe = groupsOfKinds(infraId, uses, question);
  const ownOn = (scope: string) =>
    assignmentsOf(
      infraId,
      every.filter((one) => sameId(one.scope ?? "", scope)),
    );
  // A cluster in the same managed group may have none of its own: then ours are all that its identities have there.
  const hasOurIdentities = uses.length > 0 || ours.some(({ scope }) => couldBe.managed(keyOf(scope)) && ownOn(scope).length === 0);
  return ({ component, scope }) => {
    if (!hasOurIdentities || ownOn(scope).some((one) => one.component === component)) return false;
    const kinds = assignedComponents.find(({ key }) => key === component)?.assigned.scopes ?? [];
    return kinds.some((kind) => couldBe[kind](keyOf(scope)));
  };
}

type GroupKinds = Readonly<Record<RoleScope, (group: string) => boolean>>;

/**
 * Whether a group, by its key, can be the cluster's group of each kind. Resources with the names of the cluster show it. Otherwise, it uses existing
 * resources: then the group must contain such a resource, and the cluster's own assignments must not show another group.
 */
function groupsOfKinds(infraId: string, uses: readonly FoundAssignment[], question: SharingQuestion): GroupKinds {
  const { deletedGroups, loadBalancers, networks } = question;
  const groupsOf = (component: string) => new Set(uses.filter((one) => one.component === component).map(({ scope }) => keyOf(scope)));
  const used = new Set(uses.map(({ scope }) => keyOf(scope)));
  const named = (ids: readonly string[], suffix: string) => ids.filter((id) => id.toLowerCase().endsWith(suffix.toLowerCase())).map(keyOf);
  const ownManaged = new Set(named(loadBalancers, `/${infraId}`));
  const ownVnet = new Set(named(networks.virtualNetworks, `-${infraId}`).filter((group) => used.has(group)));
  const securityGroupIds = networks.securityGroups.map(({ id }) => id);
  const ownNsg = new Set(named(securityGroupIds, `-${infraId}-nsg`).filter((group) => used.has(group)));
  const withNetwork = new Set(networks.virtualNetworks.map(keyOf));
  const zones = new Set(networks.publicZones.map(keyOf));

  /** A component with an assignment for each of its scopes shows all groups of these kinds. */
  const isElsewhere = (kind: RoleScope, group: string) =>
    assignedComponents.some(({ key, assigned: { scopes } }) => {
      const groups = groupsOf(key);
      return scopes.includes(kind) && groups.size >= scopes.length && !groups.has(group);
    });
  const hasOtherZone = (group: string) =>
    [...groupsOf("ingress")].some((other) => other !== group && zones.has(other) && !ownManaged.has(other) && !ownVnet.has(other));

  const vnet = (group: string) =>
    ownVnet.size > 0 ? ownVnet.has(group) : withNetwork.has(group) && !isIn(group, deletedGroups) && !isElsewhere("vnet", group);
  return {
    managed: (group) => ownManaged.has(group),
    vnet,
    nsg(group) {
      if (ownNsg.size > 0) return ownNsg.has(group);
      // Both tools require the security group to be attached to the cluster's subnet.
      const attached = networks.securityGroups.filter(({ id }) => keyOf(id) === group).flatMap(({ subnets }) => subnets);
      return !isElsewhere("nsg", group) && attached.some((subnet) => vnet(keyOf(subnet)));
    },
    dns: (group) => zones.has(group) && !isElsewhere("dns", group) && !hasOtherZone(group),
  };
}

/** The resource group of an ID, as a map key. */
function keyOf(id: string): string {
  return idKey(groupIdOf(id) ?? id);
}

function isIn(id: string, groups: SharingQuestion["deletedGroups"]): boolean {
  return groups.some((group) => isWithin(id, group.id ?? ""));
}
