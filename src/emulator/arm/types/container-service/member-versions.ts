/** The api-versions since which AKS has the members of a cluster and of its pools, from Microsoft's published descriptions. */
import type { VersionDifference } from "../../version-difference.js";

type Since = Readonly<Record<string, readonly string[]>>;

/** A member whose object came with the same version, or with the oldest that is served, is not named. */
const ofCluster: Since = {
  "2020-02-01": ["networkProfile.networkMode", "autoScalerProfile"],
  "2020-03-01": ["aadProfile.managed", "aadProfile.adminGroupObjectIDs"],
  "2020-06-01": ["aadProfile.enableAzureRBAC"],
  "2020-07-01": ["windowsProfile.licenseType"],
  "2020-09-01": ["powerState"],
  "2020-11-01": ["podIdentityProfile", "autoUpgradeProfile", "apiServerAccessProfile.privateDNSZone"],
  "2021-02-01": ["fqdnSubdomain", "azurePortalFQDN", "podIdentityProfile.allowNetworkPluginKubenet"],
  "2021-03-01": ["windowsProfile.enableCSIProxy", "privateLinkResources", "disableLocalAccounts", "httpProxyConfig"],
  "2021-05-01": ["apiServerAccessProfile.enablePrivateClusterPublicFQDN"],
  "2021-07-01": ["networkProfile.natGatewayProfile", "securityProfile"],
  "2021-08-01": [
    "networkProfile.loadBalancerProfile.enableMultipleStandardLoadBalancers",
    "apiServerAccessProfile.disableRunCommand",
    "publicNetworkAccess",
  ],
  "2021-09-01": ["windowsProfile.gmsaProfile"],
  "2021-10-01": [
    "networkProfile.loadBalancerProfile.managedOutboundIPs.countIPv6",
    "networkProfile.podCidrs",
    "networkProfile.serviceCidrs",
    "networkProfile.ipFamilies",
  ],
  "2022-04-01": ["currentKubernetesVersion", "storageProfile"],
  "2022-06-01": ["securityProfile.azureKeyVaultKms", "securityProfile.defender"],
  "2022-09-01": ["oidcIssuerProfile", "storageProfile.blobCSIDriver"],
  "2022-11-01": ["workloadAutoScalerProfile"],
  "2023-01-01": ["azureMonitorProfile"],
  "2023-02-01": [
    "securityProfile.workloadIdentity",
    "securityProfile.imageCleaner",
    "networkProfile.networkPluginMode",
    "networkProfile.networkDataplane",
  ],
  "2023-03-01": ["supportPlan"],
  "2023-06-01": ["workloadAutoScalerProfile.verticalPodAutoscaler", "autoUpgradeProfile.nodeOSUpgradeChannel"],
  "2023-07-01": ["upgradeSettings"],
  "2023-08-01": ["serviceMeshProfile", "resourceUID"],
  "2023-10-01": ["networkProfile.loadBalancerProfile.backendPoolType"],
  "2024-01-01": ["ingressProfile"],
  "2024-02-01": ["metricsProfile"],
  "2024-05-01": [
    "autoScalerProfile.daemonset-eviction-for-empty-nodes",
    "autoScalerProfile.daemonset-eviction-for-occupied-nodes",
    "autoScalerProfile.ignore-daemonsets-utilization",
  ],
  "2024-09-01": ["nodeResourceGroupProfile", "networkProfile.advancedNetworking"],
  "2025-01-01": ["bootstrapProfile"],
  "2025-02-01": ["securityProfile.customCATrustCertificates", "ingressProfile.webAppRouting.nginx"],
  "2025-03-01": ["apiServerAccessProfile.enableVnetIntegration", "apiServerAccessProfile.subnetId"],
  "2025-04-01": ["networkProfile.staticEgressGatewayProfile"],
  "2025-05-01": ["aiToolchainOperatorProfile", "nodeProvisioningProfile", "nodeProvisioningProfile.defaultNodePools"],
  "2025-07-01": ["kind"],
  "2025-08-01": ["networkProfile.advancedNetworking.security.advancedNetworkPolicies"],
  // Described since 2024-09-01, but not answered in recordings of that version and of 2025-08-01.
  "2025-09-01": ["eTag"],
  "2026-02-01": ["ingressProfile.gatewayAPI"],
  "2026-04-01": ["hostedSystemProfile"],
};

/**
 * The previews since which AKS answers members that no version, or only a later one, has: the oldest recorded one of 2024-04-02-preview and
 * 2025-10-02-preview.
 */
const ofClusterPreview: Since = {
  "2024-04-02-preview": [
    "kind",
    "eTag",
    "bootstrapProfile",
    "controlPlanePluginProfiles",
    "nodeProvisioningProfile",
    "nodeResourceGroupProfile",
    "networkProfile.advancedNetworking",
    "networkProfile.staticEgressGatewayProfile",
    "apiServerAccessProfile.enableVnetIntegration",
    "apiServerAccessProfile.subnetId",
    "aiToolchainOperatorProfile",
    "securityProfile.customCATrustCertificates",
    "storageProfile.diskCSIDriver.version",
  ],
  "2025-10-02-preview": [
    "controlPlanePluginProfiles.gpu-provisioner",
    "controlPlanePluginProfiles.kubelet-serving-csr-approver",
    "controlPlanePluginProfiles.static-egress-controller",
    "enableFIPS",
    "hostedSystemProfile",
    "networkProfile.podLinkLocalAccess",
    "nodeProvisioningProfile.defaultNodePools",
  ],
};

const ofPool: Since = {
  "2020-02-01": ["spotMaxPrice"],
  "2020-03-01": ["mode"],
  "2020-04-01": ["nodeImageVersion", "upgradeSettings"],
  "2020-06-01": ["proximityPlacementGroupID"],
  "2020-09-01": ["osDiskType", "powerState"],
  "2020-11-01": ["podSubnetID", "kubeletConfig", "linuxOSConfig"],
  "2020-12-01": ["kubeletDiskType", "enableEncryptionAtHost"],
  "2021-02-01": ["nodePublicIPPrefixID"],
  "2021-03-01": ["osSKU", "enableFIPS", "gpuInstanceProfile"],
  "2021-05-01": ["enableUltraSSD"],
  "2021-07-01": ["scaleDownMode"],
  "2021-08-01": ["workloadRuntime", "creationData"],
  "2022-04-01": ["currentOrchestratorVersion"],
  "2022-06-01": ["hostGroupID"],
  "2023-06-01": ["upgradeSettings.drainTimeoutInMinutes"],
  "2023-10-01": ["capacityReservationGroupID", "networkProfile"],
  "2023-11-01": ["upgradeSettings.nodeSoakDurationInMinutes"],
  "2024-02-01": ["windowsProfile"],
  "2024-07-01": ["securityProfile"],
  "2024-10-01": ["messageOfTheDay"],
  "2025-02-01": ["gpuProfile"],
  "2025-03-01": ["upgradeSettings.undrainableNodeBehavior", "upgradeSettings.maxUnavailable"],
  "2025-04-01": ["virtualMachinesProfile", "podIPAllocationMode", "gatewayProfile"],
  "2025-08-01": ["securityProfile.sshAccess"],
  "2025-09-01": ["eTag", "artifactStreamingProfile", "localDNSProfile"],
};

const ofPoolPreview: Since = {
  "2024-04-02-preview": [
    "artifactStreamingProfile",
    "eTag",
    "gatewayProfile",
    "gpuProfile",
    "messageOfTheDay",
    "podIPAllocationMode",
    "securityProfile",
    "securityProfile.sshAccess",
    "upgradeSettings.undrainableNodeBehavior",
    "virtualMachinesProfile",
  ],
  "2025-10-02-preview": ["upgradeStrategy"],
};

function differencesIn(versions: Since, previews: Since, within = ""): VersionDifference[] {
  const found = new Map<string, VersionDifference>();
  const add = (table: Since, of: "since" | "preview") => {
    for (const [version, members] of Object.entries(table)) {
      for (const name of members) {
        const member = `${within}${name}`;
        found.set(member, { ...found.get(member), member, [of]: version });
      }
    }
  };
  add(versions, "since");
  add(previews, "preview");
  // What only previews answer is in the state, so that a seed that repeats the state is not refused for it.
  return [...found.values()].map((one) => (one.since === undefined ? { ...one, ignored: true } : one));
}

export const poolVersions: readonly VersionDifference[] = differencesIn(ofPool, ofPoolPreview);

/** A cluster has its pools in its answer. */
export const clusterVersions: readonly VersionDifference[] = [
  ...differencesIn(ofCluster, ofClusterPreview),
  ...differencesIn(ofPool, ofPoolPreview, "agentPoolProfiles."),
];
