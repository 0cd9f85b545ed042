/** The names that Azure Arc needs: of the resources in Azure, and of what the agents have in the cluster. */
import { formatResourceId, resourceGroupId, sameId } from "../../domain/resource-id.js";
import { arcTypes } from "./resource-types.js";

/** The owner of a connected cluster and of what was created for it. */
export interface ArcOwner {
  readonly arc: string;
}

export const arcTag = "aro-hcp-arc";

export interface ArcNames {
  readonly group: string;
  readonly cluster: string;
}

export function arcNames(name: string): ArcNames {
  return { group: `${name}-arc`, cluster: name };
}

/** Where a connected cluster is. The names of what is created for it follow from this. */
export interface ConnectedClusterPlace {
  readonly subscriptionId: string;
  readonly groupName: string;
  readonly name: string;
}

export function connectedClusterId({ subscriptionId, groupName, name }: ConnectedClusterPlace): string {
  return formatResourceId(resourceGroupId(subscriptionId, groupName), arcTypes.connectedCluster.type, name);
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

/** The files of `--output-dir`. */
export const arcFiles = {
  privateKey: "arc-onboarding-key.pem",
  values: "arc-values.yaml",
  namespace: "arc-namespace.yaml",
  securityContext: "arc-scc.yaml",
  commands: "arc-commands.sh",
} as const;
