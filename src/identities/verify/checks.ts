/** Every check of the identity flow, in its order: files, vault, Entra, Azure. */
import { checkCatalogue, error, warning } from "../../verify/check.js";

const azureChecks = checkCatalogue({
  // The files.
  "file-shape": error("the identity file can be read and has a known shape"),
  "file-entries": error("every component has an entry, and there are no unknown entries"),
  "file-values": error("client ID, secret name and encoding are valid, and no other component has that client ID or secret"),
  "file-vault": error("the vault name is valid, and the vault's tenant is the signed-in one"),
  "file-data-plane": error("the client ID is a UUID, and no other component has the same one"),
  "file-set": error("the identity file is of the set that has the roles of the cluster, and of the same set as the other file"),
  "file-component": error("client ID and secret name do not belong to another component or another set"),

  // The vault.
  "vault-exists": error("the vault exists in its tenant, is not deleted, and uses Azure RBAC"),
  "vault-reachable": error("the network rules of the vault allow its readers"),
  "vault-readable": error("the signed-in principal can read the secrets of the vault"),
  "secret-not-deleted": error("no deleted secret has the name"),
  "secret-exists": error("the secret exists, is enabled, and is within its dates"),
  "secret-plain": error("the secret is a plain one, not the export of a certificate"),

  // The content of the secret.
  "credential-json": error("the value decodes with the declared encoding and is a JSON object"),
  "credential-fields": error("the five fields that the pods need are present, in snake case"),
  "credential-identity": error("client ID and tenant ID match the identity file"),
  "credential-endpoint": error("the authentication endpoint is that of the cloud"),
  "credential-dates": error("the dates are RFC 3339 and in order, and the first is in the past"),
  "credential-certificate": error("the pods can read the certificate and its RSA key, which match and are valid"),
  "credential-expiry": warning("the certificate does not expire soon"),
  "secret-attributes": warning("dates and tags of the secret match its value"),
  "certificate-current": warning("the secret contains the vault's newest certificate"),

  // Entra.
  "principal-exists": error("the client ID has one service principal in this tenant, and it is enabled"),
  "application-key": error("the application has the certificate for as long as it is valid"),
  "sign-in": error("Microsoft Entra ID issues a token for the certificate"),
  "azure-read": error("with that token, Azure can be read as the role allows"),

  // Roles.
  "role-assigned": error("the component has its role on each of its resource groups"),
  "role-name-free": error("no other principal uses the names of its role assignments"),
  "role-allowed": error("no deny assignment takes away what its role allows"),
  "role-defined": error("its role exists in this cloud"),
  "role-dangling": warning("no role assignment of a deleted principal is left"),

  // The data plane.
  "identity-exists": error("the managed identity exists, with the client ID in the file"),
  federation: error("it trusts the issuer's tokens for its subject and the audience `openshift`"),
  "issuer-discovery": error("anyone can read the discovery document, and it names the issuer"),
  "issuer-keys": error("the key set contains the cluster's signing key"),
  "issuer-account": warning("the issuer's storage account accepts no account keys"),
  "federated-sign-in": error("Microsoft Entra ID issues a token for a service-account token of the cluster"),

  // Encryption of etcd.
  "kms-key": error("the encryption key exists, is an RSA key, is enabled, and its version is specified"),
  "kms-role": error("the KMS identity can use the encryption key"),
  "kms-use": error("signed in as the KMS identity, a value encrypted with the key can be decrypted"),
});

/** The management cluster and its add-on, in Azure. */
const addOnChecks = checkCatalogue({
  "management-cluster": error(
    "the management cluster is an AKS cluster that Azure shows, and its API server responds if there is a kubeconfig",
  ),
  "vault-addon": error("the AKS add-on azureKeyvaultSecretsProvider is enabled, with the identity in the file"),
  "vault-addon-rotation": warning("the add-on picks up new versions of secrets, often enough for a rotation"),
  "vault-addon-role": error("the add-on's identity can read the secrets of the vault"),
  "vault-addon-nodes": error("the add-on's identity is assigned to every scale set of nodes"),
});

/** They need --kubeconfig. */
export const inClusterChecks = checkCatalogue({
  "operator-environment": error("HyperShift's operator has the add-on's client ID and is set up for ARO HCP"),
  "secret-provider-class": error("the component's SecretProviderClass exists and matches what HyperShift generates"),
  "secret-mounted": error("every pod that mounts the secret has its newest version"),
  "pods-start": error("no pod waits for the secret to be mounted"),
});

/** Those of the cluster and its add-on also run with --management-cluster-file alone. */
export const managementClusterChecks = { ...addOnChecks, ...inClusterChecks };

export const identityChecks = { ...azureChecks, ...managementClusterChecks };

export type IdentityCheckId = keyof typeof identityChecks;

export const identityCheckIds = Object.keys(identityChecks) as readonly IdentityCheckId[];
