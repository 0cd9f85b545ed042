/** The options that say what Kubernetes manifests are to be. Part of the table of options. */
import type { Option } from "./option.js";

export const manifestOptions = {
  namespace: {
    key: "namespace",
    flag: "--namespace",
    kind: "text",
    default: "clusters",
    group: "placement",
    help: "namespace of the HostedCluster; that of its control plane follows from it and the name",
  },
  keyVaultUserClientId: {
    key: "keyVaultUserClientId",
    flag: "--key-vault-user-client-id",
    aliases: ["--aro-hcp-key-vault-users-client-id"],
    kind: "text",
    group: "identity",
    help: "client id, not object id, of the identity of AKS' add-on azureKeyvaultSecretsProvider, which mounts the secrets",
  },
  kmsCredentialsSecretName: {
    key: "kmsCredentialsSecretName",
    flag: "--kms-credentials-secret-name",
    kind: "text",
    group: "identity",
    help: "vault secret of the identity that encrypts etcd, where --managed-identities-file does not say it",
  },
  signingKeyFile: {
    key: "saTokenIssuerPrivateKeyPath",
    flag: "--sa-token-issuer-private-key-path",
    kind: "file",
    group: "identity",
    help: "private key that signs service-account tokens; serviceaccount-signer.private beside the file of --infra-json where it is not given",
  },
  manifestFile: {
    key: "outputFile",
    flag: "--output-file",
    kind: "file",
    group: "output",
    help: "where to write the manifests, in place of standard output",
  },
  manifestFormat: {
    key: "format",
    flag: "--format",
    kind: "choice",
    choices: ["yaml", "json"],
    default: "yaml",
    group: "output",
    help: "language of the manifests",
  },
} as const satisfies Readonly<Record<string, Option>>;
