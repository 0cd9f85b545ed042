/** The properties of an agent pool that a create sets. */
import type { AgentPool, ManagedClusterAgentPoolProfile } from "@azure/arm-containerservice";
import type { AksClusterSpec } from "./cluster-spec.js";
import { poolRoles, type PoolRole } from "./pool-option.js";
import type { AgentPoolSpec } from "./pools.js";

/** What other steps create, or look up. */
export interface PoolParts {
  readonly nodeSubnetId: string;
  /** Undefined: nodes and pods share the node subnet. */
  readonly podSubnetId: string | undefined;
  /** Undefined for an existing cluster without `--kubernetes-version`: it keeps its own. */
  readonly kubernetesVersion: string | undefined;
}

interface RoleFacts {
  readonly mode: "System" | "User";
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly string[];
}

const roleLabel = "aro-hcp.azure.com/role";

/** Labels and taints are Azure/ARO-HCP's. */
const roleFacts: Readonly<Record<PoolRole, RoleFacts>> = {
  system: { mode: "System", labels: { [roleLabel]: "system" }, taints: ["CriticalAddonsOnly=true:NoSchedule"] },
  user: { mode: "User", labels: { [roleLabel]: "worker" }, taints: [] },
  infra: { mode: "User", labels: { [roleLabel]: "infra" }, taints: ["infra=true:NoSchedule"] },
};

/** The role in the label, or in the mode without a label. Undefined for a pool of others. */
export function roleOfPool({ mode, nodeLabels = {} }: Pick<ManagedClusterAgentPoolProfile, "mode" | "nodeLabels">): PoolRole | undefined {
  const label = nodeLabels[roleLabel];
  return poolRoles.find((role) => roleFacts[role].labels[roleLabel] === label) ?? (mode === "System" ? "system" : undefined);
}

/** The body of a pool that is a resource of its own. */
export function wantedPool(spec: AksClusterSpec, pool: AgentPoolSpec, parts: PoolParts): AgentPool {
  return { ...poolProperties(spec, pool, parts), typePropertiesType: "VirtualMachineScaleSets" };
}

/** The body of a pool in that of its cluster. */
export function wantedProfile(spec: AksClusterSpec, pool: AgentPoolSpec, parts: PoolParts): ManagedClusterAgentPoolProfile {
  return { name: pool.name, ...poolProperties(spec, pool, parts), type: "VirtualMachineScaleSets" };
}

function poolProperties({ features, pools, kubernetesVersion }: AksClusterSpec, pool: AgentPoolSpec, parts: PoolParts) {
  const { mode, labels, taints } = roleFacts[pool.role];
  // Without other pools, its own must take every pod.
  const isTainted = pool.role !== "system" || pools.some(({ role }) => role === "user");
  return {
    mode,
    vmSize: pool.vmSize,
    // The count that it begins with; later, the autoscaler sets it.
    count: pool.minCount,
    enableAutoScaling: pool.isAutoscaled,
    ...(pool.isAutoscaled && { minCount: pool.minCount, maxCount: pool.maxCount }),
    maxPods: pool.maxPods,
    osType: "Linux",
    osSKU: "AzureLinux",
    enableFips: true,
    osDiskType: hasLocalDisk(pool.vmSize) ? "Ephemeral" : "Managed",
    ...(pool.osDiskGiB !== undefined && { osDiskSizeGB: pool.osDiskGiB }),
    kubeletDiskType: "OS",
    ...(features.encryptionAtHost && { enableEncryptionAtHost: true }),
    enableNodePublicIP: false,
    ...(pool.zones.length > 0 && { availabilityZones: [...pool.zones] }),
    vnetSubnetID: parts.nodeSubnetId,
    ...(parts.podSubnetId !== undefined && { podSubnetID: parts.podSubnetId }),
    nodeLabels: { ...labels },
    ...(taints.length > 0 && isTainted && { nodeTaints: [...taints] }),
    upgradeSettings: { maxSurge: "10%" },
    // A pool has the version of its cluster, unless it is set.
    ...(kubernetesVersion !== undefined && { orchestratorVersion: kubernetesVersion }),
  };
}

/** In the name of a size, `d` among the letters after the number of cores is a local disk: Standard_D8ds_v5, Standard_E32-16ads_v5. */
export function hasLocalDisk(vmSize: string): boolean {
  const features = /^standard_[a-z]+\d+(?:-\d+)?([a-z]*)/i.exec(vmSize)?.[1] ?? "";
  return /d/.test(features);
}
