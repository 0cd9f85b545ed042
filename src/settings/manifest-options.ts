/** The options that say what Kubernetes manifests are to be. Part of the table of options. */
import { hostedClusterCommands, renderCommands, type CommandName, type Option } from "./option.js";

const classes = ["render secret-provider-classes"] as const satisfies readonly CommandName[];

const hostedCluster = ["render hosted-cluster"] as const satisfies readonly CommandName[];

export const manifestOptions = [
  {
    key: "namespace",
    flag: "--namespace",
    kind: "text",
    default: "clusters",
    group: "placement",
    help: "namespace of the HostedCluster; that of its control plane follows from it and the name",
    commands: hostedClusterCommands,
  },
  {
    key: "keyVaultUserClientId",
    flag: "--key-vault-user-client-id",
    aliases: ["--aro-hcp-key-vault-users-client-id"],
    kind: "text",
    group: "identity",
    help: "client id, not object id, of the identity of AKS' add-on azureKeyvaultSecretsProvider, which mounts the secrets",
    commands: classes,
    required: classes,
  },
  {
    key: "kmsCredentialsSecretName",
    flag: "--kms-credentials-secret-name",
    kind: "text",
    group: "identity",
    help: "vault secret of the identity that encrypts etcd, where --managed-identities-file does not say it",
    commands: renderCommands,
  },
  {
    key: "encryptionKeyId",
    flag: "--encryption-key-id",
    kind: "text",
    group: "identity",
    help: "id of the vault key that encrypts etcd, with its version",
    commands: hostedCluster,
  },
  {
    key: "saTokenIssuerPrivateKeyPath",
    flag: "--sa-token-issuer-private-key-path",
    kind: "file",
    group: "identity",
    help: "private key that signs service-account tokens; serviceaccount-signer.private beside the file of --infra-json where it is not given",
    commands: hostedCluster,
  },
  {
    key: "outputFile",
    flag: "--output-file",
    kind: "file",
    group: "output",
    help: "where to write the manifests, in place of standard output",
    commands: renderCommands,
  },
  {
    key: "format",
    flag: "--format",
    kind: "choice",
    choices: ["yaml", "json"],
    default: "yaml",
    group: "output",
    help: "language of the manifests",
    commands: renderCommands,
  },
] as const satisfies readonly Option[];
