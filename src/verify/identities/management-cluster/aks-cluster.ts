/** Check that leads from the API server to Azure: the nodes name the group they are in, and that names the AKS cluster. */
import { advise, shell, type Advice } from "../../../errors/advice.js";
import type { V1Node } from "@kubernetes/client-node";
import type { Azure } from "../../../azure/azure.js";
import { managedClusterAnswer, type AddOnAnswer } from "../../../azure/arm-answers.js";
import { groupIn, parseResourceId, resourceGroupId, type GroupReference } from "../../../domain/resource-id.js";
import type { Kubernetes } from "../../../kubernetes/kubernetes.js";
import { broken, holds, type Finding } from "../../check.js";

const version = "2025-07-01";
const addOnName = "azurekeyvaultsecretsprovider";

/** An AKS cluster by what Azure says of it. */
export interface AksCluster {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
  /** Id of the group of its nodes. */
  readonly nodeGroup: string;
  /** The add-on that reads vaults; undefined where it never was. */
  readonly addOn: AddOnAnswer | undefined;
}

/** For `az aks`. */
export function aksFlags({ resourceGroup, name }: AksCluster): readonly string[] {
  return ["--resource-group", resourceGroup, "--name", name];
}

/** What to do where the add-on is off. */
export function enableAddOn(cluster: AksCluster): Advice {
  return advise`${shell`az aks enable-addons ${aksFlags(cluster)} --addons azure-keyvault-secrets-provider --enable-secret-rotation --rotation-poll-interval 2m`}; this creates a new identity: verify again to see what must name it`;
}

export async function findAksCluster(azure: Azure, kubernetes: Kubernetes): Promise<Finding<AksCluster>> {
  const nodes = await kubernetes.nodes();
  const group = nodes.map(groupOf).find((id) => id !== undefined);
  const other = advise`pass the kubeconfig of the management cluster: ${shell`az aks get-credentials --resource-group GROUP --name NAME --file FILE`} writes it`;
  if (group === undefined) {
    const first = nodes[0]?.spec?.providerID;
    return broken(
      `${kubernetes.server} has ${String(nodes.length)} nodes, and none in Azure${first === undefined ? "" : ` (the first is ${first})`}`,
      other,
    );
  }
  const { resourceGroups } = await azure.resources(group.subscriptionId);
  const { managedBy } = await resourceGroups.get(group.resourceGroup);
  if (managedBy === undefined || !/\/managedClusters\//i.test(managedBy)) {
    return broken(`the nodes of ${kubernetes.server} are in group ${group.resourceGroup}, which no AKS cluster manages`, other);
  }
  const { body } = await (await azure.manager()).get(managedBy, version, managedClusterAnswer);
  const { subscriptionId, resourceGroup = "" } = parseResourceId(body.id);
  const addOns = Object.entries(body.properties.addonProfiles ?? {});
  return holds(`${String(nodes.length)} nodes of AKS cluster ${body.name} in ${resourceGroup}`, {
    subscriptionId,
    resourceGroup,
    name: body.name,
    nodeGroup: resourceGroupId(group.subscriptionId, group.resourceGroup),
    addOn: addOns.find(([name]) => name.toLowerCase() === addOnName)?.[1],
  });
}

/** "azure:///subscriptions/S/resourceGroups/mc_.../providers/Microsoft.Compute/virtualMachineScaleSets/N/virtualMachines/0": AKS writes it in lower case. */
function groupOf({ spec }: V1Node): GroupReference | undefined {
  return groupIn(spec?.providerID ?? "");
}
