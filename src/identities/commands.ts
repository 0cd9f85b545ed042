/** The commands for an identity set, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import {
  changes,
  creates,
  everywhere,
  identityChecks,
  identityFiles,
  madeIdentities,
  reads,
  verifies,
  manifests,
} from "../settings/shared-options.js";

export const commands = {
  "create identities": {
    summary: "create the identities of one or more clusters",
    description:
      "Creates a key vault, an Entra application with certificate and credential secret for each control plane component, and the managed " +
      "identities of the data plane, and writes the identity files. A rerun with the same name changes nothing: several clusters can share one set.",
    examples: [
      "aro-hcp create identities --cloud local --identities-name demo --oidc-issuer-url https://issuer.example.com/demo",
      "aro-hcp create identities --azure-creds creds.json --identities-name demo -g common --oidc-issuer-url https://... --output-file ids.json",
    ],
    required: ["setName", "oidcIssuerUrl"],
    options: [
      ...creates,
      "name",
      "persistentResourceGroupName",
      "keyVaultName",
      "setVaultId",
      ...madeIdentities,
      "outputManagedIdentities",
      "outputDataPlaneIdentities",
      "outputFile",
      "returnOwnRoles",
    ],
    usual: ["location", "persistentResourceGroupName", "managementClusterFile", "enableKms", "dryRun", "yes", "outputFile", "output"],
  },
  "destroy identities": {
    summary: "delete the resources of create identities",
    description:
      "Deletes the set's role assignments, applications, managed identities and key vault, and their resource group if create identities created it and it is empty. " +
      "The vault and the applications stay soft-deleted for a while; --purge deletes them permanently.",
    examples: ["aro-hcp destroy identities --cloud local --identities-name demo --purge"],
    required: ["setName"],
    options: [...changes, "name", "persistentResourceGroupName", "keyVaultName", "setVaultId", "identitiesFile", "purge"],
  },
  "show identities": {
    summary: "show the identities of a set and the expiry of their credentials",
    description:
      "Reads the vault, the directory and the managed identities. Exits with 3 if a credential expires soon (--warn-days). Read-only.",
    examples: ["aro-hcp show identities --cloud local --identities-name demo"],
    required: ["setName"],
    options: [...reads, "unusedLocation", "name", "persistentResourceGroupName", "keyVaultName", "setVaultId", "warnDays", "shownExitCode"],
  },
  "verify identities": {
    summary: "check the whole path from the identity files to a valid token",
    description:
      "Checks each identity from its file through Key Vault and Entra to Azure: signs in with its certificate or a token of the cluster, then reads its scopes. " +
      "With --management-cluster-file, also checks that the management cluster can read the vault; with --kubeconfig, that its pods mount the secrets. " +
      "Reports each failed check with its reason and a fix. Writes only --output-report. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp verify identities --cloud local --input-dir demo",
      "aro-hcp verify identities --managed-identities-file cp.json --component cpo,disk --only sign-in --output json",
      "aro-hcp verify identities --azure-creds creds.json --input-dir demo --management-cluster-file mgmt.json --kubeconfig mgmt.kubeconfig",
    ],
    options: [
      ...verifies,
      "name",
      "infraFile",
      "inputDir",
      ...identityFiles,
      "assignCustomHcpRoles",
      "disableClusterCapabilities",
      ...identityChecks,
      "verifiedComponents",
    ],
  },
  "rotate credentials": {
    summary: "rotate the certificates of the control plane identities",
    description:
      "Creates a new certificate, registers it in addition to the old one, updates the secret, verifies it by signing in, and removes the old certificate " +
      "after --overlap: in this run if that ends within --timeout, otherwise in the next run.",
    examples: ["aro-hcp rotate credentials --cloud local --identities-name demo --component cpo,disk"],
    required: ["setName"],
    options: [
      ...changes,
      "name",
      "persistentResourceGroupName",
      "keyVaultName",
      "setVaultId",
      "identitiesFile",
      "rotatedComponents",
      "overlap",
      "minAge",
      "returnOwnRoles",
    ],
  },
  "render secret-provider-classes": {
    summary: "print the SecretProviderClasses that mount the credentials in control plane pods",
    description:
      "Prints one SecretProviderClass for each identity of the control plane, as HyperShift's operators create them, to compare, or to apply before " +
      "the operators run. --management-cluster-file has the client ID of the identity that the AKS add-on mounts secrets with. For another AKS cluster, " +
      "pass --key-vault-user-client-id: the property addonProfiles.azureKeyvaultSecretsProvider.identity.clientId of the cluster. Sends no requests to " +
      "Azure.",
    examples: [
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --management-cluster-file mgmt.json | kubectl apply -f -",
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --key-vault-user-client-id 1f0e... --format json --output-file classes.json",
    ],
    options: [
      ...everywhere,
      "name",
      "keyVaultUserClientId",
      "managementClusterFile",
      "inputDir",
      "managedIdentitiesFile",
      "disableClusterCapabilities",
      "namespace",
      "kmsCredentialsSecretName",
      ...manifests,
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;
