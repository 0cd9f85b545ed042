/** The pool options that make the agent pools of a live cluster. */
import type { ManagedClusterAgentPoolProfile } from "@azure/arm-containerservice";
import { isDeepStrictEqual } from "node:util";
import type { ClusterKind } from "../../domain/cluster-kind.js";
import type { Preset } from "./cluster-spec.js";
import { chosenPools } from "./choices.js";
import { roleOfPool } from "./pool-properties.js";
import { poolRoles, type AgentPoolSpec, type PoolRole } from "./pools.js";

type Texts = Readonly<Record<"systemPool" | "userPool" | "infraPool", readonly string[] | undefined>>;

/**
 * Undefined for a role whose pools are those of the preset or some of them: an interrupted create has not made the others yet. Pools of others, which
 * have no label of ours, are left out.
 */
export function shownPools(kind: ClusterKind, live: readonly ManagedClusterAgentPoolProfile[], preset: Preset): Texts {
  const pools = live.flatMap((one) => poolIn(one) ?? []);
  const defaults = chosenPools(kind, { preset }).pools;
  const textsOf = (role: PoolRole) => {
    const [shown = [], usual = []] = [pools, defaults].map((all) => all.filter((pool) => pool.role === role));
    return isPartOf(shown, usual) ? undefined : texts(shown);
  };
  const [systemPool, userPool, infraPool] = poolRoles.map(textsOf);
  return { systemPool, userPool, infraPool };
}

function poolIn(live: ManagedClusterAgentPoolProfile): AgentPoolSpec | undefined {
  const { name, vmSize, count = 1, minCount, maxCount, enableAutoScaling, availabilityZones = [], osDiskSizeGB, maxPods } = live;
  const role = roleOfPool(live);
  if (role === undefined || vmSize === undefined || maxPods === undefined) return undefined;
  const isAutoscaled = enableAutoScaling === true;
  const [least, most] = isAutoscaled ? [minCount ?? count, maxCount ?? count] : [count, count];
  const zones = availabilityZones.toSorted();
  return { name, role, vmSize, isSizeChosen: true, isAutoscaled, minCount: least, maxCount: most, zones, maxPods, osDiskGiB: osDiskSizeGB };
}

/** Azure chooses the disk if the option does not. The bounds of a preset's pools are restored. */
function isPartOf(shown: readonly AgentPoolSpec[], usual: readonly AgentPoolSpec[]): boolean {
  const comparable = ({ osDiskGiB: _disk, minCount: _min, maxCount: _max, isSizeChosen: _chosen, ...pool }: AgentPoolSpec) => pool;
  return shown.every((one) => usual.some((other) => isDeepStrictEqual(comparable(one), comparable(other))));
}

/** One text for the pools that one option makes: one for each zone, and `nz1`, `nz2`, ... without a zone. */
function texts(pools: readonly AgentPoolSpec[]): string[] | undefined {
  const options = new Map<string, AgentPoolSpec[]>();
  for (const pool of pools) {
    const { name: _name, zones: _zones, ...alike } = pool;
    const key = JSON.stringify([pool.role === "system" ? pool.name : baseOf(pool), alike]);
    options.set(key, [...(options.get(key) ?? []), pool]);
  }
  return options.size === 0 ? undefined : [...options.values()].map(textOf);
}

function baseOf({ name, zones: [zone, ...more] }: AgentPoolSpec): string {
  if (zone === undefined) return name.replace(/nz\d$/, "");
  return more.length === 0 && name.endsWith(zone) ? name.slice(0, -1) : name;
}

function textOf(pools: readonly AgentPoolSpec[]): string {
  const [first] = pools as readonly [AgentPoolSpec];
  const zones = pools.flatMap((pool) => pool.zones).toSorted();
  const isNumbered = first.role !== "system" && pools.some((pool) => pool.zones.length === 0 && pool.name !== baseOf(pool));
  return [
    `name=${first.role === "system" ? first.name : baseOf(first)}`,
    `size=${first.vmSize}`,
    ...(first.isAutoscaled ? [`min=${first.minCount}`, `max=${first.maxCount}`] : [`count=${first.minCount}`]),
    ...(zones.length > 0 ? [`zones=${zones.join("/")}`] : []),
    ...(isNumbered ? [`pools=${pools.length}`] : []),
    ...(first.osDiskGiB === undefined ? [] : [`disk=${first.osDiskGiB}`]),
    `max-pods=${first.maxPods}`,
  ].join(",");
}
