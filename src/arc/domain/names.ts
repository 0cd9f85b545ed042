/** The names that Azure Arc needs: of the resources in Azure, and of what the agents have in the cluster. */
import { resourceTypes } from "../../domain/resource-types.js";
import { formatResourceId, resourceGroupId, sameId } from "../../domain/resource-id.js";

/** Where a connected cluster is. The names of what is created for it follow from this. */
export interface ConnectedClusterPlace {
  readonly subscriptionId: string;
  readonly groupName: string;
  readonly name: string;
}

export function connectedClusterId({ subscriptionId, groupName, name }: ConnectedClusterPlace): string {
  return formatResourceId(resourceGroupId(subscriptionId, groupName), resourceTypes.connectedCluster.type, name);
}

export function isSamePlace(left: ConnectedClusterPlace, right: ConnectedClusterPlace): boolean {
  return sameId(connectedClusterId(left), connectedClusterId(right));
}

/** `clusters/demo`; undefined if it is not a namespace and a name. */
export function hostedClusterIn(text: string): { readonly namespace: string; readonly name: string } | undefined {
  const [namespace = "", name = "", ...others] = text.split("/");
  return namespace === "" || name === "" || others.length > 0 ? undefined : { namespace, name };
}

/** The agents in the cluster. */
export const agents = {
  namespace: "azure-arc",
  release: "azure-arc",
  releaseNamespace: "azure-arc-release",
  /** The coordinates of the connected cluster that the agents belong to. */
  configMap: "azure-clusterconfig",
  identitySecret: "azure-identity-certificate",
  proxySecret: "kube-aad-proxy-certificate",
  /** Its pods need OpenShift's privileged security context constraints. */
  proxyServiceAccount: "azure-arc-kube-aad-proxy-sa",
  proxyDeployment: "kube-aad-proxy",
} as const;
