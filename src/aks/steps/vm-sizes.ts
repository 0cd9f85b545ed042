/** Checks that the region offers the VM sizes of the agent pools, and that the quotas have room for them. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import { orRefused } from "../../azure/or-refused.js";
import { usageResponse, type UsageResponse } from "../../azure/arm-responses.js";
import { skuResponse, type SkuResponse } from "../../azure/cluster-responses.js";
import { defineLookup, type Decision, type Step } from "../../engine/step.js";
import { advise, blank, shell } from "../../errors/advice.js";
import { sameLocation } from "../../domain/location.js";
import { hasLocalDisk } from "../domain/pool-properties.js";
import type { AgentPoolSpec } from "../domain/pools.js";
import { subscriptionScope } from "../../domain/resource-id.js";
import { sameText } from "../../text/same-text.js";
import { refuse } from "../../steps/ownership-decision.js";
import type { AksContext } from "./context.js";
import type { LiveCluster } from "./live-cluster.js";

const skuVersion = "2021-07-01";
const usageVersion = "2024-07-01";

export interface RegionOffer {
  /** Undefined if the permission to read them is missing: then the write itself reports what Azure refuses. */
  readonly sizes: readonly SkuResponse[] | undefined;
  readonly usages: readonly UsageResponse[] | undefined;
}

interface Offer extends RegionOffer {
  /** The pools that do not exist yet. */
  readonly missing: readonly AgentPoolSpec[];
}

type Place = Pick<AksContext["spec"], "location" | "subscriptionId">;

/** The scope of vCPU quotas. */
export function quotaScope({ location, subscriptionId }: Place): string {
  return `${subscriptionScope(subscriptionId)}/providers/Microsoft.Compute/locations/${location}`;
}

/** The VM sizes of a region, and the use of its quotas. */
export async function readRegionOffer({ manager: open }: Pick<AksContext["azure"], "manager">, place: Place): Promise<RegionOffer> {
  const manager = await open();
  const filter = encodeURIComponent(`location eq '${place.location}'`);
  const [sizes, usages] = await Promise.all([
    orRefused(
      manager.list(
        `${subscriptionScope(place.subscriptionId)}/providers/Microsoft.Compute/skus?$filter=${filter}`,
        skuVersion,
        skuResponse,
      ),
    ),
    orRefused(manager.list(`${quotaScope(place)}/usages`, usageVersion, usageResponse)),
  ]);
  return { sizes: sizes?.filter(({ resourceType }) => resourceType === "virtualMachines"), usages };
}

/** `hostEncryption`: whether the nodes encrypt their disks and caches. */
export function vmSizes({ azure, spec }: AksContext, liveCluster: LiveCluster): Step<unknown> {
  const { location, pools } = spec;
  return defineLookup({
    id: "vm-sizes",
    subject: { kind: "offer" },
    title: `VM sizes in ${location}`,
    needs: {},
    async read(): Promise<Offer> {
      const missing = missingPools(await liveCluster(), pools);
      if (missing.length === 0) return { missing, sizes: [], usages: [] };
      return { missing, ...(await readRegionOffer(azure, spec)) };
    },
    decide(live) {
      const { missing = [], sizes, usages } = live ?? {};
      if (sizes === undefined) return { act: "use" };
      for (const pool of missing) {
        const size = sizes.find((one) => sameText(one.name, pool.vmSize));
        const refused = decideSize(pool, sizes, location) ?? (size && decideDisk(pool, size));
        if (refused !== undefined) return refused;
      }
      return decideQuotas(missing, sizes, usages ?? [], quotaScope(spec), location) ?? { act: "use" };
    },
    output: () => undefined,
  });
}

function missingPools(live: ManagedCluster | undefined, pools: readonly AgentPoolSpec[]): AgentPoolSpec[] {
  return pools.filter(({ name }) => live?.agentPoolProfiles?.some((one) => sameText(one.name, name)) !== true);
}

/** GiB of an OS disk without a size of its own. */
const usualDisk = 128;

/** The OS disk of a pool is on the local disk of its size, if that has one: AKS refuses one that does not fit. */
function decideDisk({ name, role, vmSize, osDiskGiB = usualDisk }: AgentPoolSpec, { capabilities }: SkuResponse): Decision | undefined {
  if (!hasLocalDisk(vmSize)) return undefined;
  const valueOf = (key: string) => Number(capabilities.find((one) => one.name === key)?.value ?? 0);
  const room = Math.max(valueOf("MaxResourceVolumeMB") / 1024, valueOf("CachedDiskBytes") / 1024 ** 3, valueOf("NvmeDiskSizeInMiB") / 1024);
  // Some lists do not say.
  if (room === 0 || room >= osDiskGiB) return undefined;
  return refuse("ARO-AKS-002", `the OS disk of agent pool "${name}" does not fit on the local disk of ${vmSize}`, {
    because: `the OS disk has ${String(osDiskGiB)} GiB, and the local disk ${String(Math.floor(room))}`,
    next: [`pass disk=${String(Math.max(30, Math.floor(room)))} or a larger size in --${role}-pool`],
  });
}

/** Undefined if the region offers the size of the pool in its zones. */
export function decideSize(
  { name, role, vmSize, zones }: AgentPoolSpec,
  sizes: readonly SkuResponse[],
  location: string,
): Decision | undefined {
  const flag = `--${role}-pool`;
  const size = sizes.find((one) => sameText(one.name, vmSize));
  const list = shell`az vm list-skus --location ${location} --resource-type virtualMachines`;
  const isRestricted = size?.restrictions.some(
    ({ type, restrictionInfo: { locations } }) => type === "Location" && isHere(locations, location),
  );
  if (size === undefined || isRestricted === true) {
    return refuse("ARO-AKS-002", `${vmSize} of agent pool "${name}" is not available in ${location}`, {
      because: size === undefined ? "the region does not offer this size" : "the subscription may not use this size in the region",
      next: [advise`pass another size in ${flag}: ${list}`, "or choose another --location"],
    });
  }
  const offered = zonesOf(size, location);
  const lacking = zones.filter((zone) => !offered.includes(zone));
  if (lacking.length === 0) return undefined;
  const zonesText = lacking.length === 1 ? `zone ${lacking.join("")}` : `zones ${lacking.join(" and ")}`;
  return refuse("ARO-AKS-002", `${vmSize} of agent pool "${name}" is not available in ${zonesText} of ${location}`, {
    because: offered.length === 0 ? "the region has no zones for this size" : `it is available in ${offered.join(", ")}`,
    next: [`pass other zones or another size in ${flag}`, "or choose another --location"],
  });
}

function zonesOf({ locationInfo, restrictions }: SkuResponse, location: string): string[] {
  const restricted = restrictions
    .filter(({ type, restrictionInfo: { locations } }) => type === "Zone" && isHere(locations, location))
    .flatMap(({ restrictionInfo: { zones } }) => zones);
  const zones = locationInfo.filter((one) => sameLocation(one.location, location)).flatMap((one) => one.zones);
  return zones.filter((zone) => !restricted.includes(zone)).sort();
}

/** A restriction without locations is one of the region that was asked for. */
function isHere(locations: readonly string[], location: string): boolean {
  return locations.length === 0 || locations.some((one) => sameLocation(one, location));
}

/** The nodes that the pools begin with must fit: of each family, and of all together. The autoscaler adds others only as far as the quota allows. */
function decideQuotas(
  pools: readonly AgentPoolSpec[],
  sizes: readonly SkuResponse[],
  usages: readonly UsageResponse[],
  scope: string,
  location: string,
): Decision | undefined {
  const needed = coresByQuota(
    pools.map(({ vmSize, minCount: nodes }) => ({ vmSize, nodes })),
    sizes,
  );
  for (const [quota, cores] of needed) {
    const usage = usages.find(({ name }) => sameText(name.value, quota));
    if (usage === undefined || usage.currentValue + cores <= usage.limit) continue;
    const what = quota === "cores" ? "all sizes together" : quota;
    return refuse("ARO-AKS-003", `the vCPU quota of ${what} in ${location} has no room for the agent pools`, {
      because: `${String(usage.currentValue)} of ${String(usage.limit)} are in use, and the pools begin with ${String(cores)}`,
      next: [
        "pass fewer nodes or other sizes in the pool options, or choose another --location",
        advise`or request a higher limit: ${shell`az quota create --resource-name ${quota} --scope ${scope} --limit-object value=${blank("limit")}`}`,
      ],
    });
  }
  return undefined;
}

/** The vCPUs of nodes by the name of their quota: that of the family, and "cores" for all together. */
export function coresByQuota(
  nodes: readonly { readonly vmSize: string; readonly nodes: number }[],
  sizes: readonly SkuResponse[],
): ReadonlyMap<string, number> {
  const needed = new Map<string, number>();
  for (const { vmSize, nodes: count } of nodes) {
    const size = sizes.find((one) => sameText(one.name, vmSize));
    const cores = count * Number(size?.capabilities.find(({ name }) => name === "vCPUs")?.value ?? 0);
    for (const quota of [size?.family ?? "", "cores"]) needed.set(quota, (needed.get(quota) ?? 0) + cores);
  }
  return needed;
}
