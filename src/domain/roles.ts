/** The built-in Azure roles that aro-hcp assigns, with the GUIDs that they have in every tenant. */
import { subscriptionScope } from "./resource-id.js";

export interface Role {
  /** GUID of the role definition. */
  readonly id: string;
  /** For display. Azure may rename roles but never changes their GUIDs. */
  readonly name: string;
}

/** Sources: HyperShift's role table and the operator roles of the ARO HCP service. */
export const componentRoles = {
  contributor: { id: "b24988ac-6180-42a0-ab88-20f7382dd24c", name: "Contributor" },
  cloudControllerManager: { id: "a1f96423-95ce-4224-ab27-4e3dc72facd4", name: "Azure Red Hat OpenShift Cloud Controller Manager" },
  fileStorageOperator: { id: "0d7aedc0-15fd-4a67-a412-efad370c947e", name: "Azure Red Hat OpenShift File Storage Operator" },
  diskStorageOperator: { id: "5b7237c5-45e1-49d6-bc18-a1f62f400748", name: "Azure Red Hat OpenShift Disk Storage Operator" },
  clusterIngressOperator: { id: "0336e1d3-7a87-462b-b6db-342b63f7802c", name: "Azure Red Hat OpenShift Cluster Ingress Operator" },
  networkOperator: { id: "be7a6435-15ae-4171-8f30-4a343eff9e8f", name: "Azure Red Hat OpenShift Network Operator" },
  imageRegistryOperator: { id: "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5", name: "Azure Red Hat OpenShift Image Registry Operator" },
  hcpControlPlaneOperator: {
    id: "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed",
    name: "Azure Red Hat OpenShift Hosted Control Planes Control Plane Operator",
  },
  hcpClusterApiProvider: {
    id: "88366f10-ed47-4cc0-9fab-c8a06148393e",
    name: "Azure Red Hat OpenShift Hosted Control Planes Cluster API Provider",
  },
} as const satisfies Readonly<Record<string, Role>>;

/** For the principal that uploads the documents of an issuer. */
export const blobContributor: Role = { id: "ba92f5b4-2d11-453d-a403-e96b0029c9fe", name: "Storage Blob Data Contributor" };

/** For the principal that creates certificates and secrets in a vault, and for the one that only reads its secrets. */
export const certificatesOfficer: Role = { id: "a4417e6f-fecd-4de8-b567-7b0420556985", name: "Key Vault Certificates Officer" };
export const secretsOfficer: Role = { id: "b86a8fe4-44ce-4948-aee5-eccb2c155cd7", name: "Key Vault Secrets Officer" };
export const secretsUser: Role = { id: "4633458b-17de-408a-b874-0445c86b69e6", name: "Key Vault Secrets User" };
/** For the principal that rotates, deletes and recovers the keys of a vault. */
export const cryptoOfficer: Role = { id: "14b46e9e-c2b7-41b4-b07b-48a6ebf60603", name: "Key Vault Crypto Officer" };
/** For the run that lists what a vault contains before it deletes it. */
export const vaultReader: Role = { id: "21090545-7ca7-4776-b22c-e363652d74d2", name: "Key Vault Reader" };
/** For the principal that encrypts and decrypts with the keys of a vault. */
export const cryptoUser: Role = { id: "12338af0-0e69-4776-bea7-57ae8d297424", name: "Key Vault Crypto User" };
/** For a disk encryption set, a storage account or a database that encrypts with a key of a vault. */
export const cryptoServiceUser: Role = { id: "e147488a-f6f5-4113-8e2d-b22465e65bf6", name: "Key Vault Crypto Service Encryption User" };
/**
 * The same in a managed HSM, which has roles of its own. "Managed HSM Crypto Service Encryption User" allows only to wrap and unwrap keys,
 * but HyperShift encrypts and decrypts (https://learn.microsoft.com/azure/key-vault/managed-hsm/built-in-roles).
 */
export const hsmCryptoUser: Role = { id: "21dbd100-6940-42c2-9190-5d6cb909625b", name: "Managed HSM Crypto User" };
/** For the principal that assigns roles in a managed HSM, and recovers its deleted keys. */
export const hsmCryptoOfficer: Role = { id: "515eb02d-2335-4d2d-92f2-b1cbdf9c3778", name: "Managed HSM Crypto Officer" };
/** For the identity of an AKS cluster, on its kubelet's identity, and on its network and public addresses. */
export const managedIdentityOperator: Role = { id: "f1a07417-d97a-45cb-824c-7a7467783830", name: "Managed Identity Operator" };
export const networkContributor: Role = { id: "4d97b98b-1d4f-4787-a291-c67834d212e7", name: "Network Contributor" };
/** For the identity of the nodes, which pulls images from a registry. */
export const acrPull: Role = { id: "7f951dda-4ed3-4680-a7ca-43fe172d538d", name: "AcrPull" };
/** For the identity of ExternalDNS: on the zone, and on its resource group. https://github.com/kubernetes-sigs/external-dns/blob/master/docs/tutorials/azure.md */
export const dnsZoneContributor: Role = { id: "befefa01-2a29-4197-83a8-272ff33ce314", name: "DNS Zone Contributor" };
export const reader: Role = { id: "acdd72a7-3385-48ef-bd42-f606fba81ae7", name: "Reader" };
const hsmRoles: readonly Role[] = [hsmCryptoUser, hsmCryptoOfficer];
const externalDnsRoles: readonly Role[] = [dnsZoneContributor, reader];
const aksRoles: readonly Role[] = [managedIdentityOperator, networkContributor, acrPull];

export const vaultRoles: readonly Role[] = [certificatesOfficer, secretsOfficer, secretsUser, cryptoOfficer, vaultReader];

/** What a create assigns on single resources, to those who use them. */
export const resourceRoles: readonly Role[] = [
  ...[blobContributor, ...vaultRoles, cryptoUser, ...hsmRoles, ...aksRoles, ...externalDnsRoles],
];

const roles: readonly Role[] = [...Object.values(componentRoles), ...resourceRoles];

const roleNames = new Map<string, string>(roles.map(({ id, name }) => [id, name]));

export function roleNamed(name: string): Role | undefined {
  return roles.find((role) => role.name === name);
}

/** The ID of the role's definition, as a role assignment in the subscription refers to it. */
export function roleDefinitionId(subscriptionId: string, { id }: Role): string {
  return `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
}

/** The name of the role in an assignment's `roleDefinitionId`; its GUID if the role is not in this list. */
export function roleNameIn(roleDefinitionId: string): string {
  const guid = roleDefinitionId.split("/").at(-1) ?? "";
  return roleNames.get(guid.toLowerCase()) ?? guid;
}
