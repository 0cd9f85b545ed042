/** Refuses a destroy of an AKS cluster whose resources another kind of cluster owns too: both kinds give the same names. */
import { clusterKinds, kindFacts, type AksClusterKey } from "../domain/aks/cluster-kind.js";
import { ownedBy, ownershipTags } from "../domain/ownership.js";
import type { Tags } from "../domain/tags.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

/** `owned`: with the tag and a name of the cluster. @throws ARO-OWN-001 */
export function requireOneOwner(
  { kind, name }: AksClusterKey,
  owned: readonly { readonly id?: string | undefined; readonly tags?: Tags }[],
): void {
  for (const other of clusterKinds.filter((one) => one !== kind)) {
    const both = owned.flatMap(({ id = "", tags }) => (ownedBy(tags, { kind: other, name }) === "ours" ? [id] : []));
    if (both.length === 0) continue;
    const tags = [kind, other].map((one) => Object.entries(ownershipTags({ kind: one, name })).map(([tag, value]) => `${tag}=${value}`));
    const [own = [], second = []] = tags;
    throw new Failure(
      "ARO-OWN-001",
      `${plural(both.length, "resource")} of the ${kindFacts[kind].label} "${name}" ${both.length === 1 ? "has" : "have"} a second owner`,
      {
        because: `the tags also name the ${kindFacts[other].label} "${name}": ${both.join(", ")}`,
        next: both.flatMap((id) => [
          advise`remove the wrong tag: ${shell`az tag update --resource-id ${id} --operation Delete --tags ${second}`}, or ${shell`az tag update --resource-id ${id} --operation Delete --tags ${own}`}`,
        ]),
      },
    );
  }
}
