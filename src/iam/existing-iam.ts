/** Whether the workload identities of a cluster include one for KMS. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { workloadIdentityName, ownWorkloadIdentity } from "../domain/workload-names.js";
import { kmsComponents } from "../domain/components.js";
import type { Existing } from "../run/kept-kms.js";
import type { IamPlace } from "./spec.js";

export function existingIam(azure: Azure, { cluster, groupName }: IamPlace): Existing {
  return {
    title: cluster.infraId,
    async hasKms() {
      const { userAssignedIdentities } = await azure.identities();
      const identities = await Promise.all(
        kmsComponents.map((component) => found(userAssignedIdentities.get(groupName, workloadIdentityName(cluster, component)))),
      );
      return identities.some(
        (one) => ownWorkloadIdentity(cluster, { name: one?.name ?? "", ...(one?.tags && { tags: one.tags }) }) !== undefined,
      );
    },
  };
}
