/** The options that say what a signing key and its issuer are to be. Part of the table of options. */
import type { Option } from "./option.js";

export const issuerOptions = {
  oidcResourceGroupName: {
    key: "oidcResourceGroupName",
    flag: "--oidc-resource-group-name",
    kind: "text",
    group: "placement",
    help: "group of the issuer's storage account, made where it is absent; <name>-oidc where it is not given",
  },
  storageAccountName: {
    key: "storageAccountName",
    flag: "--storage-account-name",
    kind: "text",
    group: "placement",
    help: "name of the storage account, unique in the world; the set's name where it is not given",
  },
  blobContainerName: {
    key: "blobContainerName",
    flag: "--blob-container-name",
    kind: "text",
    group: "placement",
    help: "name of the container that the documents are in; the set's name where it is not given",
  },
  userTags: {
    key: "userTags",
    flag: "--user-tags",
    kind: "tags",
    group: "placement",
    help: "tags for the group and storage account that are made: key=value,key=value; may be repeated",
  },
  publicKeyFile: {
    key: "publicKeyFile",
    flag: "--public-key-file",
    kind: "files",
    group: "identity",
    help: "public key to publish, in PEM; may be repeated; serviceaccount-signer.public in --output-dir where it is not given",
  },
  retireKey: {
    key: "retireKey",
    flag: "--retire-key",
    kind: "list",
    group: "identity",
    help: "id (kid) of a key to publish no longer; may be repeated",
  },
  outputDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "text",
    group: "output",
    help: "directory for the files that are made, made where it is absent; the current one for a key pair where it is not given",
  },
} as const satisfies Readonly<Record<string, Option>>;
