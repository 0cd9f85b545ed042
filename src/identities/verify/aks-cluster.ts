/** The row of the AKS cluster of a file or of an API server, found through its node resource group. */
import { advise, shell, type Advice } from "../../errors/advice.js";
import type { V1Node } from "@kubernetes/client-node";
import type { Azure } from "../../azure/azure.js";
import { managedClusterResponse, type AddOnResponse } from "../../azure/cluster-responses.js";
import { groupIn, parseResourceId, resourceGroupId, sameId, type GroupReference } from "../../domain/resource-id.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { plural } from "../../text/plural.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import type { ClusterFile } from "./chain.js";
import { row } from "./reads.js";

const version = "2025-07-01";
const addOnName = "azurekeyvaultsecretsprovider";

/** An AKS cluster as Azure describes it. */
export interface AksCluster {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly name: string;
  /** ID of the resource group of its nodes. */
  readonly nodeGroup: string;
  /** The add-on that reads vaults; undefined if it was never enabled. */
  readonly addOn: AddOnResponse | undefined;
}

/** The flags that select the cluster in `az aks` commands. */
export function aksFlags({ resourceGroup, name }: AksCluster): readonly string[] {
  return ["--resource-group", resourceGroup, "--name", name];
}

/** Advice for a disabled add-on. */
export function enableAddOn(cluster: AksCluster): Advice {
  return advise`${shell`az aks enable-addons ${aksFlags(cluster)} --addons azure-keyvault-secrets-provider --enable-secret-rotation --rotation-poll-interval 2m`}; the add-on gets a new identity, so verify again afterwards`;
}

/** With a kubeconfig and a file, they must be about one cluster. */
export const managementCluster = row("management-cluster", {}, async (_needs, { azure, chain }): Promise<Finding<AksCluster>> => {
  const { clusterFile: file, managementCluster: { kubernetes } = {} } = chain;
  if (kubernetes !== undefined) return clusterOfNodes(azure, kubernetes, file);
  if (file === undefined) return notChecked("neither a kubeconfig nor a file of the management cluster is specified");
  const cluster = await readCluster(azure, file.clusterId);
  return passed(`AKS cluster ${cluster.name} in ${cluster.resourceGroup}, as in ${file.path}; --kubeconfig is not specified`, cluster);
});

async function clusterOfNodes(azure: Azure, kubernetes: Kubernetes, file: ClusterFile | undefined): Promise<Finding<AksCluster>> {
  const nodes = await kubernetes.nodes();
  const group = nodes.map(groupOf).find((id) => id !== undefined);
  const other = advise`pass the kubeconfig of the management cluster: ${shell`az aks get-credentials --resource-group GROUP --name NAME --file FILE`} writes it`;
  if (group === undefined) {
    const first = nodes[0]?.spec?.providerID;
    return failed(
      `${kubernetes.server} has ${plural(nodes.length, "node")}, and none is in Azure${first === undefined ? "" : ` (the first is ${first})`}`,
      other,
    );
  }
  const { resourceGroups } = await azure.resources(group.subscriptionId);
  const { managedBy } = await resourceGroups.get(group.resourceGroup);
  if (managedBy === undefined || !/\/managedClusters\//i.test(managedBy)) {
    return failed(`the nodes of ${kubernetes.server} are in resource group ${group.resourceGroup}, which no AKS cluster manages`, other);
  }
  if (file !== undefined && !sameId(managedBy, file.clusterId)) {
    return failed(`the nodes of ${kubernetes.server} belong to ${managedBy}, but ${file.path} describes ${file.clusterId}`, other);
  }
  const cluster = await readCluster(azure, managedBy);
  return passed(`${plural(nodes.length, "node")} of AKS cluster ${cluster.name} in ${cluster.resourceGroup}`, cluster);
}

async function readCluster(azure: Azure, clusterId: string): Promise<AksCluster> {
  const { body } = await (await azure.manager()).get(clusterId, version, managedClusterResponse);
  const { subscriptionId, resourceGroup = "" } = parseResourceId(body.id);
  const addOns = Object.entries(body.properties.addonProfiles ?? {});
  return {
    subscriptionId,
    resourceGroup,
    name: body.name,
    nodeGroup: resourceGroupId(subscriptionId, body.properties.nodeResourceGroup),
    addOn: addOns.find(([name]) => name.toLowerCase() === addOnName)?.[1],
  };
}

/** "azure:///subscriptions/S/resourceGroups/mc_.../providers/Microsoft.Compute/virtualMachineScaleSets/N/virtualMachines/0": AKS writes it in lower case. */
function groupOf({ spec }: V1Node): GroupReference | undefined {
  return groupIn(spec?.providerID ?? "");
}
