/** Checks the machines of agent pools: sizes, zones, OS disks and core quotas. */
import type { ApiError } from "../../../core/service.js";
import type { AzureState } from "../../../state/state.js";
import { coresLeft } from "../compute/compute-lists.js";
import { encryptionAtHostFeature, isFeatureRegistered } from "../../features.js";
import { normalLocation } from "../../locations.js";
import { machineSizes, offerOf, sizeNamed, type MachineSize } from "../compute/machine-sizes.js";
import { segmentsOf } from "../../resource-id.js";
import type { StoredPool } from "./pool-defaults.js";
import { refusal } from "./provider.js";

export interface MachinesOf {
  readonly state: AzureState;
  /** ID of the cluster. */
  readonly cluster: string;
  readonly location: string;
}

/** A pool after the write, and how many nodes it has before it. */
export interface ChangedPool {
  readonly name: string;
  readonly properties: StoredPool;
  readonly nodesBefore: number;
}

/** @throws ApiError for what Azure Compute would refuse: AKS asks before it creates a scale set */
export function checkMachines(of: MachinesOf, pools: readonly ChangedPool[]): void {
  for (const { name, properties: pool, nodesBefore } of pools) {
    if (nodesBefore === 0) {
      checkOffer(of, name, pool);
      checkEncryption(of, pool);
    }
    checkDisk(pool);
  }
  checkQuotas(of, pools);
}

function checkOffer({ state, location }: MachinesOf, name: string, { vmSize, availabilityZones = [] }: StoredPool): void {
  const { zones, restricted } = offerOf(state, vmSize, location);
  if (sizeNamed(vmSize) === undefined || restricted === "all") {
    const allowed = machineSizes.filter((one) => offerOf(state, one.name, location).restricted !== "all");
    throw refusal(
      400,
      "BadRequest",
      `The VM size of ${vmSize} is not allowed in your subscription in location '${normalLocation(location)}'. ` +
        `The available VM sizes are '${allowed.map((one) => one.name.toLowerCase()).join(",")}'.`,
    );
  }
  const missing = availabilityZones.filter((zone) => !zones.includes(zone) || restricted.includes(zone));
  if (missing.length === 0) return;
  throw refusal(
    400,
    "AvailabilityZoneNotSupported",
    `The zone(s) '${missing.join(",")}' for resource '${name}' is not supported. ` +
      `The supported zones for location '${normalLocation(location)}' are '${zones.filter((zone) => !restricted.includes(zone)).join(",")}'`,
    "agentPoolProfile.availabilityZone",
  );
}

function checkEncryption({ state, cluster }: MachinesOf, { enableEncryptionAtHost }: StoredPool): void {
  if (enableEncryptionAtHost !== true || isFeatureRegistered(state, cluster, encryptionAtHostFeature)) return;
  throw refusal(400, "SubscriptionNotEnabledEncryptionAtHost", "Subscription does not enable EncryptionAtHost.");
}

function checkDisk({ vmSize, osDiskType, osDiskSizeGB }: StoredPool): void {
  const size = sizeNamed(vmSize);
  if (osDiskType !== "Ephemeral" || size === undefined) return;
  if (size.ephemeral === "none") {
    throw refusal(400, "VMSizeDoesNotSupportEphemeralOS", `The virtual machine size ${vmSize} does not support EphemeralOS disk.`);
  }
  if (size.ephemeral === "cache" && size.temporaryDiskGB < Number(osDiskSizeGB)) {
    throw refusal(
      400,
      "VMTemporaryDiskTooSmall",
      `The virtual machine size ${vmSize} has a temporary disk of ${String(size.temporaryDiskGB)} GB, but the OS disk requires ` +
        `${String(osDiskSizeGB)} GB. Use a VM size with a larger disk, a smaller OS disk, or a managed OS disk.`,
    );
  }
}

function checkQuotas({ state, cluster, location }: MachinesOf, pools: readonly ChangedPool[]): void {
  const subscription = `/subscriptions/${segmentsOf(cluster)[1] ?? ""}`;
  const requested = pools.flatMap(({ properties: { vmSize, count }, nodesBefore }) => {
    const size = sizeNamed(vmSize);
    return size === undefined ? [] : [{ size, cores: size.cores * (count - nodesBefore) }];
  });
  const sum = (of: readonly { readonly cores: number }[]) => of.reduce((total, { cores }) => total + cores, 0);
  for (const { size } of requested) {
    const left = coresLeft(state, subscription, location, size.family);
    const ofFamily = sum(requested.filter((one) => one.size.family === size.family));
    if (ofFamily > 0 && ofFamily > left.family) throw insufficient(location, size, ofFamily, left.family);
    if (sum(requested) > 0 && sum(requested) > left.region) throw insufficientRegion(location, sum(requested), left.region);
  }
}

const quotaAdvice =
  "If you want to increase the quota, please follow this instruction: https://learn.microsoft.com/en-us/azure/quotas/view-quotas. " +
  "Surge nodes would also consume vcpu quota, please consider use smaller maxSurge or use maxUnavailable to proceed upgrade without surge " +
  "nodes, details: aka.ms/aks/maxUnavailable.";

function insufficient(location: string, { family }: MachineSize, requested: number, left: number): ApiError {
  return refusal(
    400,
    "ErrCode_InsufficientVCPUQuota",
    `Insufficient vcpu quota requested ${String(requested)}, remaining ${String(left)} for family ${family} for region ${normalLocation(location)}. ${quotaAdvice}`,
  );
}

function insufficientRegion(location: string, requested: number, left: number): ApiError {
  return refusal(
    400,
    "ErrCode_InsufficientVCPUQuota",
    `Insufficient regional vcpu quota left for location ${normalLocation(location)}. ` +
      `left regional vcpu quota ${String(left)}, requested quota ${String(requested)}. ${quotaAdvice}`,
  );
}
