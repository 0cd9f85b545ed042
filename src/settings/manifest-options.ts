/** The options that define Kubernetes manifests. */
import type { Option } from "./option.js";

export const manifestOptions = {
  namespace: {
    key: "namespace",
    flag: "--namespace",
    kind: "text",
    default: "clusters",
    group: "placement",
    rare: true,
    help: "namespace of the HostedCluster; the control plane namespace is derived from it and --name",
  },
  keyVaultUserClientId: {
    key: "keyVaultUserClientId",
    flag: "--key-vault-user-client-id",
    aliases: ["--aro-hcp-key-vault-users-client-id"],
    kind: "text",
    group: "identity",
    help: "client ID, not object ID, of the AKS add-on azureKeyvaultSecretsProvider, whose identity mounts the secrets",
  },
  kmsCredentialsSecretName: {
    key: "kmsCredentialsSecretName",
    flag: "--kms-credentials-secret-name",
    kind: "text",
    group: "identity",
    rare: true,
    help: "Key Vault secret of the KMS identity that encrypts etcd, if --managed-identities-file has none",
  },
  signingKeyFile: {
    key: "saTokenIssuerPrivateKeyPath",
    flag: "--sa-token-issuer-private-key-path",
    kind: "file",
    isInput: true,
    group: "identity",
    rare: true,
    help: "private key that signs service account tokens; default: serviceaccount-signer.private in the directory of --infra-file",
  },
  manifestFile: {
    key: "outputFile",
    flag: "--output-file",
    kind: "file",
    group: "output",
    rare: true,
    help: "output file for the manifests, instead of standard output",
  },
  manifestFormat: {
    key: "format",
    flag: "--format",
    kind: "choice",
    choices: ["yaml", "json"],
    default: "yaml",
    group: "output",
    rare: true,
    help: "format of the manifests",
  },
  manifestDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "directory",
    group: "output",
    help: "directory for one file for each manifest, created if missing, instead of standard output",
  },
} as const satisfies Readonly<Record<string, Option>>;
