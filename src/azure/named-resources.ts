/** The resource groups and resources with the names of a cluster, whatever their tags are. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import { clusterPlaces, clusterResource, type ClusterPlaces, type ClusterResource } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { hasOwner, kubernetesOrigin, otherOwner, ownedBy } from "../domain/ownership.js";
import { idKey } from "../domain/resource-id.js";
import type { Tags } from "../domain/tags.js";
import { sameText } from "../text/same-text.js";
import type { Azure } from "./azure.js";
import { listContents } from "./group-contents.js";
import { all } from "./pages.js";

export interface NameSearch {
  readonly cluster: ClusterKey;
  /** The existing group that replaces the managed group: its contents can have names of the cluster, the group itself cannot. */
  readonly existingGroup: string | undefined;
}

export interface NamedResource extends Pick<ClusterResource, "row" | "namings" | "group"> {
  readonly id: string;
  readonly name: string;
  readonly location: string | undefined;
  readonly tags: Tags;
}

export interface NamedResources {
  readonly named: readonly NamedResource[];
  /** IDs of the other resources in the same groups, except for those that the cluster's Kubernetes created. */
  readonly others: readonly string[];
}

export async function findNamed(azure: Azure, { cluster, existingGroup }: NameSearch): Promise<NamedResources> {
  const places = clusterPlaces(cluster, existingGroup);
  const { resourceGroups } = await azure.resources();
  const isExisting = ({ name }: ResourceGroup) => sameText(name, existingGroup);
  const searched = (await all(resourceGroups.list())).filter((group) => isExisting(group) || namedIn(places, group) !== undefined);
  const found = await Promise.all(
    searched.map(async (group) => {
      const listed = await listContents(azure, group.name ?? "");
      const named = listed.flatMap((resource) => namedIn(places, resource) ?? []);
      // A group that contains only resources of others has the name by chance.
      const isCluster = named.length > 0 || listed.length === 0 || ownedBy(group.tags, cluster) === "ours";
      const own = isCluster && !isExisting(group) ? namedIn(places, group) : undefined;
      return own === undefined && named.length === 0
        ? { named: [], others: [] }
        : { named: [...(own ? [own] : []), ...named], others: othersIn(cluster, listed, named) };
    }),
  );
  return { named: found.flatMap(({ named }) => named), others: found.flatMap(({ others }) => others) };
}

function namedIn(places: ClusterPlaces, { id = "", location, tags }: ResourceGroup | GenericResourceExpanded): NamedResource | undefined {
  const resource = clusterResource(places, id);
  return resource && { ...resource, id, name: id.split("/").at(-1) ?? "", location, tags };
}

function othersIn(cluster: ClusterKey, listed: readonly GenericResourceExpanded[], named: readonly NamedResource[]): string[] {
  const ids = new Set(named.map(({ id }) => idKey(id)));
  return listed.flatMap(({ id = "", tags }) => (ids.has(idKey(id)) || kubernetesOrigin(tags, cluster) === "this-cluster" ? [] : [id]));
}

export interface Unclaimed {
  /** Those without an owner: created by `hypershift create infra azure`, or written by it, which removes the ownership tags. */
  readonly unclaimed: readonly NamedResource[];
  /** Those of other owners, beside which nothing can be adopted. */
  readonly ofOthers: readonly NamedResource[];
}

export async function findUnclaimed(azure: Azure, search: NameSearch): Promise<Unclaimed> {
  const { named } = await findNamed(azure, search);
  const ofOthers = named.filter(({ tags }) => otherOwner(tags, search.cluster) !== undefined);
  return { unclaimed: named.filter((one) => !hasOwner(one.tags) && !ofOthers.includes(one)), ofOthers };
}
