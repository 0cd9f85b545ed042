/** What AKS requires of an agent pool: counts within bounds, what system pools must be, and what cannot change. */
import type { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { keyOf } from "../../resource-id.js";
import { childrenOf, sameId } from "../../uses.js";
import type { Pool } from "./pool-body.js";
import type { StoredPool } from "./pool-defaults.js";
import { changeNotAllowed, invalidParameter, refusal } from "./provider.js";

/** Set when the pool is created. AKS names them by the path of the body. */
const fixed = [
  "vmSize",
  "osDiskSizeGB",
  "maxPods",
  "vnetSubnetID",
  "podSubnetID",
  "availabilityZones",
  "enableEncryptionAtHost",
  "enableUltraSSD",
  "scaleSetPriority",
] as const;

/** @throws ApiError PropertyChangeNotAllowed, or AKS's own code for a disk. `path` is "properties" or "agentPoolProfile". */
export function requireUnchanged(sent: Pool, before: StoredPool, path: string): void {
  for (const member of fixed) {
    const wanted = sent[member];
    if (wanted === undefined || (member === "osDiskSizeGB" && wanted === 0)) continue;
    if (canonical(wanted) !== canonical(before[member])) throw changeNotAllowed(`${path}.${member}`);
  }
  if (sent.osDiskType !== undefined && sent.osDiskType !== before["osDiskType"])
    throw cannotChange("CannotChangeOSDiskType", "OS disk type");
  if (sent.kubeletDiskType !== undefined && sent.kubeletDiskType !== before["kubeletDiskType"]) {
    throw cannotChange("CannotChangeKubeletDisk", "Kubelet disk type");
  }
}

function cannotChange(code: string, what: string): ApiError {
  return refusal(400, code, `${what} cannot be changed after the agent pool has been created.`);
}

/** IDs and sizes in any case; zones in any order; an absent list is an empty one. */
function canonical(value: unknown): string {
  if (value === undefined) return "[]";
  if (Array.isArray(value)) return JSON.stringify([...(value as string[])].sort());
  return typeof value === "string" ? keyOf(value) : JSON.stringify(value);
}

export function checkPool(pool: StoredPool): void {
  checkCounts(pool);
  if (pool.maxPods < 10 || pool.maxPods > 250) {
    throw invalidParameter("agentPoolProfile.maxPods", `maxPods ${String(pool.maxPods)} must be between 10 and 250`);
  }
  for (const zone of pool.availabilityZones ?? []) {
    if (!/^[123]$/.test(zone)) throw invalidParameter("agentPoolProfile.availabilityZones", `zone '${zone}' is not supported`);
  }
  if (pool.podSubnetID !== undefined && pool.vnetSubnetID === undefined) {
    throw invalidParameter("agentPoolProfile.podSubnetID", "podSubnetID requires vnetSubnetID");
  }
  if (pool.podSubnetID !== undefined && sameId(pool.podSubnetID, pool.vnetSubnetID ?? "")) {
    throw invalidParameter("agentPoolProfile.podSubnetID", "podSubnetID and vnetSubnetID must be different subnets");
  }
  if (pool.mode === "System") checkSystemPool(pool);
}

function checkCounts({ count, mode, enableAutoScaling, minCount, maxCount }: StoredPool): void {
  const least = mode === "System" ? 1 : 0;
  if (count < least) throw invalidParameter("agentPoolProfile.count", `count ${String(count)} of a system pool must be at least 1`);
  if (enableAutoScaling !== true) return;
  if (minCount === undefined || maxCount === undefined) {
    throw invalidParameter("agentPoolProfile.enableAutoScaling", "minCount and maxCount are required to enable autoscaling");
  }
  if (minCount < least)
    throw invalidParameter("agentPoolProfile.minCount", `minCount ${String(minCount)} of a system pool must be at least 1`);
  if (maxCount < 1 || minCount > maxCount) {
    throw invalidParameter(
      "agentPoolProfile.maxCount",
      `minCount ${String(minCount)} must not be greater than maxCount ${String(maxCount)}`,
    );
  }
  if (count < minCount || count > maxCount) {
    throw invalidParameter(
      "agentPoolProfile.count",
      `autoscaling is enabled, so count ${String(count)} must be between minCount ${String(minCount)} and maxCount ${String(maxCount)}`,
    );
  }
}

const allowedTaint = "CriticalAddonsOnly=true:NoSchedule";

function checkSystemPool({ scaleSetPriority, nodeTaints = [] }: StoredPool): void {
  if (scaleSetPriority === "Spot") throw refusal(400, "SystemPoolMustBeRegular", "System agent pools must use regular priority.");
  const restricted = nodeTaints.find((taint) => taint !== allowedTaint && !taint.endsWith(":PreferNoSchedule"));
  if (restricted === undefined) return;
  throw refusal(
    400,
    "SystemPoolHasRestrictedTaint",
    `System agent pools cannot have the taint '${restricted}'. The only taint with NoSchedule or NoExecute that they can have is '${allowedTaint}'.`,
  );
}

/** What autoscaling is not for must not be sent without it. */
export function checkSent({ enableAutoScaling, minCount, maxCount }: Pool, before: StoredPool | undefined): void {
  const isScaled = enableAutoScaling ?? before?.enableAutoScaling ?? false;
  if (isScaled || (minCount === undefined && maxCount === undefined)) return;
  throw refusal(400, "AutoScalingNotEnabled", "minCount and maxCount can only be set if enableAutoScaling is true.");
}

export function noSystemPool(): ApiError {
  return refusal(400, "MustDefineAtLeastOneSystemPool", "Must define at least one system pool.");
}

/** @throws ApiError if no pool of the cluster but this one is a system pool */
export function requireOtherSystemPool(state: AzureState, cluster: StoredResource, id: string): void {
  const others = childrenOf(state, cluster.id, "agentPools").filter((pool) => !sameId(pool.id, id));
  if (!others.some(({ properties }) => properties["mode"] === "System")) throw noSystemPool();
}
