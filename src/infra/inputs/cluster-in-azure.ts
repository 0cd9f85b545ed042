/** Whether Azure has a cluster, and what of it has the ownership tags and a name of the cluster. */
import type { Azure } from "../../azure/azure.js";
import { groupsWithInfraId, owned, resourcesWithInfraId, type Tagged } from "../../azure/own-resources.js";
import { isManagedGroup } from "../../domain/cluster-resource.js";
import { infraIdOfOther } from "../../domain/infra-id-of-other.js";
import type { ClusterKey } from "../../domain/names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { Failure } from "../../errors/failure.js";

export interface ClusterInAzure {
  readonly exists: boolean;
  readonly groups: readonly Tagged[];
  /** The resources that may show another cluster; not read if the cluster has its managed group. */
  readonly resources: readonly Tagged[];
  /** Why the cluster cannot have this infra ID: one with another name has it. Neither could be destroyed. */
  readonly taken?: Failure | undefined;
}

export async function clusterInAzure(azure: Azure, cluster: ClusterKey): Promise<ClusterInAzure> {
  const allGroups = await groupsWithInfraId(azure, cluster);
  const groups = owned(allGroups, cluster);
  const hasManaged = groups.some(({ id = "" }) => isManagedGroup(cluster, parseResourceId(id).name));
  const allResources = hasManaged ? [] : await resourcesWithInfraId(azure, cluster);
  const resources = owned(allResources, cluster);
  const taken = infraIdOfOther(cluster, [...allGroups, ...allResources]);
  return { exists: groups.length + resources.length > 0, groups, resources, taken };
}
