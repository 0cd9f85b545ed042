/** What AKS adds to what a client sends: versions with their patch, networks, profiles. */
import type { ClusterBody, Pool } from "./cluster-body.js";

const defaultVersion = "1.33.5";

/** A cluster answers the version that was sent, and runs its newest patch. */
export function versionsFor(sent: string | undefined): { readonly wanted: string; readonly current: string } {
  const wanted = sent ?? defaultVersion;
  return { wanted, current: /^\d+\.\d+$/.test(wanted) ? `${wanted}.5` : wanted };
}

type NetworkProfile = NonNullable<ClusterBody["properties"]["networkProfile"]>;

/** Without any settings, a cluster has an overlay network. */
export function networkProfileFor(sent: NetworkProfile | undefined): NetworkProfile {
  const { podCidr, ...network } = sent ?? {
    networkPlugin: "azure",
    networkPluginMode: "overlay",
    networkPolicy: "none",
    loadBalancerSku: "standard",
    outboundType: "loadBalancer",
    serviceCidr: "10.0.0.0/16",
    dnsServiceIP: "10.0.0.10",
    ipFamilies: ["IPv4"],
  };
  const ofPods = podCidr ?? (hasPodRange(network) ? "10.244.0.0/16" : undefined);
  return {
    ...network,
    ...(network.networkPlugin === "azure" && { networkDataplane: network.networkDataplane ?? "azure" }),
    ...(network.outboundType === "loadBalancer" && {
      loadBalancerProfile: { managedOutboundIPs: { count: 1 }, backendPoolType: "NodeIPConfiguration", ...network.loadBalancerProfile },
    }),
    ...(ofPods !== undefined && { podCidr: ofPods, podCidrs: network.podCidrs ?? [ofPods] }),
    serviceCidrs: network.serviceCidrs ?? [network.serviceCidr],
  };
}

function hasPodRange({ networkPlugin, networkPluginMode }: Pick<NetworkProfile, "networkPlugin" | "networkPluginMode">): boolean {
  return networkPlugin === "kubenet" || networkPluginMode === "overlay";
}

/** The profiles that every cluster answers; those that are sent replace them. */
export const profiles = {
  autoUpgradeProfile: { nodeOSUpgradeChannel: "NodeImage" },
  securityProfile: {},
  storageProfile: {
    diskCSIDriver: { enabled: true },
    fileCSIDriver: { enabled: true },
    snapshotController: { enabled: true },
  },
  workloadAutoScalerProfile: {},
  metricsProfile: { costAnalysis: { enabled: false } },
  nodeProvisioningProfile: { mode: "Manual", defaultNodePools: "Auto" },
  bootstrapProfile: { artifactSource: "Direct" },
};

/** A pool as stored, without its name. `kubernetes` and `network` are the cluster's. */
export function poolProperties(
  pool: Pool,
  kubernetes: string,
  network: Pick<NetworkProfile, "networkPlugin" | "networkPluginMode">,
): Record<string, unknown> {
  const { wanted, current } = versionsFor(pool.orchestratorVersion ?? kubernetes);
  const { nodeTaints = [], ...others } = pool;
  return {
    osDiskSizeGB: 128,
    maxPods: network.networkPluginMode === "overlay" ? 250 : network.networkPlugin === "kubenet" ? 110 : 30,
    powerState: { code: "Running" },
    ...others,
    ...(pool.osDiskSizeGB === 0 && { osDiskSizeGB: 128 }),
    ...(nodeTaints.length > 0 && { nodeTaints }),
    orchestratorVersion: wanted,
    currentOrchestratorVersion: current,
    nodeImageVersion: pool.osSKU.startsWith("Ubuntu") ? "AKSUbuntu-2204gen2containerd-202511.07.0" : "AKSAzureLinux-V3gen2-202511.07.0",
    upgradeSettings: { maxSurge: "10%", maxUnavailable: "0", ...pool.upgradeSettings },
    securityProfile: { sshAccess: "LocalUser", enableVTPM: false, enableSecureBoot: false, ...pool.securityProfile },
  };
}
