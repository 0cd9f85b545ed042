/** The component catalogue: one row with all facts for each identity that a hosted cluster needs. */
import { componentRoles, cryptoUser, type Role } from "./roles.js";
import type { WorkloadFacts } from "./workload-facts.js";

/** The resource groups that roles are assigned on. `dns` is the group of the public zone. */
export type RoleScope = "managed" | "nsg" | "vnet" | "dns";
export const roleScopes: readonly RoleScope[] = ["managed", "nsg", "vnet", "dns"];

/** Cluster capabilities with optional components. */
export type Capability = "ImageRegistry";

export interface ComponentRole {
  /** HyperShift's name of the component, which is part of the assignment's name: see `role-assignment-name.ts`. */
  readonly hypershiftName: string;
  readonly role: Role;
  /** The narrower built-in role of the hosted control planes, used with `--assign-custom-hcp-roles`. */
  readonly hcpRole?: Role;
  readonly scopes: readonly RoleScope[];
}

export type Plane = "control" | "data";

interface ComponentFacts {
  /**
   * The name of the component everywhere: in plans, results, diagrams and `--component`. Its names in Azure derive from it: see
   * `identity-names.ts`.
   */
  readonly key: string;
  /** Its field in the identity files and in a HostedCluster. */
  readonly field: string;
  /** Absent if no role is assigned on the cluster's groups. */
  readonly assigned?: ComponentRole;
  /** Not needed if this cluster capability is disabled. */
  readonly capability?: Capability;
}

/** An identity of the control plane: an app registration with a certificate. */
interface ControlPlaneFacts extends ComponentFacts {
  readonly plane: "control";
  /** Its field in the workload identities file, if that differs. */
  readonly workloadField?: string;
  /** The SecretProviderClass that mounts its credential secret. Source: HyperShift's support/config/constants.go. */
  readonly secretProviderClass: string;
  /** The deployment of the pod that mounts it. The operators of the CSI drivers also mount theirs. */
  readonly pod: string;
  /** The role that it needs on the vault of the etcd encryption key. aro-hcp does not assign it. */
  readonly vaultRole?: Role;
  readonly workload: WorkloadFacts;
}

/** An identity of the data plane: a managed identity that trusts tokens of the cluster's issuer. */
interface DataPlaneFacts extends ComponentFacts {
  readonly plane: "data";
  /** Subject of the token that its pods carry: `system:serviceaccount:<namespace>:<name>`. */
  readonly subject: string;
}

const {
  contributor,
  cloudControllerManager,
  fileStorageOperator,
  diskStorageOperator,
  clusterIngressOperator,
  networkOperator,
  imageRegistryOperator,
  hcpControlPlaneOperator,
  hcpClusterApiProvider,
} = componentRoles;

/** The keys are from HyperShift's ARO HCP infrastructure page, in the order of the files. */
const controlPlane = [
  {
    key: "cpo",
    plane: "control",
    field: "controlPlaneOperator",
    secretProviderClass: "managed-azure-cpo",
    pod: "control-plane-operator",
    assigned: { hypershiftName: "cpo", role: contributor, hcpRole: hcpControlPlaneOperator, scopes: ["managed", "nsg", "vnet"] },
    workload: {
      order: 8,
      isNewer: true,
      name: "control-plane-operator",
      credential: "cpo",
      subjects: { "": "system:serviceaccount:kube-system:control-plane-operator" },
    },
  },
  {
    key: "nodepool-mgmt",
    plane: "control",
    field: "nodePoolManagement",
    secretProviderClass: "managed-azure-nodepool-management",
    pod: "capi-provider",
    assigned: { hypershiftName: "capz", role: contributor, hcpRole: hcpClusterApiProvider, scopes: ["managed", "vnet"] },
    workload: { order: 5, name: "node-pool-mgmt", subjects: { "": "system:serviceaccount:kube-system:capi-provider" } },
  },
  {
    key: "cloud-provider",
    plane: "control",
    field: "cloudProvider",
    secretProviderClass: "managed-azure-cloud-provider",
    pod: "cloud-controller-manager",
    assigned: { hypershiftName: "cloud-provider", role: cloudControllerManager, scopes: ["managed", "nsg", "vnet"] },
    workload: { order: 6, name: "cloud-provider", subjects: { "": "system:serviceaccount:kube-system:azure-cloud-provider" } },
  },
  {
    key: "file",
    plane: "control",
    field: "file",
    secretProviderClass: "managed-azure-file-csi",
    pod: "azure-file-csi-driver-controller",
    assigned: { hypershiftName: "azure-file", role: fileStorageOperator, scopes: ["managed", "nsg", "vnet"] },
    workload: {
      order: 3,
      name: "file",
      subjects: {
        "-node": "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa",
        "-operator": "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-operator",
        "-controller": "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-controller-sa",
      },
    },
  },
  {
    key: "disk",
    plane: "control",
    field: "disk",
    secretProviderClass: "managed-azure-disk-csi",
    pod: "azure-disk-csi-driver-controller",
    assigned: { hypershiftName: "azure-disk", role: diskStorageOperator, scopes: ["managed"] },
    workload: {
      order: 4,
      name: "disk",
      subjects: {
        "-node": "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-node-sa",
        "-operator": "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-operator",
        "-controller": "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-controller-sa",
      },
    },
  },
  {
    key: "ingress",
    plane: "control",
    field: "ingress",
    secretProviderClass: "managed-azure-ingress",
    pod: "ingress-operator",
    assigned: { hypershiftName: "ingress", role: clusterIngressOperator, scopes: ["managed", "vnet", "dns"] },
    workload: { order: 2, name: "ingress", subjects: { "": "system:serviceaccount:openshift-ingress-operator:ingress-operator" } },
  },
  {
    key: "network",
    plane: "control",
    field: "network",
    secretProviderClass: "managed-azure-network",
    pod: "cloud-network-config-controller",
    assigned: { hypershiftName: "cncc", role: networkOperator, scopes: ["managed", "vnet"] },
    workload: {
      order: 7,
      name: "network",
      subjects: { "": "system:serviceaccount:openshift-cloud-network-config-controller:cloud-network-config-controller" },
    },
  },
  {
    key: "image-registry",
    plane: "control",
    field: "imageRegistry",
    secretProviderClass: "managed-azure-image-registry",
    pod: "cluster-image-registry-operator",
    assigned: { hypershiftName: "ciro", role: imageRegistryOperator, scopes: ["managed"] },
    workload: {
      order: 1,
      name: "image-registry",
      subjects: {
        "-registry": "system:serviceaccount:openshift-image-registry:registry",
        "-operator": "system:serviceaccount:openshift-image-registry:cluster-image-registry-operator",
      },
    },
    capability: "ImageRegistry",
  },
  {
    // Created only if a Key Vault key encrypts etcd. A HostedCluster has it under `secretEncryption.kms.azure`.
    key: "kms",
    plane: "control",
    field: "kms",
    workloadField: "kmsClientID",
    secretProviderClass: "managed-azure-kms",
    pod: "kube-apiserver",
    vaultRole: cryptoUser,
    workload: { order: 9, name: "kms", subjects: { "": "system:serviceaccount:kube-system:kms-provider" } },
  },
] as const satisfies readonly ControlPlaneFacts[];

/** The keys and subjects are from HyperShift's contrib/managed-azure/setup_dataplane_identities.sh. */
const dataPlane = [
  {
    key: "image-registry-MI",
    plane: "data",
    field: "imageRegistryMSIClientID",
    subject: "system:serviceaccount:openshift-image-registry:registry",
    assigned: { hypershiftName: "ciroWI", role: imageRegistryOperator, scopes: ["managed"] },
    capability: "ImageRegistry",
  },
  {
    key: "azure-disk-MI",
    plane: "data",
    field: "diskMSIClientID",
    subject: "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-node-sa",
    assigned: { hypershiftName: "azure-diskWI", role: diskStorageOperator, scopes: ["managed"] },
  },
  {
    key: "azure-file-MI",
    plane: "data",
    field: "fileMSIClientID",
    subject: "system:serviceaccount:openshift-cluster-csi-drivers:azure-file-csi-driver-node-sa",
    assigned: { hypershiftName: "azure-fileWI", role: fileStorageOperator, scopes: ["managed"] },
  },
] as const satisfies readonly DataPlaneFacts[];

type ControlPlaneRow = (typeof controlPlane)[number];
type DataPlaneRow = (typeof dataPlane)[number];

export type ControlPlaneKey = ControlPlaneRow["key"];
export type DataPlaneKey = DataPlaneRow["key"];
export type ComponentKey = ControlPlaneKey | DataPlaneKey;

/** The fields of the control plane's identities, without KMS, which has a separate field in every document. */
export type ControlPlaneField = Exclude<ControlPlaneRow["field"], "kms">;
/** Fields that may be absent if their capability is disabled. */
export type OptionalField = Extract<ControlPlaneRow, { readonly capability: Capability }>["field"];
/** Fields that a file of workload identities may lack. */
export type NewerField = Extract<ControlPlaneRow, { readonly workload: { readonly isNewer: true } }>["field"];
export type DataPlaneField = DataPlaneRow["field"];

export interface ControlPlaneComponent extends ControlPlaneFacts {
  readonly key: ControlPlaneKey;
  readonly field: ControlPlaneField | "kms";
}

export interface DataPlaneComponent extends DataPlaneFacts {
  readonly key: DataPlaneKey;
  readonly field: DataPlaneField;
}

/** A component that gets a role on the cluster's groups. */
export type AssignedComponent = ((ControlPlaneComponent & { readonly field: ControlPlaneField }) | DataPlaneComponent) & {
  readonly assigned: ComponentRole;
};

export const controlPlaneComponents: readonly ControlPlaneComponent[] = controlPlane;

/** The identity with which the API server encrypts etcd, where a set has one. */
export const kmsComponents: readonly ControlPlaneComponent[] = controlPlane.filter(({ field }) => field === "kms");
export const dataPlaneComponents: readonly DataPlaneComponent[] = dataPlane;
export const components: readonly (ControlPlaneComponent | DataPlaneComponent)[] = [...controlPlane, ...dataPlane];

/** 18 assignments of the control plane and 3 of the data plane, if all four groups differ. */
export const assignedComponents: readonly AssignedComponent[] = [...controlPlane.filter((row) => row.key !== "kms"), ...dataPlane];

export const controlPlaneFields: readonly ControlPlaneField[] = controlPlane.flatMap(({ field }) => (field === "kms" ? [] : [field]));
export const dataPlaneFields: readonly DataPlaneField[] = dataPlane.map(({ field }) => field);

/** The optional identities of the control plane, each with the capability that must be disabled to omit it. */
export const optionalFields: readonly { readonly field: OptionalField; readonly capability: Capability }[] = controlPlane.flatMap((row) =>
  "capability" in row ? [row] : [],
);

export const newerFields: readonly NewerField[] = controlPlane.flatMap((row) =>
  "isNewer" in row.workload ? [row.field as NewerField] : [],
);

export const controlPlaneKeys = controlPlane.map(({ key }) => key);
export const componentKeys = [...controlPlaneKeys, ...dataPlane.map(({ key }) => key)];

/** Whether a cluster with these disabled capabilities needs the component. */
export function isEnabled({ capability }: Pick<ComponentFacts, "capability">, disabledCapabilities: readonly string[]): boolean {
  return capability === undefined || !disabledCapabilities.includes(capability);
}

/** The role with or without `--assign-custom-hcp-roles`. */
export function roleOf({ role, hcpRole }: ComponentRole, customHcpRoles: boolean): Role {
  return customHcpRoles ? (hcpRole ?? role) : role;
}

/** Other names of the components, each with the key: accepted as input, never printed. */
export const otherNames: Readonly<Record<string, ComponentKey>> = Object.fromEntries(
  [...controlPlane, ...dataPlane].flatMap((row) =>
    [
      row.field,
      ...("workloadField" in row ? [row.workloadField] : []),
      ...("assigned" in row ? [row.assigned.hypershiftName] : []),
      ...(row.plane === "control" ? [row.pod, row.secretProviderClass] : []),
    ]
      .filter((name) => name !== row.key)
      .map((name) => [name, row.key] as const),
  ),
);
