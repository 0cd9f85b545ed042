/** Checks of a HostedCluster and its NodePools: the rules of HyperShift's API for what its files do not show. */
import ipaddr from "ipaddr.js";
import { parseAnnotation, parseAutoscaling } from "../../domain/hosted-cluster-choices.js";
import { takes } from "../../settings/commands.js";
import type { SettingKey } from "../../settings/settings.js";
import type { Check } from "../../settings/option-check.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Patterns of the API for single texts, with what they accept. */
const patterns = {
  releaseImage: [
    // The API would take a version too, and the control plane would wait for its image.
    /^(?=.{1,253}$)\w+[^\s/]*\/\S+$/,
    "is not an image such as quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64",
  ],
  instanceType: [
    /^(Standard_|Basic_)?[A-Z]+[0-9]+(-[0-9]+)?[abdilmptsCNP]*(_[A-Z]*[0-9]+[A-Z]*)?(_v[0-9]+)?$/,
    "is not a VM size such as Standard_D4s_v5",
  ],
  marketplacePublisher: [
    /^[a-z0-9][a-z0-9_-]{2,49}$/,
    "is not a publisher: expected 3 to 50 lowercase letters, digits, hyphens and underscores",
  ],
  marketplaceOffer: [/^\S{1,255}$/, "is not an offer"],
  marketplaceSku: [/^[a-z0-9_-]{1,255}$/, "is not a SKU: expected lowercase letters, digits, hyphens and underscores"],
  marketplaceVersion: [/^(?=.{1,32}$)[0-9]+\.[0-9]+\.[0-9]+$|^latest$/, "is not a version such as 414.92.2024021, or latest"],
  etcdStorageClass: [/^(?=.{1,253}$)[a-z0-9][a-z0-9.-]*$/, "is not the name of a storage class"],
  etcdStorageSize: [/^[1-9][0-9]*(?:[KMGTPE]i?|k)?$/, "is not a size such as 8Gi"],
  diagnosticsStorageAccountUri: [/^https:\/\/[^\s/?#]+(?:[/?#]\S*)?$/, "is not an HTTPS URL"],
  podNetworkInstance: [label, "is not the name of a PodNetworkInstance: expected lowercase letters, digits and inner hyphens"],
  imageId: [
    /^(?=.{1,255}$)\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/\S+$/i,
    "is not the ID of an image",
  ],
  // The API compares these IDs case-sensitively.
  diskEncryptionSetId: [
    /^\/subscriptions\/[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\/resourceGroups\/[\w().-]{0,89}[\w()-]\/providers\/Microsoft\.Compute\/diskEncryptionSets\/[\w-]{1,80}$/,
    "is not an ID of the form /subscriptions/.../resourceGroups/.../providers/Microsoft.Compute/diskEncryptionSets/...",
  ],
  privateNatSubnetId: [
    /^(?=.{1,355}$)\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Network\/virtualNetworks\/[^/]+\/subnets\/[^/]+$/,
    "is not an ID of the form /subscriptions/.../resourceGroups/.../providers/Microsoft.Network/virtualNetworks/.../subnets/...",
  ],
  externalDnsDomain: [/^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i, "is not a domain such as hcp.example.com"],
} as const satisfies Partial<Record<SettingKey, readonly [RegExp, string]>>;

const diskGiB = { least: 16, most: 32_767 };

/** The files of --input-dir can replace these settings. */
export const checkHostedClusterFiles: Check = ({ command, values, problem }) => {
  if (command !== "render hosted-cluster" || values.inputDir !== undefined) return;
  for (const key of ["infraFile", "oidcIssuerUrl"] as const) {
    if (values[key] === undefined) problem(key, "is required without --input-dir");
  }
  if (values.kmsCredentialsSecretName !== undefined && values.encryptionKeyId === undefined) {
    problem("kmsCredentialsSecretName", "requires --encryption-key-id, the key that encrypts etcd");
  }
};

export const checkHostedClusterValues: Check = ({ command, values, problem }) => {
  if (!takes(command, "releaseImage")) return;
  for (const key of Object.keys(patterns) as (keyof typeof patterns)[]) {
    const [pattern, otherwise] = patterns[key];
    const value = values[key];
    if (value !== undefined && !pattern.test(value)) problem(key, `"${value}" ${otherwise}`);
  }
  const { rootDiskSize, nodePoolAutoscaling, annotations } = values;
  if (rootDiskSize !== undefined && (rootDiskSize < diskGiB.least || rootDiskSize > diskGiB.most)) {
    problem("rootDiskSize", `${rootDiskSize} is not between ${diskGiB.least} and ${diskGiB.most}`);
  }
  if (nodePoolAutoscaling !== undefined && parseAutoscaling(nodePoolAutoscaling) === undefined) {
    problem("nodePoolAutoscaling", `"${nodePoolAutoscaling}" is not the fewest and the most nodes, such as 2:5`);
  }
  const wrong = annotations?.find((text) => parseAnnotation(text) === undefined);
  if (wrong !== undefined) problem("annotations", `"${wrong}" is not an annotation: key=value`);
  const foreign = values.privateAllowedSubscriptions?.find((id) => !uuid.test(id));
  if (foreign !== undefined) problem("privateAllowedSubscriptions", `"${foreign}" is not the ID of a subscription`);
};

const marketplace = [
  "marketplacePublisher",
  "marketplaceOffer",
  "marketplaceSku",
  "marketplaceVersion",
] as const satisfies readonly SettingKey[];
const privateSettings = [
  "privateNatSubnetId",
  "privateAllowedSubscriptions",
  "podNetworkInstance",
] as const satisfies readonly SettingKey[];

export const checkHostedClusterCombinations: Check = ({ command, values, given, problem }) => {
  if (!takes(command, "releaseImage")) return;
  if (given("nodePoolAutoscaling") && given("nodePoolReplicas")) {
    problem("nodePoolAutoscaling", "cannot be combined with --node-pool-replicas: a NodePool has a fixed count or is autoscaled");
  }
  const image = marketplace.filter((key) => values[key] !== undefined);
  const missing = marketplace.find((key) => values[key] === undefined);
  for (const key of image.slice(0, 1)) {
    if (missing !== undefined) problem(key, "requires publisher, offer, SKU and version of the image");
    if (values.imageId !== undefined) problem(key, "cannot be combined with --image-id: nodes boot from one image");
  }
  if (values.imageId !== undefined && values.imageGeneration !== undefined) {
    problem("imageGeneration", "cannot be combined with --image-id: it chooses a Marketplace image");
  }
  const isUserManaged = values.diagnosticsStorageAccountType === "UserManaged";
  if (values.diagnosticsStorageAccountUri !== undefined && !isUserManaged) {
    problem("diagnosticsStorageAccountUri", "requires --diagnostics-storage-account-type UserManaged");
  }
  if (values.diagnosticsStorageAccountUri === undefined && isUserManaged) {
    problem("diagnosticsStorageAccountType", '"UserManaged" requires --diagnostics-storage-account-uri');
  }
  const isPublic = values.endpointAccess === "Public";
  if (isPublic) for (const key of privateSettings.filter(given)) problem(key, "requires --endpoint-access Private or PublicAndPrivate");
  if (!isPublic && !privateSettings.some(given)) {
    problem("endpointAccess", `"${values.endpointAccess ?? ""}" requires --private-nat-subnet-id or --pod-network-instance`);
  }
  if (values.podNetworkInstance !== undefined && privateSettings.slice(0, 2).some(given)) {
    problem("podNetworkInstance", "cannot be combined with the settings of a private link service: private access uses one of them");
  }
  if (values.outputDir !== undefined) {
    if (values.pullSecret === undefined)
      problem("outputDir", "requires --pull-secret: the directory contains the Secret of the pull secret");
    if (values.outputFile !== undefined) problem("outputFile", "cannot be combined with --output-dir");
    if (values.format === "json") problem("format", '"json" cannot be combined with --output-dir, whose files are YAML');
  }
};

/** The ranges inside a hosted cluster. */
export const checkHostedRanges: Check = ({ command, values, problem }) => {
  if (!takes(command, "clusterCidr")) return;
  for (const key of ["clusterCidr", "serviceCidr"] as const) {
    const wrong = values[key]?.find((cidr) => !ipaddr.isValidCIDR(cidr));
    if (wrong !== undefined) problem(key, `"${wrong}" is not a CIDR range such as 10.132.0.0/14`);
    // One of each family.
    if (takes(command, "releaseImage") && (values[key]?.length ?? 0) > 2) problem(key, "has more than two ranges");
  }
  const shared = values.serviceCidr?.find((cidr) => values.clusterCidr?.includes(cidr));
  if (shared !== undefined) problem("serviceCidr", `"${shared}" is also a range of --cluster-cidr`);
};
