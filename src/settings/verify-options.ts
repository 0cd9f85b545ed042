/** The options that define what is verified, and against which settings. Part of the table of options. */
import { componentKeys, otherNames } from "../domain/components.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../domain/hosted-networks.js";
import type { Option } from "./option.js";

export const verifyOptions = {
  inputDir: {
    key: "inputDir",
    flag: "--input-dir",
    kind: "text",
    group: "required",
    help: "output directory of create all; its files are used for file options that are not set",
  },
  signingKeyToTry: {
    key: "saTokenIssuerPrivateKeyPath",
    flag: "--sa-token-issuer-private-key-path",
    kind: "file",
    group: "identity",
    help: "private key that signs the cluster's service account tokens, to check that Entra accepts a signed token",
  },
  encryptionKeyId: {
    key: "encryptionKeyId",
    flag: "--encryption-key-id",
    kind: "text",
    group: "identity",
    help: "ID of the key that encrypts etcd, in a vault or managed HSM, with its version",
  },
  backupEncryptionKeyId: {
    key: "backupEncryptionKeyId",
    flag: "--backup-encryption-key-id",
    kind: "text",
    group: "identity",
    help: "ID of the version before a rotation, which still decrypts etcd; in the same vault or managed HSM",
  },
  kubeconfig: {
    key: "kubeconfig",
    flag: "--kubeconfig",
    kind: "file",
    group: "identity",
    help: "kubeconfig of the management cluster, to check the secrets in its pods; without it, these checks are skipped",
  },
  verifiedComponents: {
    key: "component",
    flag: "--component",
    kind: "list",
    choices: ["all", ...componentKeys],
    otherSpellings: otherNames,
    group: "identity",
    help: "components to report; default: all; can be repeated",
  },
  clusterCidr: {
    key: "clusterCidr",
    flag: "--cluster-cidr",
    kind: "list",
    default: hostedPodNetwork,
    group: "network",
    help: "CIDR ranges of the cluster's pod network; can be repeated",
  },
  serviceCidr: {
    key: "serviceCidr",
    flag: "--service-cidr",
    kind: "list",
    default: hostedServiceNetwork,
    group: "network",
    help: "CIDR ranges of the cluster's service network; can be repeated",
  },
  only: {
    key: "only",
    flag: "--only",
    kind: "list",
    group: "output",
    help: "IDs of the checks to report; default: all; can be repeated",
  },
  register: {
    key: "register",
    flag: "--register",
    kind: "switch",
    group: "safety",
    help: "register missing resource providers, the only change that doctor makes",
    notInFile: true,
  },
  watchExpiry: {
    key: "watchExpiry",
    flag: "--watch-expiry",
    kind: "integer",
    default: "30",
    group: "output",
    help: "warn about certificates that expire within this number of days",
  },
  report: {
    key: "report",
    flag: "--report",
    kind: "file",
    group: "output",
    help: "write the results to an HTML report with a diagram of the identity flow; only replaces an earlier report",
  },
} as const satisfies Readonly<Record<string, Option>>;
