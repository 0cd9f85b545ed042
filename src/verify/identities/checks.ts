/** Every check of the identity flow, in the order of the flow: from the files through vault and Entra to Azure. */
import { checkCatalogue, type Words } from "../catalogue.js";

const error = (sentence: string): Words => ({ sentence, severity: "error" });
const warning = (sentence: string): Words => ({ sentence, severity: "warning" });

const azureChecks = checkCatalogue({
  // The files.
  "file-shape": error("the identity file can be read, and has a known shape"),
  "file-entries": error("every component has its entry, and there is nothing unknown beside them"),
  "file-values": error("client id, secret name and encoding are ones that a HostedCluster takes, and no other component has the same"),
  "file-vault": error("the vault has a name that Azure takes, and its tenant is the one that is signed in to"),
  "file-data-plane": error("the client id is a UUID, and no other component has the same"),
  "file-component": error("client id and secret name are not known to be another component's, or another set's"),

  // The vault.
  "vault-exists": error("the vault exists in its tenant, is not deleted, and decides by roles"),
  "vault-reachable": error("the network rules of the vault let its readers in"),
  "vault-readable": error("whoever verifies may read the secrets of the vault"),
  "secret-not-deleted": error("no deleted secret holds the name"),
  "secret-exists": error("the secret exists, is enabled, and within its dates"),
  "secret-plain": error("the secret is a plain one, and not the export of a certificate"),

  // What the secret says.
  "credential-json": error("the value decodes with the declared encoding, and is a JSON object"),
  "credential-fields": error("the five fields that the pods need are there, in snake case"),
  "credential-identity": error("client id and tenant are those of the identity file"),
  "credential-endpoint": error("the authentication endpoint is that of the cloud"),
  "credential-dates": error("the dates are RFC 3339, in order, and the first is past"),
  "credential-certificate": error("certificate and RSA key can be read by the pods, belong together, and are valid"),
  "credential-expiry": warning("the certificate does not expire soon"),
  "secret-attributes": warning("dates and tags of the secret say what its value says"),
  "certificate-current": warning("the vault's newest certificate is the one in the secret"),

  // Entra.
  "principal-exists": error("the client id has one service principal in this tenant, and it is enabled"),
  "application-key": error("the application knows the certificate, and for as long as it is valid"),
  "sign-in": error("Entra gives a token for the certificate"),
  "azure-read": error("with that token, Azure can be read as the role allows"),

  // Roles.
  "role-assigned": error("the component has its role on each of its resource groups"),
  "role-name-free": error("the names of its role assignments are held by nobody else"),
  "role-defined": error("its role exists in this cloud"),
  "role-dangling": warning("no role assignment is left of a principal that is gone"),

  // The data plane.
  "identity-exists": error("the managed identity exists, with the client id of the file"),
  federation: error("it trusts the issuer's tokens for its subject and the audience openshift"),
  "issuer-discovery": error("everybody can read the discovery document, and it names the issuer"),
  "issuer-keys": error("the key set holds the cluster's signing key"),
  "federated-sign-in": error("Entra gives a token for a service-account token of the cluster"),

  // Encryption of etcd.
  "kms-key": error("the encryption key exists, is an RSA key, is enabled, and the version is given"),
  "kms-role": error("the KMS identity may use the encryption key"),
});

/** Those that ask the management cluster, by --kubeconfig. */
export const managementClusterChecks = checkCatalogue({
  "management-cluster": error(
    "the API server of the management cluster answers, and its nodes are those of an AKS cluster that Azure shows",
  ),
  "vault-addon": error("the AKS add-on azureKeyvaultSecretsProvider is enabled"),
  "vault-addon-rotation": warning("the add-on takes up new versions of secrets, and often enough for a rotation"),
  "vault-addon-role": error("the add-on's identity may read the secrets of the vault"),
  "vault-addon-nodes": error("the add-on's identity is assigned to every scale set of nodes"),
  "operator-environment": error("HyperShift's operator knows the add-on's identity, and that it serves ARO HCP"),
  "secret-provider-class": error("the component's SecretProviderClass is there, and says what HyperShift would have it say"),
  "secret-mounted": error("every pod that mounts the secret has its newest version"),
  "pods-start": error("no pod waits for the secret to be mounted"),
});

export const identityChecks = { ...azureChecks, ...managementClusterChecks };

export type IdentityCheckId = keyof typeof identityChecks;

export const identityCheckIds = Object.keys(identityChecks) as readonly IdentityCheckId[];
