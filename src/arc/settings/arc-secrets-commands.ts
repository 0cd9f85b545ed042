/** The commands for the secrets of a connected cluster's workloads. Part of the table of commands. */
import type { Command } from "../../settings/commands/command.js";
import { creates, everywhere, manifests } from "../../settings/commands/shared-options.js";

export const arcSecretsCommands = {
  "create arc-secrets": {
    summary: "create a Key Vault secret and an identity that a connected cluster's workload reads it with",
    description:
      "Creates a Key Vault with Azure RBAC, a secret, and an identity with the role Key Vault Secrets User on that secret alone. The identity is a managed " +
      "identity if Entra can read the issuer of the cluster's tokens, otherwise a service principal with a client secret. Destroy arc deletes all of it.",
    examples: [
      "aro-hcp create arc-secrets --cloud local --name demo --oidc-issuer-url https://demo.blob.core.windows.net/demo",
      "aro-hcp create arc-secrets --azure-creds creds.json --name demo --secret-name db --secret-file db.txt",
    ],
    required: ["name"],
    options: [
      ...creates,
      "arcGroupName",
      "keyVaultName",
      "secretName",
      "secretFile",
      "secretsIdentity",
      "workloadIssuerUrl",
      "workloadNamespace",
      "serviceAccount",
      "arcSecretsOutputFile",
      "credentialFile",
      "returnOwnRoles",
    ],
  },
  "render arc": {
    summary: "print the manifests that mount Key Vault secrets in a pod of a connected cluster",
    description:
      "Prints a SecretProviderClass, the service account or the credential Secret that signs in to the vault, a pod that mounts the secret, and the service " +
      "account with which the portal shows the cluster. With --output-dir, writes a file for each; only the owner can read that of the credential. " +
      "Sends no requests to Azure.",
    examples: [
      "aro-hcp render arc --arc-secrets-json arc-secrets.json --output-dir manifests",
      "aro-hcp render arc --arc-secrets-json arc-secrets.json --credential-file arc-credential.json --output-dir manifests",
    ],
    required: ["arcSecretsJson"],
    options: [...everywhere, "credentialFile", "observabilityRole", ...manifests, "manifestDir"],
  },
} as const satisfies Readonly<Record<string, Command>>;
