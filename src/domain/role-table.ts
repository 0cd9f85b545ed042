/** Which identity gets which role on which resource groups, as data. Sources: HyperShift's role table and the ARO HCP service's operator roles. */

/** The groups that roles are assigned on. `dns` is the public zone's. */
export type RoleScope = "managed" | "nsg" | "vnet" | "dns";

export interface Role {
  /** GUID of the role definition, the same in every tenant. */
  readonly id: string;
  /** For people; Azure renames roles, never their GUIDs. */
  readonly name: string;
}

/** The identities of a hosted control plane, as keys of the identity files. */
export const controlPlaneFields = [
  "controlPlaneOperator",
  "nodePoolManagement",
  "cloudProvider",
  "file",
  "disk",
  "ingress",
  "network",
  "imageRegistry",
] as const;
export type ControlPlaneField = (typeof controlPlaneFields)[number];

/** The managed identities of the guest cluster, as keys of the identity files. */
export const dataPlaneFields = ["imageRegistryMSIClientID", "diskMSIClientID", "fileMSIClientID"] as const;
export type DataPlaneField = (typeof dataPlaneFields)[number];

interface RoleRow<Plane extends string, Field extends string> {
  readonly plane: Plane;
  readonly field: Field;
  /** Part of the role assignment's name: see `role-assignment-name.ts`. */
  readonly component: string;
  readonly role: Role;
  /** The narrower built-in role of the hosted control planes, taken with `--assign-custom-hcp-roles`. */
  readonly hcpRole?: Role;
  readonly scopes: readonly RoleScope[];
  /** Not assigned where this cluster capability is disabled. */
  readonly capability?: "ImageRegistry";
}

/** A row of the table: workload identities use the control-plane rows. */
export type RoleTableRow = RoleRow<"control", ControlPlaneField> | RoleRow<"data", DataPlaneField>;

const contributor: Role = { id: "b24988ac-6180-42a0-ab88-20f7382dd24c", name: "Contributor" };
const cloudController: Role = {
  id: "a1f96423-95ce-4224-ab27-4e3dc72facd4",
  name: "Azure Red Hat OpenShift Cloud Controller Manager",
};
const fileStorage: Role = { id: "0d7aedc0-15fd-4a67-a412-efad370c947e", name: "Azure Red Hat OpenShift File Storage Operator" };
const diskStorage: Role = { id: "5b7237c5-45e1-49d6-bc18-a1f62f400748", name: "Azure Red Hat OpenShift Disk Storage Operator" };
const clusterIngress: Role = { id: "0336e1d3-7a87-462b-b6db-342b63f7802c", name: "Azure Red Hat OpenShift Cluster Ingress Operator" };
const networkOperator: Role = { id: "be7a6435-15ae-4171-8f30-4a343eff9e8f", name: "Azure Red Hat OpenShift Network Operator" };
const imageRegistry: Role = { id: "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5", name: "Azure Red Hat OpenShift Image Registry Operator" };
const hcpControlPlaneOperator: Role = {
  id: "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed",
  name: "Azure Red Hat OpenShift Hosted Control Planes Control Plane Operator",
};
const hcpClusterApi: Role = {
  id: "88366f10-ed47-4cc0-9fab-c8a06148393e",
  name: "Azure Red Hat OpenShift Hosted Control Planes Cluster API Provider",
};

/** For who writes the documents of an issuer. */
export const blobContributor: Role = { id: "ba92f5b4-2d11-453d-a403-e96b0029c9fe", name: "Storage Blob Data Contributor" };

/** For who makes certificates and secrets in a vault, and for who only reads its secrets. */
export const certificatesOfficer: Role = { id: "a4417e6f-fecd-4de8-b567-7b0420556985", name: "Key Vault Certificates Officer" };
export const secretsOfficer: Role = { id: "b86a8fe4-44ce-4948-aee5-eccb2c155cd7", name: "Key Vault Secrets Officer" };
export const secretsUser: Role = { id: "4633458b-17de-408a-b874-0445c86b69e6", name: "Key Vault Secrets User" };
/** For who encrypts and decrypts with the keys of a vault. */
export const cryptoUser: Role = { id: "12338af0-0e69-4776-bea7-57ae8d297424", name: "Key Vault Crypto User" };
export const vaultRoles: readonly Role[] = [certificatesOfficer, secretsOfficer, secretsUser];

/** 18 assignments of the control plane and 3 of the data plane, where all four groups differ. */
export const roleTable: readonly RoleTableRow[] = [
  {
    plane: "control",
    field: "controlPlaneOperator",
    component: "cpo",
    role: contributor,
    hcpRole: hcpControlPlaneOperator,
    scopes: ["managed", "nsg", "vnet"],
  },
  {
    plane: "control",
    field: "nodePoolManagement",
    component: "capz",
    role: contributor,
    hcpRole: hcpClusterApi,
    scopes: ["managed", "vnet"],
  },
  { plane: "control", field: "cloudProvider", component: "cloud-provider", role: cloudController, scopes: ["managed", "nsg", "vnet"] },
  { plane: "control", field: "file", component: "azure-file", role: fileStorage, scopes: ["managed", "nsg", "vnet"] },
  { plane: "control", field: "disk", component: "azure-disk", role: diskStorage, scopes: ["managed"] },
  { plane: "control", field: "ingress", component: "ingress", role: clusterIngress, scopes: ["managed", "vnet", "dns"] },
  { plane: "control", field: "network", component: "cncc", role: networkOperator, scopes: ["managed", "vnet"] },
  {
    plane: "control",
    field: "imageRegistry",
    component: "ciro",
    role: imageRegistry,
    scopes: ["managed"],
    capability: "ImageRegistry",
  },
  {
    plane: "data",
    field: "imageRegistryMSIClientID",
    component: "ciroWI",
    role: imageRegistry,
    scopes: ["managed"],
    capability: "ImageRegistry",
  },
  { plane: "data", field: "diskMSIClientID", component: "azure-diskWI", role: diskStorage, scopes: ["managed"] },
  { plane: "data", field: "fileMSIClientID", component: "azure-fileWI", role: fileStorage, scopes: ["managed"] },
];
