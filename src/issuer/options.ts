/** The options that define a signing key and its issuer, as part of the table of options. */
import { issuerUploads } from "../domain/issuer.js";
import type { Option } from "../settings/option.js";

export const options = {
  oidcResourceGroupName: {
    key: "oidcResourceGroupName",
    flag: "--oidc-resource-group-name",
    kind: "text",
    group: "placement",
    rare: true,
    help: "resource group of the issuer's storage account, created if missing; default: <name>-oidc",
  },
  storageAccountName: {
    key: "storageAccountName",
    flag: "--storage-account-name",
    kind: "text",
    group: "placement",
    rare: true,
    help: "globally unique name of the storage account; default: --name without hyphens, and a suffix of subscription and resource group",
  },
  blobContainerName: {
    key: "blobContainerName",
    flag: "--blob-container-name",
    kind: "text",
    group: "placement",
    rare: true,
    help: "name of the blob container for the documents; default: --name, or <name>-oidc if that has fewer than three characters",
  },
  userTags: {
    key: "userTags",
    flag: "--user-tags",
    kind: "tags",
    group: "placement",
    rare: true,
    help: "tags for the created resource group and storage account: key=value,key=value; can be repeated",
  },
  publicKeyFile: {
    key: "publicKeyFile",
    flag: "--public-key-file",
    kind: "files",
    isInput: true,
    group: "identity",
    help: "PEM file of a public key to publish; can be repeated; default: serviceaccount-signer.public in --output-dir",
  },
  retireKey: {
    key: "retireKey",
    flag: "--retire-key",
    kind: "list",
    group: "identity",
    help: "ID (kid) of a published key to remove; can be repeated",
  },
  issuerUpload: {
    key: "issuerUpload",
    flag: "--issuer-upload",
    kind: "choice",
    choices: issuerUploads,
    default: "role",
    group: "identity",
    rare: true,
    help:
      "how to upload the issuer's documents: with a role, which takes minutes to take effect on a new storage account, " +
      "or with an account key, which the account accepts only during the upload",
  },
  outputDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "directory",
    group: "output",
    help: "directory for the output files, created if missing",
  },
  outputDirOfGraph: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "directory",
    group: "output",
    rare: true,
    help: "directory of the signing key, shown in the title of its step; default: the current directory",
  },
  keyPairDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "directory",
    group: "output",
    help: "directory for the key files, created if missing; default: the current directory",
  },
} as const satisfies Readonly<Record<string, Option>>;
