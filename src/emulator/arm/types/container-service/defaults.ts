/** What AKS makes of the profiles that a client sends: its defaults at creation, and the stored profiles in an update. */
import type { NetworkProfile } from "./cluster-profiles.js";
import type { ClusterProperties } from "./cluster-body.js";

type Stored = Readonly<Record<string, unknown>>;

/** A network profile as stored: every cluster has these members. */
export type StoredNetwork = NetworkProfile & {
  readonly networkPlugin: "azure" | "kubenet" | "none";
  readonly outboundType: NonNullable<NetworkProfile["outboundType"]>;
  readonly serviceCidr: string;
  readonly dnsServiceIP: string;
};

/** Without any settings, a new cluster has an overlay network. */
export function networkProfileFor(sent: NetworkProfile | undefined, before: StoredNetwork | undefined): StoredNetwork {
  const overlay = before === undefined && sent === undefined ? ({ networkPluginMode: "overlay" } as const) : {};
  const merged = { ...before, ...overlay, ...withoutUndefined(sent ?? {}) };
  const { networkPlugin = "azure", outboundType = "loadBalancer", serviceCidr = "10.0.0.0/16", dnsServiceIP = "10.0.0.10" } = merged;
  const dataplane = merged.networkDataplane ?? "azure";
  const podCidr =
    merged.podCidr ?? (hasPodRange({ networkPlugin, networkPluginMode: merged.networkPluginMode }) ? "10.244.0.0/16" : undefined);
  const { loadBalancerProfile, podCidr: _podCidr, podCidrs: _podCidrs, serviceCidrs: _serviceCidrs, ...others } = merged;
  return {
    ...others,
    networkPlugin,
    networkPolicy: merged.networkPolicy ?? (dataplane === "cilium" ? "cilium" : "none"),
    ...(networkPlugin === "azure" && { networkDataplane: dataplane }),
    loadBalancerSku: "standard",
    ...(outboundType === "loadBalancer" && { loadBalancerProfile: balancerProfileFor(loadBalancerProfile) }),
    outboundType,
    ...(podCidr !== undefined && { podCidr, podCidrs: [podCidr] }),
    serviceCidr,
    serviceCidrs: [serviceCidr],
    dnsServiceIP,
    ipFamilies: merged.ipFamilies ?? ["IPv4"],
  };
}

/** A profile that names addresses of its own has no managed ones. */
function balancerProfileFor(sent: NetworkProfile["loadBalancerProfile"] = {}): NonNullable<NetworkProfile["loadBalancerProfile"]> {
  const isManaged = sent.outboundIPs === undefined && sent.outboundIPPrefixes === undefined;
  return { ...(isManaged && { managedOutboundIPs: { count: 1 } }), backendPoolType: "NodeIPConfiguration", ...withoutUndefined(sent) };
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
  nodeProvisioningProfile: { mode: "Manual" },
  bootstrapProfile: { artifactSource: "Direct" },
  hostedSystemProfile: { enabled: false },
};

const storage = { diskCSIDriver: { enabled: true }, fileCSIDriver: { enabled: true }, snapshotController: { enabled: true } };

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

/** What the body says, over what is stored, over the defaults. */
export function profilesFor(
  sent: Partial<ClusterProperties>,
  { before = {}, isScaled, tenantId }: { readonly before: Stored | undefined; readonly isScaled: boolean; readonly tenantId: string },
): Record<string, unknown> {
  const together = { ...always, ...before, ...withoutUndefined(sent) };
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
    securityProfile: over("securityProfile"),
    storageProfile: over("storageProfile", storage),
    ...(hasEntra && { aadProfile: over("aadProfile", { managed: true, enableAzureRBAC: false, tenantID: tenantId }) }),
    ...(Object.keys(scaler).length > 0 && { autoScalerProfile: scaler }),
  };
}

export function withoutUndefined<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}
