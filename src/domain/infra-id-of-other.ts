/** Refuses an infra ID that a cluster with another name has. */
import { advise, joinAdvice, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { clusterResource, type ClusterResource } from "./cluster-resource.js";
import type { ClusterKey } from "./names.js";
import { infraIdTag, nameTag } from "./ownership.js";
import { isGroupId, isWithin } from "./resource-id.js";
import { tagValue, type Tags } from "./tags.js";
import { deleteGroup } from "./unclaimed-failure.js";

interface Tagged {
  readonly id?: string;
  readonly tags?: Tags;
}

/**
 * ARO-OWN-001; undefined if no such cluster exists. `tagged`: resources and groups of any cluster. Names of role assignments and of the
 * load balancer contain only the infra ID.
 */
export function infraIdOfOther({ name, infraId }: ClusterKey, tagged: readonly Tagged[]): Failure | undefined {
  const withInfraId = tagged.filter(({ tags }) => tagValue(tags, infraIdTag) === infraId);
  const other = withInfraId.find(({ tags }) => (tagValue(tags, nameTag) ?? name) !== name);
  if (!other) return undefined;
  const owner = tagValue(other.tags, nameTag) ?? "";
  const own = withInfraId.flatMap(({ id, tags }) => (id !== undefined && tagValue(tags, nameTag) === name ? [id] : []));
  if (own.length > 0) return sharedInfraId({ name, infraId }, owner, own);
  return new Failure("ARO-OWN-001", `infra ID "${infraId}" belongs to cluster "${owner}", not to "${name}"`, {
    because: `${other.id ?? "a resource"} has the tags of that cluster`,
    next: [`pass --name ${owner}, or correct --infra-id`],
  });
}

/** Azure deletes no group whose resources are in use: a network uses the security group, and load balancers and machines may use the network. */
const order: readonly (ClusterResource["group"] | undefined)[] = [undefined, "managed", "vnet", "nsg"];

/** `own`: the IDs of what has the tags of the cluster. Once it is gone, the other cluster is the only one with the infra ID. */
function sharedInfraId({ name, infraId }: ClusterKey, owner: string, own: readonly string[]): Failure {
  const placeOf = (id: string) => order.indexOf(clusterResource({ cluster: { name, infraId }, existingGroups: undefined }, id)?.group);
  const groups = own.filter(isGroupId).toSorted((a, b) => placeOf(a) - placeOf(b));
  const others = own.filter((id) => !groups.some((group) => isWithin(id, group)));
  const deletions = [...groups.map(deleteGroup), ...(others.length > 0 ? [shell`az resource delete --ids ${others}`] : [])];
  return new Failure("ARO-OWN-001", `clusters "${name}" and "${owner}" have the same infra ID "${infraId}"`, {
    because: "names of role assignments contain only the infra ID, so a destroy of one cluster would delete those of the other",
    next: [
      advise`to delete "${name}", check that nobody else needs anything that the following deletes, and run it: ${joinAdvice(deletions, ", ")}`,
      `its role assignments remain until cluster "${owner}" is destroyed`,
    ],
  });
}
