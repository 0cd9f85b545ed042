/** The failure for unowned resources with a cluster's names: adopt those without an owner, separate all others. */
import { advise, aroHcp, shell, type Advice, type ShellCommand } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import type { ClusterResource } from "./cluster-resource.js";
import type { ClusterKey } from "./names.js";
import { ownerTags } from "./ownership.js";
import { groupIn, isGroupId } from "./resource-id.js";
import { tagValue, type Tags } from "./tags.js";

interface Tagged {
  readonly id: string;
  readonly tags: Tags;
}

interface Named extends Pick<ClusterResource, "namings"> {
  readonly id: string;
}

/** `more`: other ways than to adopt them. */
export function unclaimedFailure(
  { cluster: { name, infraId }, existingGroup }: { readonly cluster: ClusterKey; readonly existingGroup: string | undefined },
  { unclaimed, ofOthers }: { readonly unclaimed: readonly Named[]; readonly ofOthers: readonly Tagged[] },
  more: readonly Advice[] = [],
): Failure {
  const one = unclaimed.length === 1;
  const what = `${plural(unclaimed.length, "resource")} ${one ? "has a name" : "have names"} of cluster ${name}/${infraId} but no ownership tags`;
  const like = unclaimed.some(({ namings }) => namings.includes("hypershift"))
    ? `${one ? "it looks" : "they look"} like those of \`hypershift create infra azure\`, which sets none: `
    : "";
  return new Failure("ARO-OWN-007", what, {
    because: `${like}${unclaimed.map(({ id }) => id).join(", ")}`,
    next: [
      ...ofOthers.flatMap(adviceOnOtherOwner),
      advise`${ofOthers.length > 0 ? "then, " : ""}${one ? "if it belongs to this cluster, take it over" : "if they belong to this cluster, take them over"}: ${aroHcp("adopt infra", { name, infraId, resourceGroupName: existingGroup })}; then rerun the command`,
      ...more,
    ],
  });
}

/** What to do about a resource with a name of this cluster and another owner: nothing beside it can be adopted until then. */
export function adviceOnOtherOwner({ id, tags }: Tagged): readonly Advice[] {
  const ownership = ownerTags.flatMap((tag) => {
    const value = tagValue(tags, tag);
    return value === undefined ? [] : [`${tag}=${value}`];
  });
  return [
    ...(ownership.length === 0
      ? []
      : [
          advise`if the tags of ${id} are wrong, remove them: ${shell`az tag update --resource-id ${id} --operation Delete --tags ${ownership}`}`,
        ]),
    isGroupId(id)
      ? advise`if ${id} belongs to another owner and the owner agrees, delete it: ${deleteGroup(id)}`
      : advise`if ${id} belongs to another owner, move it to another resource group; or, if the owner agrees, delete it: ${shell`az resource delete --ids ${id}`}`,
  ];
}

/** `az group delete` takes no ID; without the subscription, it deletes a group of that name in the current one. */
export function deleteGroup(id: string): ShellCommand {
  const { subscriptionId = "", resourceGroup = "" } = groupIn(id) ?? {};
  return shell`az group delete --name ${resourceGroup} --subscription ${subscriptionId}`;
}
