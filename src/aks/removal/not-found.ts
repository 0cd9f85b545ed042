/** What a command says if there is no such AKS cluster. */
import type { Azure } from "../../azure/azure.js";
import { kindFacts } from "../../domain/cluster-kind.js";
import { ownershipTags } from "../../domain/ownership.js";
import { noSuchOwner } from "../../removal/nothing-found.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { aksClusterOwns } from "../domain/cluster-resource.js";
import type { AksPlace } from "./cluster-group-name.js";

export function noSuchAksCluster(azure: Azure, { cluster, subscriptionId, groupName }: AksPlace): Promise<string> {
  const { kind, name } = cluster;
  const [tag = ""] = Object.keys(ownershipTags({ kind, name }));
  const { label } = kindFacts[kind];
  return noSuchOwner(azure, {
    what: label,
    plural: `${label}s`,
    tag,
    name,
    flag: "--resource-group-name",
    groupName: groupName ?? aksClusterNames(cluster, subscriptionId).group,
    isIts: (one) => aksClusterOwns({ cluster, subscriptionId, existingGroups: undefined }, one),
  });
}
