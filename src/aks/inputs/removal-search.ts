/** Where a destroy searches for an AKS cluster, from the settings and the output file of the create. */
import type { Azure } from "../../azure/azure.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import { groupIn, isIdOf, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { AksClusterInput, ClusterOptions } from "../../files/aks-cluster-output.js";
import { options } from "../../settings/options.js";
import { theAddOn, theNodes, type AksPrincipal } from "../removal/aks-assignments.js";
import type { AksSearch } from "../removal/aks-inventory.js";

export function searchOf(
  { connection: { subscriptionId } }: Azure,
  cluster: AksClusterKey,
  resourceGroupName: string | undefined,
  document: AksClusterInput | undefined,
): AksSearch {
  const inFile = document?.resourceGroupName === "" ? undefined : document?.resourceGroupName;
  const certificate = certificateIn(document?.options);
  const ids =
    document === undefined
      ? []
      : [
          ...document.vaultIDs,
          document.vnetID,
          document.nodeSubnetID,
          document.clusterIdentity?.id ?? "",
          document.kubeletIdentity?.id ?? "",
          certificate?.vaultId ?? "",
        ];
  return {
    cluster,
    subscriptionId,
    groupName: resourceGroupName ?? inFile,
    otherSubscriptions: ids.flatMap((id) => groupIn(id)?.subscriptionId ?? []),
    knownPrincipals: document === undefined ? [] : principalsIn(document),
    certificate,
  };
}

function certificateIn({ certificateVaultId, certificateName = options.certificateName.default }: ClusterOptions = {}) {
  const isPlace = typeof certificateVaultId === "string" && typeof certificateName === "string";
  return isPlace && isIdOf(certificateVaultId, resourceTypes.keyVault.type)
    ? { vaultId: certificateVaultId, name: certificateName }
    : undefined;
}

/** A file may be old, so only the names of assignments prove that they are the cluster's. */
function principalsIn({ clusterIdentity, kubeletIdentity, keyVaultAddOn }: AksClusterInput): AksPrincipal[] {
  return [
    { holder: clusterIdentity === null ? "" : parseResourceId(clusterIdentity.id).name, one: clusterIdentity },
    { holder: theNodes, one: kubeletIdentity },
    { holder: theAddOn, one: keyVaultAddOn },
  ].flatMap(({ holder, one }) => (one === null ? [] : [{ objectId: one.objectID, holder, fate: "stays" as const }]));
}
