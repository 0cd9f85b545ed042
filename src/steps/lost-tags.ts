/** Finds resources of a cluster that lost their ownership tags. */
import type { Azure } from "../azure/azure.js";
import { listContents } from "../azure/group-contents.js";
import { ownGroups, ownResources } from "../azure/own-resources.js";
import { clusterPlaces, clusterResource } from "../domain/cluster-resource.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { hasOwner, kubernetesOrigin } from "../domain/ownership.js";
import { parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { mergeOwnershipTags } from "./merge-ownership-tags.js";

interface Tagged {
  readonly tags?: Record<string, string>;
}

/** `hypershift create infra azure` replaces every resource that it writes, and with it the tags. */
export interface LostTags {
  /**
   * Marks a resource or group without an owner that is this cluster's. It has the name that the cluster gives it, and other resources have names and
   * tags of the cluster. A group must also contain a resource with a name of the cluster.
   */
  mark<L extends Tagged>(live: L | undefined, id: string): Promise<L | undefined>;
  /** @throws Stale if it has an owner by now */
  restore(id: string): Promise<void>;
}

/** What the steps of a cluster's infrastructure are declared from. */
export interface InfraStepSpec extends InfraSpec {
  readonly lostTags: LostTags;
}

/** Marked with a symbol: a copy of the resource keeps it, and no request contains it. */
const lost = Symbol("lost its ownership tags");

export function withoutItsTags<L extends object>(live: L): L {
  return { ...live, [lost]: true };
}

export function hasLostTags(live: object): boolean {
  return lost in live;
}

export function lostTags(azure: Azure, { cluster, existingGroup }: Pick<InfraSpec, "cluster" | "existingGroup">): LostTags {
  const places = clusterPlaces(cluster, existingGroup);
  const isNamed = ({ id = "" }: { readonly id?: string }) => clusterResource(places, id) !== undefined;
  const readExists = async () => (await Promise.all([ownGroups(azure, cluster), ownResources(azure, cluster)])).flat().some(isNamed);
  // Read once for all steps.
  let exists: Promise<boolean> | undefined;
  const isLost = async ({ tags }: Tagged, id: string) => {
    if (hasOwner(tags) || kubernetesOrigin(tags, cluster) === "other-cluster" || !isNamed({ id })) return false;
    exists ??= readExists();
    if (!(await exists)) return false;
    const { resourceGroup = "", type } = parseResourceId(id);
    return !sameType(type, resourceTypes.resourceGroup.type) || (await listContents(azure, resourceGroup)).some(isNamed);
  };
  return {
    mark: async (live, id) => (live !== undefined && (await isLost(live, id)) ? withoutItsTags(live) : live),
    restore: (id) => mergeOwnershipTags(azure, id, cluster),
  };
}
