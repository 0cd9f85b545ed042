/** An agent pool as AKS stores it: what was sent, over what is stored, over its defaults. */
import type { AzureState } from "../../../state/state.js";
import { sizeNamed } from "../compute/machine-sizes.js";
import { defaultsSince, withoutUndefined, type StoredNetwork } from "./defaults.js";
import { offered, requireCompatible, upgraded, type SupportPlan, type Version } from "./kubernetes-versions.js";
import type { Pool } from "./pool-body.js";

/** What a pool takes from its cluster. */
export interface OfCluster {
  readonly state: AzureState;
  readonly version: Version;
  readonly plan: SupportPlan;
  readonly network: StoredNetwork;
  /** What writes the pool: its own path, or that of its cluster. */
  readonly by: { readonly path: "pool" | "cluster"; readonly apiVersion: string };
}

/** What rules and the node group read of a stored pool. */
export interface StoredPool extends Readonly<Record<string, unknown>> {
  readonly count: number;
  readonly vmSize: string;
  readonly mode: "System" | "User";
  readonly enableAutoScaling?: boolean;
  readonly minCount?: number;
  readonly maxCount?: number;
  readonly maxPods: number;
  readonly vnetSubnetID?: string;
  readonly podSubnetID?: string;
  readonly availabilityZones?: readonly string[];
  readonly nodeTaints?: readonly string[];
  readonly scaleSetPriority?: string;
  readonly enableEncryptionAtHost?: boolean;
  readonly enableNodePublicIP?: boolean;
  readonly orchestratorVersion: string;
  readonly currentOrchestratorVersion: string;
  readonly powerState: { readonly code: string };
}

const always = {
  vmSize: "Standard_D4s_v5",
  osDiskSizeGB: 128,
  kubeletDiskType: "OS",
  osType: "Linux",
  osSKU: "Ubuntu",
  mode: "User",
  type: "VirtualMachineScaleSets",
  enableFIPS: false,
  powerState: { code: "Running" },
} as const;

/** What AKS stores although no version before the named one was answered with it, unless the client sent it. */
function byVersion({ path, apiVersion }: OfCluster["by"], isNew: boolean): Partial<Pool> {
  const isNewest = apiVersion >= defaultsSince.overlay;
  const isExplicit = apiVersion >= defaultsSince.explicitPools;
  return {
    ...(isExplicit && { enableNodePublicIP: false }),
    ...(isExplicit && (path === "pool" || !isNew) && { enableAutoScaling: false }),
    ...(isExplicit && !isNew && { upgradeStrategy: "Rolling" }),
    ...((isNewest || path === "pool") && { scaleDownMode: "Delete" }),
  };
}

/** A pool of older versions has what was sent; one that its cluster brings then has AKS's surge, unless something was sent. */
function upgradeSettingsOf(sent: Pool, before: StoredPool | undefined, { path, apiVersion }: OfCluster["by"]): object | undefined {
  const own = before?.["upgradeSettings"] as object | undefined;
  if (apiVersion >= defaultsSince.overlay) return { maxSurge: "10%", maxUnavailable: "0", ...own, ...sent.upgradeSettings };
  const byDefault = before === undefined && path === "cluster" ? { maxSurge: "10%" } : undefined;
  return sent.upgradeSettings === undefined ? (own ?? byDefault) : { ...own, ...sent.upgradeSettings };
}

/** Only spot machines have a price and an eviction policy; AKS marks their nodes, so that only what tolerates them runs there. */
function priorityOf({ scaleSetPriority, scaleSetEvictionPolicy, spotMaxPrice, nodeLabels, nodeTaints }: Partial<Pool>): Partial<Pool> {
  if (scaleSetPriority !== "Spot") return {};
  const [label, taint] = ["kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/scalesetpriority=spot:NoSchedule"];
  return {
    scaleSetPriority,
    scaleSetEvictionPolicy: scaleSetEvictionPolicy ?? "Delete",
    spotMaxPrice: spotMaxPrice ?? -1,
    nodeLabels: { ...nodeLabels, [label]: "spot" },
    nodeTaints: [...new Set([...(nodeTaints ?? []), taint])],
  };
}

/** Members that are absent if they are empty. */
const absentIfEmpty = ["nodeTaints", "nodeLabels", "tags", "availabilityZones"];

/** @throws ApiError for a version that the cluster cannot have */
export function poolFor(sent: Pool, before: StoredPool | undefined, cluster: OfCluster): StoredPool {
  const merged = {
    ...always,
    ...byVersion(cluster.by, before === undefined),
    maxPods: maxPodsOf(cluster.network),
    ...before,
    ...withoutUndefined(sent),
  };
  const { minCount, maxCount, scaleSetPriority: _priority, scaleSetEvictionPolicy: _policy, spotMaxPrice: _price, ...together } = merged;
  const version = versionOf(sent, before, cluster);
  const scaled = together.enableAutoScaling === true;
  const pool = {
    ...together,
    ...priorityOf(merged as Partial<Pool>),
    osDiskType: together.osDiskType ?? diskOf(together.vmSize ?? always.vmSize, together.osDiskSizeGB ?? always.osDiskSizeGB),
    count: scaled ? scaledCount(sent, before, { minCount, maxCount }) : (sent.count ?? before?.count ?? 1),
    ...(scaled && { minCount, maxCount }),
    ...(together.osDiskSizeGB === 0 && { osDiskSizeGB: 128 }),
    orchestratorVersion: version.wanted,
    currentOrchestratorVersion: version.current,
    nodeImageVersion: before?.["nodeImageVersion"] ?? imageOf(together.osSKU ?? always.osSKU),
    upgradeSettings: upgradeSettingsOf(sent, before, cluster.by),
    securityProfile: {
      sshAccess: "LocalUser",
      ...((cluster.by.path === "cluster" || cluster.by.apiVersion >= defaultsSince.explicitPools) && {
        enableVTPM: false,
        enableSecureBoot: false,
      }),
      ...(before?.["securityProfile"] as object | undefined),
      ...sent.securityProfile,
    },
  };
  return Object.fromEntries(
    Object.entries(pool).filter(([member, value]) => value !== undefined && !(absentIfEmpty.includes(member) && isEmpty(value))),
  ) as unknown as StoredPool;
}

/** A new pool begins with the count that it is created with; the autoscaler then brings it within changed bounds. */
function scaledCount(sent: Pool, before: StoredPool | undefined, { minCount = 1, maxCount = 1000 }: Pick<Pool, "minCount" | "maxCount">) {
  const count = sent.count ?? before?.count ?? minCount;
  return before === undefined ? count : Math.min(Math.max(count, minCount), Math.max(minCount, maxCount));
}

/** Without a choice, the OS disk is on the machine itself where it has the place. */
function diskOf(vmSize: string, diskGB: number): "Ephemeral" | "Managed" {
  const size = sizeNamed(vmSize);
  return size?.ephemeral === "cache" && size.temporaryDiskGB >= (diskGB === 0 ? 128 : diskGB) ? "Ephemeral" : "Managed";
}

export function imageOf(osSKU: string): string {
  return osSKU.startsWith("Ubuntu") ? "AKSUbuntu-2204gen2containerd-202609.03.0" : "AKSAzureLinux-V3gen2-202609.03.0";
}

/** A pool follows its cluster until it has a version of its own. */
function versionOf({ orchestratorVersion: sent }: Pool, before: StoredPool | undefined, { version: ofCluster, plan }: OfCluster): Version {
  if (before === undefined) {
    const version = sent === undefined ? ofCluster : offered(sent, plan);
    requireCompatible(version, ofCluster);
    return version;
  }
  const version = upgraded({ wanted: before.orchestratorVersion, current: before.currentOrchestratorVersion }, sent, plan);
  requireCompatible(version, ofCluster);
  return version;
}

function maxPodsOf({ networkPlugin, networkPluginMode }: StoredNetwork): number {
  return networkPluginMode === "overlay" || networkPlugin === "none" ? 250 : networkPlugin === "kubenet" ? 110 : 30;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
