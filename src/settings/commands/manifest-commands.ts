/** The commands that print manifests and schemas. Part of the table of commands. */
import type { Command } from "./command.js";
import { everywhere, identityFiles, manifests } from "./shared-options.js";

export const manifestCommands = {
  "render secret-provider-classes": {
    summary: "print the SecretProviderClasses by which the control plane's pods mount their credentials",
    description:
      "Prints one SecretProviderClass for each identity of the control plane, as HyperShift's operators make them: to compare with, or to apply before\n" +
      "they run. --key-vault-user-client-id is the client id of the identity that AKS' add-on mounts secrets with:\n" +
      "az aks show --query addonProfiles.azureKeyvaultSecretsProvider.identity.clientId. Asks nothing of Azure.",
    examples: [
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --key-vault-user-client-id 1f0e... | kubectl apply -f -",
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --format json --output-file classes.json",
    ],
    required: ["keyVaultUserClientId"],
    options: [
      ...everywhere,
      "name",
      "inputDir",
      "managedIdentitiesFile",
      "disableClusterCapabilities",
      "namespace",
      "kmsCredentialsSecretName",
      ...manifests,
    ],
  },
  "render hosted-cluster": {
    summary: "print the part of a HostedCluster that follows from infrastructure, identities and issuer",
    description:
      "Prints a HostedCluster with everything that the files tell of it, checked by the rules of its API first: what is missing or would be refused is\n" +
      "told all at once, with file and line. Release, pull secret, networking, services and etcd are yours to add. The signing key is never printed:\n" +
      "the kubectl command that makes its secret from the file is told on standard error. Asks nothing of Azure.",
    examples: [
      "aro-hcp render hosted-cluster --infra-json demo/infra.json --oidc-issuer-url https://demo.blob.core.windows.net/demo > hc.yaml",
      "aro-hcp render hosted-cluster --infra-json infra.json --managed-identities-file ids.json --oidc-issuer-url https://... --encryption-key-id https://...",
    ],
    options: [
      ...everywhere,
      "azureCreds",
      "name",
      "infraJson",
      "inputDir",
      ...identityFiles,
      "disableClusterCapabilities",
      "oidcIssuerUrl",
      "namespace",
      "kmsCredentialsSecretName",
      "encryptionKeyId",
      "signingKeyFile",
      ...manifests,
    ],
  },
  schema: {
    summary: "print the JSON Schema of a file that is written or read here",
    description: "Prints the schema of the document (JSON Schema 2020-12); without one, the names of all documents.",
    examples: ["aro-hcp schema identities"],
    word: { name: "document", help: "name of the document" },
    options: [...everywhere],
  },
} as const satisfies Readonly<Record<string, Command>>;
