/** What a command says if a cluster has no workload identities. */
import type { Azure } from "../azure/azure.js";
import { ownershipTags, iamTag } from "../domain/ownership.js";
import { sameType, parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownWorkloadIdentity } from "../domain/workload-names.js";
import { noSuchOwner } from "../removal/nothing-found.js";
import type { IamPlace } from "./spec.js";

export function noSuchIam(azure: Azure, { cluster, groupName }: IamPlace): Promise<string> {
  const { type: identityType } = resourceTypes.managedIdentity;
  const [name = ""] = Object.values(ownershipTags({ iam: cluster }));
  return noSuchOwner(azure, {
    what: "cluster with workload identities",
    plural: "clusters with workload identities",
    tag: iamTag,
    name,
    groupName,
    flag: "--persistent-resource-group-name",
    isIts: ({ id = "", type = "", tags }) =>
      sameType(type, identityType) && ownWorkloadIdentity(cluster, { name: parseResourceId(id).name, tags }) !== undefined,
  });
}
