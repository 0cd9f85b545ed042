/** Settings of clusters and pools that have no effect here: stored and answered, with the members that AKS describes. */
import { z } from "zod";
import { known } from "../../body-schema.js";

const flag = z.boolean().optional();
const text = z.string().optional();
const whole = z.int().optional();
const texts = z.array(z.string()).optional();
const switchable = part({ enabled: flag });

/** An object of such settings. Those that AKS answers and ignores in a body are read-only. */
function part<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[] = []) {
  return known(shape, readOnly).optional();
}

export const ofCluster = {
  aiToolchainOperatorProfile: switchable,
  enableFIPS: flag,
  bootstrapProfile: part({ artifactSource: text, containerRegistryId: text }),
  httpProxyConfig: part({ httpProxy: text, httpsProxy: text, noProxy: texts, trustedCa: text, enabled: flag }),
  linuxProfile: part({ adminUsername: text, ssh: part({ publicKeys: z.array(known({ keyData: z.string() })) }) }),
  metricsProfile: part({ costAnalysis: switchable }),
  nodeProvisioningProfile: part({ mode: text, defaultNodePools: text }),
  podIdentityProfile: part({
    enabled: flag,
    allowNetworkPluginKubenet: flag,
    userAssignedIdentities: z.array(z.record(z.string(), z.unknown())).optional(),
    userAssignedIdentityExceptions: z
      .array(known({ name: z.string(), namespace: z.string(), podLabels: z.record(z.string(), z.string()) }))
      .optional(),
  }),
  upgradeSettings: part({ overrideSettings: part({ forceUpgrade: flag, until: text }) }),
  windowsProfile: part({
    adminUsername: text,
    adminPassword: text,
    licenseType: text,
    enableCSIProxy: flag,
    gmsaProfile: part({ enabled: flag, dnsServer: text, rootDomainName: text }),
  }),
  workloadAutoScalerProfile: part({ keda: switchable, verticalPodAutoscaler: part({ enabled: flag, addonAutoscaling: text }) }),
};

export const ofNetwork = {
  advancedNetworking: part({
    enabled: flag,
    observability: switchable,
    security: part({ enabled: flag, advancedNetworkPolicies: text, transitEncryption: part({ type: text }) }),
    performance: part({ accelerationMode: text }),
  }),
  natGatewayProfile: part({ managedOutboundIPProfile: part({ count: whole }), idleTimeoutInMinutes: whole }, ["effectiveOutboundIPs"]),
  networkMode: text,
  podLinkLocalAccess: text,
  staticEgressGatewayProfile: switchable,
};

export const apiServerAccessProfile = part({
  authorizedIPRanges: texts,
  enablePrivateCluster: flag,
  privateDNSZone: text,
  enablePrivateClusterPublicFQDN: flag,
  disableRunCommand: flag,
  enableVnetIntegration: flag,
  subnetId: text,
});

export const defender = part({ logAnalyticsWorkspaceResourceId: text, securityMonitoring: switchable });

export const certificateAuthority = part({
  plugin: part({ keyVaultId: text, certObjectName: text, keyObjectName: text, rootCertObjectName: text, certChainObjectName: text }),
});

export const webAppRouting = part(
  {
    enabled: flag,
    dnsZoneResourceIds: texts,
    nginx: part({ defaultIngressControllerType: text }),
    gatewayAPIImplementations: part({ appRoutingIstio: part({ mode: text }) }),
  },
  ["identity"],
);

export const controlPlaneMetrics = switchable;
export const appMonitoring = part({ autoInstrumentation: switchable });

const dnsOverride = known({
  queryLogging: text,
  protocol: text,
  forwardDestination: text,
  forwardPolicy: text,
  maxConcurrent: whole,
  cacheDurationInSeconds: whole,
  serveStaleDurationInSeconds: whole,
  serveStale: text,
});
const dnsOverrides = z.record(z.string(), dnsOverride).optional();

/** Of the kernel. All but two are numbers. */
const kernelNumbers = [
  "fsAioMaxNr",
  "fsFileMax",
  "fsInotifyMaxUserWatches",
  "fsNrOpen",
  "kernelThreadsMax",
  "netCoreNetdevMaxBacklog",
  "netCoreOptmemMax",
  "netCoreRmemDefault",
  "netCoreRmemMax",
  "netCoreSomaxconn",
  "netCoreWmemDefault",
  "netCoreWmemMax",
  "netIpv4NeighDefaultGcThresh1",
  "netIpv4NeighDefaultGcThresh2",
  "netIpv4NeighDefaultGcThresh3",
  "netIpv4TcpFinTimeout",
  "netIpv4TcpKeepaliveProbes",
  "netIpv4TcpKeepaliveTime",
  "netIpv4TcpMaxSynBacklog",
  "netIpv4TcpMaxTwBuckets",
  "netIpv4TcpkeepaliveIntvl",
  "netNetfilterNfConntrackBuckets",
  "netNetfilterNfConntrackMax",
  "vmMaxMapCount",
  "vmSwappiness",
  "vmVfsCachePressure",
] as const;
const sysctls = part({
  netIpv4IpLocalPortRange: text,
  netIpv4TcpTwReuse: flag,
  ...Object.fromEntries(kernelNumbers.map((name) => [name, whole])),
});

export const ofPool = {
  artifactStreamingProfile: switchable,
  capacityReservationGroupID: text,
  gatewayProfile: part({ publicIPPrefixSize: whole }),
  gpuInstanceProfile: text,
  gpuProfile: part({ driver: text }),
  hostGroupID: text,
  kubeletConfig: part({
    cpuManagerPolicy: text,
    cpuCfsQuota: flag,
    cpuCfsQuotaPeriod: text,
    imageGcHighThreshold: whole,
    imageGcLowThreshold: whole,
    topologyManagerPolicy: text,
    allowedUnsafeSysctls: texts,
    failSwapOn: flag,
    containerLogMaxSizeMB: whole,
    containerLogMaxFiles: whole,
    podMaxPids: whole,
  }),
  linuxOSConfig: part({ sysctls, transparentHugePageEnabled: text, transparentHugePageDefrag: text, swapFileSizeMB: whole }),
  localDNSProfile: part({ mode: text, vnetDNSOverrides: dnsOverrides, kubeDNSOverrides: dnsOverrides }, ["state"]),
  messageOfTheDay: text,
  networkProfile: part({
    nodePublicIPTags: z.array(known({ ipTagType: text, tag: text })).optional(),
    allowedHostPorts: z.array(known({ portStart: whole, portEnd: whole, protocol: text })).optional(),
    applicationSecurityGroups: texts,
  }),
  nodePublicIPPrefixID: text,
  proximityPlacementGroupID: text,
  securityProfile: part({ enableVTPM: flag, enableSecureBoot: flag, sshAccess: text }),
  upgradeStrategy: text,
  upgradeSettings: part({
    maxSurge: text,
    maxUnavailable: text,
    drainTimeoutInMinutes: whole,
    nodeSoakDurationInMinutes: whole,
    undrainableNodeBehavior: text,
  }),
  windowsProfile: part({ disableOutboundNat: flag }),
};
