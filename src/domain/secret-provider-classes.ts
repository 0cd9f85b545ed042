/** By what names, and in which namespace, the pods of a hosted control plane mount their credential secrets. */
import type { ControlPlaneComponent } from "./components.js";

/** HyperShift's names of the SecretProviderClasses, by the identity that each is for. Source: its support/config/constants.go. */
export const secretProviderClassNames: Readonly<Record<ControlPlaneComponent["field"], string>> = {
  controlPlaneOperator: "managed-azure-cpo",
  nodePoolManagement: "managed-azure-nodepool-management",
  cloudProvider: "managed-azure-cloud-provider",
  disk: "managed-azure-disk-csi",
  file: "managed-azure-file-csi",
  ingress: "managed-azure-ingress",
  network: "managed-azure-network",
  imageRegistry: "managed-azure-image-registry",
  kms: "managed-azure-kms",
};

/** The pods that mount them, by their deployments' names; those of the CSI drivers are mounted by their operators too, that of kms by kube-apiserver. */
export const podNames: Readonly<Record<ControlPlaneComponent["field"], string>> = {
  controlPlaneOperator: "control-plane-operator",
  nodePoolManagement: "capi-provider",
  cloudProvider: "cloud-controller-manager",
  disk: "azure-disk-csi-driver-controller",
  file: "azure-file-csi-driver-controller",
  ingress: "ingress-operator",
  network: "cloud-network-config-controller",
  imageRegistry: "cluster-image-registry-operator",
  kms: "kube-apiserver",
};

/** A HostedCluster, by its own namespace and name. */
export interface HostedClusterKey {
  readonly namespace: string;
  readonly name: string;
}

/** Where HyperShift runs the control plane of a HostedCluster: a namespace is a single label, so the name's periods cannot stay. */
export function controlPlaneNamespace({ namespace, name }: HostedClusterKey): string {
  return `${namespace}-${name.replaceAll(".", "-")}`;
}
