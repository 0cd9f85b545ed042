/** The role assignments of an AKS cluster: those of its identities, and those on its own resources. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { RoleAssignment } from "@azure/arm-authorization";
import { isForOneRun } from "../../azure/own-role.js";
import { idKey, isInGroup, isWithin, parseResourceId, sameId } from "../../domain/resource-id.js";
import { grantName } from "../../domain/role-assignment-name.js";
import { liveAssignmentTitle, principalTitle } from "../../domain/role-assignment-title.js";
import { sameText } from "../../text/same-text.js";
import type { FoundGrant } from "../../removal/assignments.js";
import type { Kept } from "../../removal/owned.js";

/** An identity whose role assignments a destroy deletes. */
export interface AksPrincipal {
  readonly objectId: string;
  /** Resource ID of the managed identity, if it is known. */
  readonly id?: string | undefined;
  /** The holder as in a title: "mgmt-msi". */
  readonly holder: string;
  /**
   * `with-aks`: AKS created it, and deletes it with the cluster. `with-us`: this destroy deletes it.
   * `stays`: only the assignments whose names prove that a create assigned them are deleted.
   */
  readonly fate: "with-aks" | "with-us" | "stays";
}

export interface AksGrant extends FoundGrant {
  /** Only the cluster leads to its principal, so it is deleted before the cluster. */
  readonly beforeCluster: boolean;
}

export interface AksAssignmentQuestion {
  readonly assigned: readonly RoleAssignment[];
  readonly principals: readonly AksPrincipal[];
  /** IDs of what is deleted with the assignments on it. */
  readonly deletedIds: readonly string[];
  /** IDs of the cluster's vaults, also of those that are kept. */
  readonly vaultIds: readonly string[];
  /** Whether AKS deletes it with a node resource group. */
  readonly isInNodeGroup: (id: string) => boolean;
  /** The other AKS cluster that has the principal as its identity. */
  readonly otherUser: (objectId: string) => string | undefined;
  readonly caller: { readonly objectId: string };
}

export function decideAksAssignments(question: AksAssignmentQuestion): {
  readonly grants: readonly AksGrant[];
  readonly kept: readonly Kept[];
} {
  const { assigned, principals, deletedIds, vaultIds, isInNodeGroup, otherUser, caller } = question;
  const grants: AksGrant[] = [];
  const kept: Kept[] = [];
  for (const assignment of assigned) {
    const { id, name, scope, principalId, roleDefinitionId = "" } = assignment;
    if (id === undefined || name === undefined || scope === undefined || principalId === undefined) continue;
    if (isInNodeGroup(scope)) continue;
    const known = principals.filter(({ objectId }) => sameText(objectId, principalId));
    const isOnDeleted = deletedIds.some((deleted) => isWithin(scope, deleted));
    const goes = known.find(({ fate }) => fate !== "stays");
    const holder = goes?.holder ?? known[0]?.holder ?? principalTitle(principalId, caller);
    const grant = { id, name, scope, principalId, roleDefinitionId, holder, beforeCluster: goes?.fate === "with-aks" };
    const isLeft = vaultIds.some((vault) => sameId(scope, vault)) && isForOneRun(assignment, caller);
    if (goes !== undefined || isLeft || (isOnDeleted && isProven(assignment))) grants.push(grant);
    else if (known.length > 0 && isProven(assignment)) {
      const user = otherUser(principalId);
      if (user === undefined) grants.push(grant);
      else kept.push({ id, title: liveAssignmentTitle(grant, holder), why: `${user} has the same identity and needs the assignment` });
    }
  }
  return { grants, kept };
}

/** Whether its name is the one that a create computes from principal, role and scope. Azure may return a scope with different casing. */
export function isProven({ name, scope = "", principalId = "", roleDefinitionId = "" }: RoleAssignment): boolean {
  return sameText(grantName(principalId, roleDefinitionId.split("/").at(-1) ?? "", idKey(scope)), name);
}

/** The identities of a live cluster. `ownIds` are the IDs of managed identities that this destroy deletes. */
export function principalsOf(live: ManagedCluster, ownIds: readonly string[]): AksPrincipal[] {
  const { identity, identityProfile, addonProfiles, nodeResourceGroup = "" } = live;
  const fateOf = (id: string | undefined): AksPrincipal["fate"] => {
    if (id === undefined || isInGroup(id, nodeResourceGroup)) return "with-aks";
    return ownIds.some((own) => sameId(own, id)) ? "with-us" : "stays";
  };
  const assignedIdentities = Object.entries(identity?.userAssignedIdentities ?? {}).map(([resourceId, { principalId }]) => ({
    resourceId,
    objectId: principalId,
  }));
  const addOns = Object.entries(addonProfiles ?? {}).map(([name, profile]) => ({
    holder: sameText(name, "azureKeyvaultSecretsProvider") ? theAddOn : `the add-on ${name}`,
    one: profile.identity,
  }));
  return [
    { holder: theCluster, one: { resourceId: undefined, objectId: identity?.principalId } },
    ...assignedIdentities.map((one) => ({ holder: parseResourceId(one.resourceId).name, one })),
    { holder: theNodes, one: identityProfile?.["kubeletidentity"] },
    ...addOns,
  ].flatMap(({ holder, one }) =>
    one?.objectId === undefined || one.objectId === ""
      ? []
      : [{ objectId: one.objectId, id: one.resourceId, holder, fate: fateOf(one.resourceId) }],
  );
}

const theCluster = "the AKS cluster";
/** Their kubelets have an identity of their own. */
export const theNodes = "the nodes";
/** Its identity reads the vaults of identity sets. */
export const theAddOn = "the secrets provider";
