/** Refuses an infra ID that a cluster with another name has: names of role assignments and of the load balancer contain only the infra ID. */
import { Failure } from "../errors/failure.js";
import type { ClusterKey } from "./names.js";
import { infraIdTag, nameTag } from "./ownership.js";
import { tagValue, type Tags } from "./tags.js";

/** ARO-OWN-001; undefined if no such cluster exists. `tagged`: resources and groups of any cluster. */
export function infraIdOfOther(
  { name, infraId }: ClusterKey,
  tagged: readonly { readonly id?: string; readonly tags?: Tags }[],
): Failure | undefined {
  const other = tagged.find(({ tags }) => tagValue(tags, infraIdTag) === infraId && (tagValue(tags, nameTag) ?? name) !== name);
  if (!other) return undefined;
  const owner = tagValue(other.tags, nameTag) ?? "";
  return new Failure("ARO-OWN-001", `infra ID "${infraId}" belongs to cluster "${owner}", not to "${name}"`, {
    because: `${other.id ?? "a resource"} has the tags of that cluster`,
    next: [`pass --name ${owner}, or correct --infra-id`],
  });
}
