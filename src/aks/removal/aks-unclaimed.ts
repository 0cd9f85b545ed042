/** What a destroy does about resources with names of an AKS cluster that have no owner. */
import { kindFacts, type AksClusterKey } from "../../domain/cluster-kind.js";
import { ownershipTags } from "../../domain/ownership.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import type { AksInventory } from "./aks-inventory.js";
import type { UnclaimedDecision } from "../../removal/unclaimed.js";

/** Refuses if nothing else is the cluster's; otherwise the rest is deleted first. */
export function decideUnclaimedAks(
  cluster: AksClusterKey,
  {
    unclaimed,
    cluster: aksCluster,
    resources,
    vaults,
    group,
  }: Pick<AksInventory, "unclaimed" | "cluster" | "resources" | "vaults" | "group">,
): UnclaimedDecision {
  if (unclaimed.length === 0) return {};
  const one = unclaimed.length === 1;
  const tags = Object.entries(ownershipTags(cluster)).map(([tag, value]) => `${tag}=${value}`);
  const { label } = kindFacts[cluster.kind];
  const what = `${plural(unclaimed.length, "resource")} ${one ? "has a name" : "have names"} of the ${label} "${cluster.name}" but no ownership tag`;
  const failure = new Failure("ARO-OWN-007", what, {
    because: unclaimed.map(({ id }) => id).join(", "),
    next: [
      ...unclaimed.map(
        ({ id }) =>
          advise`if ${one ? "it" : id} belongs to this cluster, add its tag: ${shell`az tag update --resource-id ${id} --operation Merge --tags ${tags}`}`,
      ),
      "then rerun the command",
    ],
  });
  const isAnythingOwn = aksCluster !== undefined || resources.length > 0 || vaults.length > 0 || group !== undefined;
  return isAnythingOwn ? { afterwards: failure } : { refusal: failure };
}
