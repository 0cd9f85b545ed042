/** Lists of options that several commands take. */
import { recordedNames, type RecordedName } from "./infrastructure-options.js";

export const everywhere = ["color", "plain", "debug", "config"] as const;

/** Every command that sends requests to Azure. */
const connects = [...everywhere, "azureCreds", "subscription", "cloud", "timeout", "concurrency"] as const;

/** Every command that shows, creates, changes or deletes resources. */
export const reads = [...connects, "output"] as const;

/** Every command that runs checks. */
export const verifies = [...connects, "verifyOutput", "only", "outputEvents", "outputReport"] as const;

const writes = [...reads, "dryRun", "plannedExitCode", "fullPlan", "yes", "outputEvents", "outputReport", "outputTimings"] as const;

/** Every command that creates resources. */
export const creates = [...writes, "location", "roleCommands"] as const;

/** Every command that changes or deletes existing resources. */
export const changes = [...writes, "unusedLocation"] as const;

/** A create of all has groups and roles of its own, so these are not among the options that all commands share. */
const ofInfraAlone = ["resourceGroupName", "assignIdentityRoles"] as const satisfies readonly RecordedName[];
type Shared = Exclude<RecordedName, (typeof ofInfraAlone)[number]>;

/** The resources of a cluster: for show, graph and verify as well as for create. */
export const infrastructure = recordedNames.filter((name): name is Shared => !ofInfraAlone.some((one) => one === name));

export const identityFiles = ["managedIdentitiesFile", "dataPlaneIdentitiesFile"] as const;

/** An existing cluster: its flags or its files. */
export const existingCluster = [
  "location",
  "name",
  "infraId",
  "baseDomain",
  "infraFile",
  "resourceGroupName",
  ...infrastructure,
  ...identityFiles,
  "workloadIdentitiesFile",
] as const;

/** What the checks of identities need besides their files. */
export const identityChecks = [
  "oidcIssuerUrl",
  "signingKeyToTry",
  "encryptionKeyId",
  "backupEncryptionKeyId",
  "managementClusterFile",
  "kubeconfig",
  "namespace",
  "watchExpiry",
] as const;

export const identitySet = ["identitiesName", "persistentResourceGroupName", "keyVaultName", "setVaultId"] as const;

export const madeIdentities = [
  "keyVaultReaderObjectId",
  "managementClusterFile",
  "enableKms",
  "purgeProtection",
  "keySize",
  "validityMonths",
  "objectEncoding",
] as const;

export const issuerPlace = ["oidcResourceGroupName", "storageAccountName", "blobContainerName"] as const;

export const manifests = ["manifestFile", "manifestFormat"] as const;

/** Where an AKS cluster is, and what it consists of. */
const aksFeatures = [
  "aksGroupName",
  "nodeResourceGroupName",
  "preset",
  "tier",
  "kubernetesVersion",
  "systemPool",
  "userPool",
  "infraPool",
  "tags",
] as const;

const aksNetwork = [
  "aksVnetCidr",
  "nodeSubnetCidr",
  "podSubnetCidr",
  "aksServiceCidr",
  "vnetId",
  "nodeSubnetId",
  "podSubnetId",
  "networkSecurityGroupId",
  "outboundIpId",
  "environment",
  "clusterType",
  "egressIpTags",
  "ingressIpTags",
] as const;

const aksIdentities = ["clusterIdentityId", "kubeletIdentityId", "etcdKeyId", "keyVaultId", "registryId", "adminGroupId"] as const;

const serviceIngress = [
  "opsIngress",
  "genevaServiceTag",
  "sreServiceTag",
  "regionalZone",
  "regionalZoneGroup",
  "ingressHost",
  "opsHost",
  "delegateZone",
  "istioRevision",
  "certificateVaultId",
  "certificateName",
  "certificateIssuer",
  "certificateHostname",
] as const;

/** Every option that defines the resources of an AKS cluster: of create, graph and doctor, and as overrides of show and verify. */
export const managementCluster = [...aksFeatures, ...aksNetwork, ...aksIdentities, "ingressAddress"] as const;
export const serviceCluster = [...aksFeatures, ...aksNetwork, ...aksIdentities, ...serviceIngress] as const;
