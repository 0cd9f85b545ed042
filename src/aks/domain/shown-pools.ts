/** The pool options that make the agent pools of a live cluster. */
import type { ManagedClusterAgentPoolProfile } from "@azure/arm-containerservice";
import { isDeepStrictEqual } from "node:util";
import type { ClusterKind } from "../../domain/cluster-kind.js";
import type { Preset } from "./cluster-spec.js";
import { chosenPools } from "./choices.js";
import { roleOfPool } from "./pool-properties.js";
import type { PoolRole } from "./pool-option.js";
import type { AgentPoolSpec } from "./pools.js";

/** The option of each role; undefined if its pools are those of the preset. */
type PoolOptions = Readonly<Record<"systemPool" | "userPool" | "infraPool", readonly string[] | undefined>>;

/** A role with only some pools of its preset has no option: an interrupted create has not made the others yet. */
export function shownPools(kind: ClusterKind, live: readonly ManagedClusterAgentPoolProfile[], preset: Preset): PoolOptions {
  const shown = live.flatMap((one) => specOf(one) ?? []);
  const usual = chosenPools(kind, { preset }).pools;
  const ofRole = (role: PoolRole) => {
    const pools = shown.filter((pool) => pool.role === role);
    return pools.every((pool) => usual.some((other) => isAlike(pool, other))) ? undefined : optionsOf(pools);
  };
  return { systemPool: ofRole("system"), userPool: ofRole("user"), infraPool: ofRole("infra") };
}

/** Undefined for a pool of others, which has no label of ours. */
function specOf(live: ManagedClusterAgentPoolProfile): AgentPoolSpec | undefined {
  const { name, vmSize, count = 1, minCount = count, maxCount = count, osDiskSizeGB: osDiskGiB, maxPods } = live;
  const role = roleOfPool(live);
  if (role === undefined || vmSize === undefined || maxPods === undefined) return undefined;
  const isAutoscaled = live.enableAutoScaling === true;
  const bounds = isAutoscaled ? { minCount, maxCount } : { minCount: count, maxCount: count };
  const zones = (live.availabilityZones ?? []).toSorted();
  return { name, role, vmSize, isSizeChosen: true, isAutoscaled, ...bounds, zones, maxPods, osDiskGiB };
}

/** Azure chooses the disk if the option does not. The bounds of a preset's pools are restored. */
function isAlike(one: AgentPoolSpec, other: AgentPoolSpec): boolean {
  const comparable = ({ osDiskGiB: _disk, minCount: _min, maxCount: _max, isSizeChosen: _chosen, ...pool }: AgentPoolSpec) => pool;
  return isDeepStrictEqual(comparable(one), comparable(other));
}

/** One option for the pools that it makes: one for each zone, and `nz1`, `nz2`, ... without a zone. */
function optionsOf(pools: readonly AgentPoolSpec[]): string[] {
  const byOption = new Map<string, AgentPoolSpec[]>();
  for (const pool of pools) {
    const { name: _name, zones: _zones, ...alike } = pool;
    const key = JSON.stringify([baseOf(pool), alike]);
    byOption.set(key, [...(byOption.get(key) ?? []), pool]);
  }
  return [...byOption.values()].map(optionOf);
}

/** The name in the option. A system pool has that name itself; any other pool adds its zone to it. */
function baseOf({ role, name, zones: [zone, ...more] }: AgentPoolSpec): string {
  if (role === "system") return name;
  if (zone === undefined) return name.replace(/nz\d$/, "");
  return more.length === 0 && name.endsWith(zone) ? name.slice(0, -1) : name;
}

function optionOf(pools: readonly AgentPoolSpec[]): string {
  const [first] = pools as readonly [AgentPoolSpec];
  const zones = pools.flatMap((pool) => pool.zones).toSorted();
  const isNumbered = pools.some((pool) => pool.zones.length === 0 && pool.name !== baseOf(pool));
  return [
    `name=${baseOf(first)}`,
    `size=${first.vmSize}`,
    ...(first.isAutoscaled ? [`min=${first.minCount}`, `max=${first.maxCount}`] : [`count=${first.minCount}`]),
    ...(zones.length > 0 ? [`zones=${zones.join("/")}`] : []),
    ...(isNumbered ? [`pools=${pools.length}`] : []),
    ...(first.osDiskGiB === undefined ? [] : [`disk=${first.osDiskGiB}`]),
    `max-pods=${first.maxPods}`,
  ].join(",");
}
