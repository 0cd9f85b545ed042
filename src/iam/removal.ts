/** Finds the workload identities of a cluster by tag and name: those that it owns, and those without an owner. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { advise, aroHcp } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import type { ControlPlaneComponent } from "../domain/components.js";
import type { IamPlace } from "./spec.js";
import { hasOwner } from "../domain/ownership.js";
import { parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Tags } from "../domain/tags.js";
import { ownWorkloadIdentity, workloadComponent } from "../domain/workload-names.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";
import { grantOf, listAssignments, type FoundGrant } from "../removal/assignments.js";
import { grantRemoval, managedIdentityRemoval } from "../removal/azure-removals.js";
import { copiedTag, decideGroup, groupReads, withGroup } from "../removal/emptied-group.js";
import { foundIn, type Found } from "../removal/owned.js";
import { requireOneOwner } from "../removal/second-owner.js";
import { withPrincipals } from "../removal/set-principals.js";

/** An identity with a name of the cluster, whatever its tags are. */
export interface NamedIdentity {
  readonly component: ControlPlaneComponent;
  readonly id: string;
  readonly name: string;
  readonly tags: Tags;
}

export interface FoundIam extends Found {
  readonly grants: readonly FoundGrant[];
  /** Identities with names of the cluster and no owner: those of hypershift's own command, which sets no tags. */
  readonly unclaimed: readonly NamedIdentity[];
}

/** `listed` are the role assignments of the subscription; pass them to share the read. */
export async function findIam(azure: Azure, place: IamPlace, listed = listAssignments(azure, [place.subscriptionId])): Promise<FoundIam> {
  const { cluster, groupName } = place;
  const reads = groupReads(azure);
  const [assigned, contents] = await Promise.all([
    listed,
    reads.contents(groupName),
    // For the decision on the group.
    reads.group(groupName),
  ]);
  const managed = identitiesIn(contents);
  const own = managed.flatMap((one) => {
    const component = ownWorkloadIdentity(cluster, one)?.key;
    return component === undefined ? [] : [{ ...one, component }];
  });
  requireOneOwner({ iam: cluster }, own);
  const identities = await withPrincipals(azure, own);
  const grants = assigned.flatMap((live) => {
    const holder = identities.find(({ principalId }) => sameText(principalId, live.principalId))?.component;
    return holder === undefined ? [] : grantOf(live, holder);
  });
  const others = managed.filter(({ id }) => !own.some((one) => one.id === id));
  const found = foundIn({
    roles: { removals: grants.map((grant) => grantRemoval(azure, grant)) },
    identities: {
      removals: identities.map((one) => managedIdentityRemoval(azure, one)),
      after: ["roles"],
      kept: others.flatMap((one) => copiedTag({ iam: cluster }, one)),
    },
  });
  const home = await decideGroup(reads, groupName, { iam: cluster }, (id) => identities.some((one) => one.id === id));
  return { ...withGroup(azure, found, home), grants, unclaimed: namedIn(place, contents).filter(({ tags }) => !hasOwner(tags)) };
}

/** The identities in a group that have a name of the cluster. */
export function namedIn({ cluster }: IamPlace, contents: readonly GenericResourceExpanded[]): NamedIdentity[] {
  return identitiesIn(contents).flatMap((one) => {
    const component = workloadComponent(cluster, one.name);
    return component === undefined ? [] : [{ ...one, component }];
  });
}

function identitiesIn(contents: readonly GenericResourceExpanded[]): Omit<NamedIdentity, "component">[] {
  return contents.flatMap(({ id = "", type = "", tags }) =>
    sameType(type, resourceTypes.managedIdentity.type) ? [{ id, name: parseResourceId(id).name, tags }] : [],
  );
}

/** The failure of a destroy if identities have names of the cluster but no owner; undefined without such identities. */
export function unclaimedIdentities({ cluster, groupName }: IamPlace, unclaimed: readonly NamedIdentity[]): Failure | undefined {
  if (unclaimed.length === 0) return undefined;
  const one = unclaimed.length === 1;
  const adopt = aroHcp("adopt iam", { ...cluster, persistentResourceGroupName: groupName });
  return new Failure(
    "ARO-OWN-007",
    `${plural(unclaimed.length, "identity")} ${one ? "has a name" : "have names"} of cluster ${cluster.name}/${cluster.infraId} but no ownership tags`,
    {
      because: `${one ? "it looks" : "they look"} like those of \`hypershift create iam azure\`, which sets none: ${unclaimed.map(({ id }) => id).join(", ")}`,
      next: [
        advise`${one ? "if it belongs to this cluster, take it over" : "if they belong to this cluster, take them over"}: ${adopt}; then rerun the command`,
      ],
    },
  );
}
