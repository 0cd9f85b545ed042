/** The commands that print the manifests of hosted clusters, and the commands that install HyperShift. */
import type { Command } from "../settings/command.js";
import { everywhere, identityFiles, manifests } from "../settings/shared-options.js";

/** What a HostedCluster and its NodePools have beyond the infrastructure. */
const hostedClusterChoices = [
  "controlPlaneAvailabilityPolicy",
  "infraAvailabilityPolicy",
  "etcdStorageClass",
  "etcdStorageSize",
  "annotations",
  "fips",
  "clusterCidr",
  "serviceCidr",
  "externalDnsDomain",
  "endpointAccess",
  "privateNatSubnetId",
  "privateAllowedSubscriptions",
  "podNetworkInstance",
  "nodePoolReplicas",
  "nodePoolAutoscaling",
  "availabilityZones",
  "instanceType",
  "nodeArchitecture",
  "imageId",
  "imageGeneration",
  "marketplacePublisher",
  "marketplaceOffer",
  "marketplaceSku",
  "marketplaceVersion",
  "rootDiskSize",
  "diskStorageAccountType",
  "diskEncryptionSetId",
  "ephemeralDisk",
  "encryptionAtHost",
  "diagnosticsStorageAccountType",
  "diagnosticsStorageAccountUri",
  "nodeUpgradeType",
  "autoRepair",
] as const;

export const commands = {
  "render hosted-cluster": {
    summary: "print the manifests of a hosted cluster: HostedCluster, NodePools and Namespace, and write their Secrets",
    description:
      "Prints the manifests that `hypershift create cluster azure --render` prints, with all values from the files, after validating them by the rules " +
      "of HyperShift's API. Missing and invalid values are reported together, with file and line. Secrets are never printed: standard error shows " +
      "the kubectl commands that create them. With --output-dir, all manifests and their Secrets are written for kubectl apply -k; only their owner " +
      "can read the Secrets. Sends no requests to Azure.",
    examples: [
      "aro-hcp render hosted-cluster --input-dir demo --release-image quay.io/... > hosted-cluster.yaml",
      "aro-hcp render hosted-cluster --input-dir demo --release-image quay.io/... --pull-secret pull-secret.json --node-pool-replicas 2 --output-dir manifests",
    ],
    required: ["releaseImage"],
    options: [
      ...everywhere,
      "azureCreds",
      "managementClusterFile",
      "name",
      "infraFile",
      "inputDir",
      ...identityFiles,
      "workloadIdentitiesFile",
      "disableClusterCapabilities",
      "oidcIssuerUrl",
      "namespace",
      "kmsCredentialsSecretName",
      "encryptionKeyId",
      "backupEncryptionKeyId",
      "signingKeyFile",
      "pullSecret",
      "sshKey",
      ...hostedClusterChoices,
      ...manifests,
      "kustomizationDir",
    ],
    usual: [
      "inputDir",
      "infraFile",
      "managementClusterFile",
      "pullSecret",
      "sshKey",
      "nodePoolReplicas",
      "instanceType",

      "kustomizationDir",
    ],
  },
  "render hypershift-install": {
    summary: "print the commands that install HyperShift's operator on a management cluster",
    description:
      "Prints the kubectl and hypershift commands that install the operator for ARO HCP, with the client ID, tags and groups from the output file of " +
      "create management-cluster. With --output-dir, writes them as a script, and the secrets that it passes to hypershift as files that only " +
      "their owner can read. Sends no requests to Azure.",
    examples: [
      "aro-hcp render hypershift-install --management-cluster-file management-cluster.json --pull-secret pull-secret.json",
      "aro-hcp render hypershift-install --management-cluster-file management-cluster.json --external-dns-credentials zone.json " +
        "--external-dns-domain-filter hcp.example.com --dns-zone-rg-name zones --output-dir install",
    ],
    options: [
      ...everywhere,
      "managementClusterFile",
      "keyVaultUserClientId",
      "installKubeconfig",
      "externalDnsCredentials",
      "externalDnsDomainFilter",
      "externalDnsZoneGroup",
      "pullSecret",
      "hypershiftImage",
      "sharedIngressIpTags",
      "privatePlatform",
      "plsGroup",
      "plsClientId",
      "installOutputDir",
    ],
    usual: [
      "managementClusterFile",
      "installKubeconfig",
      "externalDnsCredentials",
      "externalDnsDomainFilter",
      "externalDnsZoneGroup",
      "pullSecret",
      "installOutputDir",
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;
