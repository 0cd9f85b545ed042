/** What AKS makes of the profiles that a client sends: its defaults at creation, and the stored profiles in an update. */
import type { LoadBalancerProfile, NetworkProfile } from "./cluster-profiles.js";
import type { ClusterProperties } from "./cluster-body.js";
import { isSince } from "../../version-differences.js";

type Stored = Readonly<Record<string, unknown>>;

/** A network profile as stored: every cluster has these members. */
export type StoredNetwork = Omit<NetworkProfile, "loadBalancerSku"> & {
  readonly loadBalancerSku: "standard" | "Standard";
  readonly networkPlugin: "azure" | "kubenet" | "none";
  readonly outboundType: NonNullable<NetworkProfile["outboundType"]>;
  readonly serviceCidr: string;
  readonly dnsServiceIP: string;
};

/**
 * The first api-versions whose creations store a default that recordings of earlier ones lack: of networks, of pools, and an overlay network.
 * Recordings are of 2023-10-01, 2024-04-02-preview, 2024-09-01, 2025-02-01, 2025-08-01 and 2025-10-02-preview. Where a default came between
 * two of them is not known. The newest recording of a version counts: defaults change with the day too.
 */
export const defaultsSince = { explicit: "2024-01-01", explicitPools: "2024-05-01", overlay: "2024-09-01" } as const;
const bootstrapSince = { since: "2025-03-01", preview: "2024-04-02-preview" };

/** Without any settings, a new cluster has an overlay network, and in older api-versions kubenet. */
export function networkProfileFor(sent: NetworkProfile | undefined, before: StoredNetwork | undefined, apiVersion: string): StoredNetwork {
  const isNew = before === undefined;
  const hasOverlay = isNew && sent === undefined && apiVersion >= defaultsSince.overlay;
  const merged = { ...before, ...(hasOverlay && { networkPluginMode: "overlay" as const }), ...withoutUndefined(sent ?? {}) };
  const networkPlugin = merged.networkPlugin ?? (apiVersion >= defaultsSince.overlay ? "azure" : "kubenet");
  const { outboundType = "loadBalancer", serviceCidr = "10.0.0.0/16", dnsServiceIP = "10.0.0.10" } = merged;
  const dataplane = merged.networkDataplane ?? "azure";
  const isExplicit = apiVersion >= defaultsSince.explicit;
  const networkPolicy = merged.networkPolicy ?? (dataplane === "cilium" ? "cilium" : isExplicit ? "none" : undefined);
  const loadBalancerSku = isNew ? skuFor(sent, isExplicit) : before.loadBalancerSku;
  const podCidr =
    merged.podCidr ?? (hasPodRange({ networkPlugin, networkPluginMode: merged.networkPluginMode }) ? "10.244.0.0/16" : undefined);
  const { loadBalancerProfile, podCidr: _podCidr, podCidrs: _podCidrs, serviceCidrs: _serviceCidrs, ...others } = merged;
  return {
    ...others,
    networkPlugin,
    ...(networkPolicy && { networkPolicy }),
    ...(networkPlugin === "azure" && { networkDataplane: dataplane }),
    loadBalancerSku,
    ...(outboundType === "managedNATGateway" && { natGatewayProfile: natGatewayFor(merged.natGatewayProfile) }),
    ...(outboundType === "loadBalancer" && { loadBalancerProfile: balancerProfileFor(loadBalancerProfile, isExplicit) }),
    outboundType,
    ...(podCidr !== undefined && { podCidr, podCidrs: [podCidr] }),
    podLinkLocalAccess: merged.podLinkLocalAccess ?? "IMDS",
    serviceCidr,
    serviceCidrs: [serviceCidr],
    dnsServiceIP,
    ipFamilies: merged.ipFamilies ?? ["IPv4"],
  };
}

/** Older creations that name the SKU answer it in upper case, when they have ended. */
function skuFor(sent: NetworkProfile | undefined, isExplicit: boolean): StoredNetwork["loadBalancerSku"] {
  return sent?.loadBalancerSku === undefined || isExplicit ? "standard" : "Standard";
}

function natGatewayFor(sent: NetworkProfile["natGatewayProfile"]): NonNullable<NetworkProfile["natGatewayProfile"]> {
  return { managedOutboundIPProfile: { count: 1 }, idleTimeoutInMinutes: 4, ...withoutUndefined(sent ?? {}) };
}

/** A profile that names addresses of its own has no managed ones. AKS answers its default in lower case, unlike its description. */
function balancerProfileFor(sent: LoadBalancerProfile = {}, isExplicit: boolean): LoadBalancerProfile {
  const isManaged = sent.outboundIPs === undefined && sent.outboundIPPrefixes === undefined;
  return {
    ...(isManaged && { managedOutboundIPs: { count: 1 } }),
    ...(isExplicit && { backendPoolType: "nodeIPConfiguration" as const }),
    ...withoutUndefined(sent),
  };
}

function hasPodRange({ networkPlugin, networkPluginMode }: Pick<NetworkProfile, "networkPlugin" | "networkPluginMode">): boolean {
  return networkPlugin === "kubenet" || networkPluginMode === "overlay";
}

/** The profiles that every cluster answers; those that are sent replace them. */
const always = {
  enableRBAC: true,
  supportPlan: "KubernetesOfficial",
  servicePrincipalProfile: { clientId: "msi" },
  autoUpgradeProfile: { nodeOSUpgradeChannel: "NodeImage" },
  securityProfile: {},
  workloadAutoScalerProfile: {},
  metricsProfile: { costAnalysis: { enabled: false } },
  nodeProvisioningProfile: { mode: "Manual", defaultNodePools: "Auto" },
  hostedSystemProfile: { enabled: false },
  enableFIPS: false,
};

/** What runs in the control plane in its second form. Previews alone answer it, and describe it nowhere. */
const plugins = [
  "azure-monitor-metrics-ccp",
  "gpu-provisioner",
  "karpenter",
  "kubelet-serving-csr-approver",
  "live-patching-controller",
  "static-egress-controller",
];

const storage = {
  diskCSIDriver: { enabled: true, version: "v1" },
  fileCSIDriver: { enabled: true },
  snapshotController: { enabled: true },
};

/** AKS answers all of them as soon as one pool is scaled automatically. */
const autoScaler = {
  "balance-similar-node-groups": "false",
  "daemonset-eviction-for-empty-nodes": false,
  "daemonset-eviction-for-occupied-nodes": true,
  expander: "random",
  "ignore-daemonsets-utilization": false,
  "max-empty-bulk-delete": "10",
  "max-graceful-termination-sec": "600",
  "max-node-provision-time": "15m",
  "max-total-unready-percentage": "45",
  "new-pod-scale-up-delay": "0s",
  "ok-total-unready-count": "3",
  "scale-down-delay-after-add": "10m",
  "scale-down-delay-after-delete": "10s",
  "scale-down-delay-after-failure": "3m",
  "scale-down-unneeded-time": "10m",
  "scale-down-unready-time": "20m",
  "scale-down-utilization-threshold": "0.5",
  "scan-interval": "10s",
  "skip-nodes-with-local-storage": "false",
  "skip-nodes-with-system-pods": "true",
};

/** Their members are kept one by one if a body omits them; those of other profiles go together. */
type Merged = "autoScalerProfile" | "autoUpgradeProfile" | "securityProfile" | "aadProfile" | "storageProfile";

interface ProfileContext {
  readonly before: Stored | undefined;
  readonly isScaled: boolean;
  readonly tenantId: string;
  readonly apiVersion: string;
}

/** What the body says, over what is stored, over the defaults. */
export function profilesFor(
  sent: Partial<ClusterProperties>,
  { before = {}, isScaled, tenantId, apiVersion }: ProfileContext,
): Record<string, unknown> {
  const bootstrap = isSince(apiVersion, bootstrapSince) && { bootstrapProfile: { artifactSource: "Direct" } };
  const together = { ...always, ...bootstrap, ...before, ...withoutUndefined(sent) };
  const over = (member: Merged, defaults: object = {}) => ({
    ...defaults,
    ...(before[member] as object | undefined),
    ...withoutUndefined(sent[member] ?? {}),
  });
  const scaler = over("autoScalerProfile", isScaled ? autoScaler : {});
  const hasEntra = "aadProfile" in together;
  return {
    ...together,
    autoUpgradeProfile: over("autoUpgradeProfile", always.autoUpgradeProfile),
    securityProfile: withCleanerInterval(over("securityProfile")),
    storageProfile: over("storageProfile", storage),
    controlPlanePluginProfiles: Object.fromEntries(plugins.map((name) => [name, { enableV2: true }])),
    ...(hasEntra && { aadProfile: over("aadProfile", { managed: true, enableAzureRBAC: false, tenantID: tenantId }) }),
    ...(Object.keys(scaler).length > 0 && { autoScalerProfile: scaler }),
  };
}

/** Images are cleaned every week unless the client says otherwise. */
function withCleanerInterval(profile: object): object {
  const { imageCleaner } = profile as NonNullable<ClusterProperties["securityProfile"]>;
  return { ...profile, ...(imageCleaner?.enabled && { imageCleaner: { intervalHours: 168, ...withoutUndefined(imageCleaner) } }) };
}

/** A network that Windows nodes can join has settings for them, if a creation names its plugin. The password is never answered. */
export function windowsProfileFor(
  { windowsProfile: sent, networkProfile }: Partial<ClusterProperties>,
  before: Stored | undefined,
): object | undefined {
  const isNamed = networkProfile?.networkPlugin === "azure" || networkProfile?.networkPlugin === "none";
  const kept = before?.["windowsProfile"] as object | undefined;
  const hasDefault = before === undefined && (sent !== undefined || isNamed);
  if (sent === undefined && kept === undefined && !hasDefault) return undefined;
  const { adminPassword: _password, ...others } = sent ?? {};
  return { ...(hasDefault && { adminUsername: "azureuser", enableCSIProxy: true }), ...kept, ...others };
}

export function withoutUndefined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
