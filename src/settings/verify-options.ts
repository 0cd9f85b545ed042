/** The options that say what is verified, and against what. Part of the table of options. */
import { componentKeys, otherNames } from "../domain/components.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../domain/hosted-networks.js";
import type { Option } from "./option.js";

export const verifyOptions = {
  inputDir: {
    key: "inputDir",
    flag: "--input-dir",
    kind: "text",
    group: "required",
    help: "directory that create all wrote: its files stand in for those that are not given",
  },
  signingKeyToTry: {
    key: "saTokenIssuerPrivateKeyPath",
    flag: "--sa-token-issuer-private-key-path",
    kind: "file",
    group: "identity",
    help: "private key that signs the cluster's service-account tokens, to sign one and see that Entra takes it",
  },
  encryptionKeyId: {
    key: "encryptionKeyId",
    flag: "--encryption-key-id",
    kind: "text",
    group: "identity",
    help: "id of the vault key that encrypts etcd, with its version",
  },
  kubeconfig: {
    key: "kubeconfig",
    flag: "--kubeconfig",
    kind: "file",
    group: "identity",
    help: "kubeconfig of the management cluster, to follow the secrets on to the pods; without it those checks are skipped",
  },
  verifiedComponents: {
    key: "component",
    flag: "--component",
    kind: "list",
    choices: ["all", ...componentKeys],
    otherSpellings: otherNames,
    group: "identity",
    help: "components that are told of: all, or some of them; all where it is not given; may be repeated",
  },
  clusterCidr: {
    key: "clusterCidr",
    flag: "--cluster-cidr",
    kind: "list",
    default: hostedPodNetwork,
    group: "network",
    help: "ranges of the pod network that the cluster is created with; may be repeated",
  },
  serviceCidr: {
    key: "serviceCidr",
    flag: "--service-cidr",
    kind: "list",
    default: hostedServiceNetwork,
    group: "network",
    help: "ranges of the service network that the cluster is created with; may be repeated",
  },
  only: {
    key: "only",
    flag: "--only",
    kind: "list",
    group: "output",
    help: "ids of the checks that are told of, every one where it is not given; may be repeated",
  },
  register: {
    key: "register",
    flag: "--register",
    kind: "switch",
    group: "safety",
    help: "register the resource providers that are not: all that doctor ever writes",
    notInFile: true,
  },
  watchExpiry: {
    key: "watchExpiry",
    flag: "--watch-expiry",
    kind: "integer",
    default: "30",
    group: "output",
    help: "warn of a certificate that expires within so many days",
  },
  report: {
    key: "report",
    flag: "--report",
    kind: "file",
    group: "output",
    help: "write what was found as a page to be read in a browser, with a drawing of the flow; only an earlier report is replaced",
  },
} as const satisfies Readonly<Record<string, Option>>;
