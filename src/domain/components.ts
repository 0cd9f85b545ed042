/** The identities that a hosted cluster needs, as data: what each is called and how its pods prove who they are. */
import type { ControlPlaneField, DataPlaneField } from "./role-table.js";

/** An identity of the control plane: an Entra application with a certificate. */
export interface ControlPlaneComponent {
  /** As in names and in `--component`. Source of the names: HyperShift's ARO HCP infrastructure page. */
  readonly name: string;
  /** Its key in the identity files; KMS has a place of its own in a HostedCluster. */
  readonly field: ControlPlaneField | "kms";
}

export const controlPlaneComponents = [
  { name: "cpo", field: "controlPlaneOperator" },
  { name: "nodepool-mgmt", field: "nodePoolManagement" },
  { name: "cloud-provider", field: "cloudProvider" },
  { name: "disk", field: "disk" },
  { name: "file", field: "file" },
  { name: "ingress", field: "ingress" },
  { name: "network", field: "network" },
  { name: "image-registry", field: "imageRegistry" },
  { name: "kms", field: "kms" },
] as const satisfies readonly ControlPlaneComponent[];

/** An identity of the guest cluster: a managed identity that trusts tokens of the cluster's issuer. */
export interface DataPlaneComponent {
  readonly name: string;
  readonly field: DataPlaneField;
  /** Subject of the token that its pods carry: `system:serviceaccount:<namespace>:<name>`. */
  readonly subject: string;
}

/** What tells it from the control plane's component of the same name: "image-registry-MI". */
export function managedIdentityLabel({ name }: Pick<DataPlaneComponent, "name">): string {
  return `${name}-MI`;
}

/** Names and subjects are those of HyperShift's contrib/managed-azure/setup_dataplane_identities.sh. */
export const dataPlaneComponents: readonly DataPlaneComponent[] = [
  {
    name: "image-registry",
    field: "imageRegistryMSIClientID",
    subject: "system:serviceaccount:openshift-image-registry:registry",
  },
  {
    name: "azure-disk",
    field: "diskMSIClientID",
    subject: "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-node-sa",
  },
  {
    name: "azure-file",
    field: "fileMSIClientID",
    subject: "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa",
  },
];
