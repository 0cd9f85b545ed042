/** An agent pool as AKS stores it: what was sent, over what is stored, over its defaults. */
import type { AzureState } from "../../../state/state.js";
import { sizeNamed } from "../compute/machine-sizes.js";
import { withoutUndefined, type StoredNetwork } from "./defaults.js";
import { offered, requireCompatible, upgraded, type SupportPlan, type Version } from "./kubernetes-versions.js";
import type { Pool } from "./pool-body.js";

/** What a pool takes from its cluster. */
export interface OfCluster {
  readonly state: AzureState;
  readonly version: Version;
  readonly plan: SupportPlan;
  readonly network: StoredNetwork;
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
  readonly enableNodePublicIP: boolean;
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
  scaleDownMode: "Delete",
  enableNodePublicIP: false,
  enableFIPS: false,
  powerState: { code: "Running" },
} as const;

/** Members that are absent if they are empty. */
const absentIfEmpty = ["nodeTaints", "nodeLabels", "tags", "availabilityZones"];

/** @throws ApiError for a version that the cluster cannot have */
export function poolFor(sent: Pool, before: StoredPool | undefined, cluster: OfCluster): StoredPool {
  const { minCount, maxCount, ...together } = { ...always, maxPods: maxPodsOf(cluster.network), ...before, ...withoutUndefined(sent) };
  const version = versionOf(sent, before, cluster);
  const scaled = together.enableAutoScaling === true;
  const pool = {
    ...together,
    osDiskType: together.osDiskType ?? diskOf(together.vmSize ?? always.vmSize, together.osDiskSizeGB ?? always.osDiskSizeGB),
    count: scaled ? scaledCount(sent, before, { minCount, maxCount }) : (sent.count ?? before?.count ?? 1),
    ...(scaled && { minCount, maxCount }),
    ...(together.osDiskSizeGB === 0 && { osDiskSizeGB: 128 }),
    orchestratorVersion: version.wanted,
    currentOrchestratorVersion: version.current,
    nodeImageVersion: before?.["nodeImageVersion"] ?? imageOf(together.osSKU ?? always.osSKU),
    upgradeSettings: {
      maxSurge: "10%",
      maxUnavailable: "0",
      ...(before?.["upgradeSettings"] as object | undefined),
      ...sent.upgradeSettings,
    },
    securityProfile: {
      sshAccess: "LocalUser",
      enableVTPM: false,
      enableSecureBoot: false,
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
  return networkPluginMode === "overlay" ? 250 : networkPlugin === "kubenet" ? 110 : 30;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
