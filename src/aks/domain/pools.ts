/** The agent pools that a pool option makes of an AKS cluster, with their names. */
import { plural } from "../../text/plural.js";
import { longestPoolName, type PoolOption, type PoolRole } from "./pool-option.js";

/** One agent pool of AKS: a pool option with zones makes one for each zone. */
export interface AgentPoolSpec {
  /** 1 to 12 lowercase letters and digits; a letter first. */
  readonly name: string;
  readonly role: PoolRole;
  readonly vmSize: string;
  /** Whether an option names it; otherwise it is the preset's. */
  readonly isSizeChosen: boolean;
  readonly minCount: number;
  /** Equal to `minCount` if the count is fixed. */
  readonly maxCount: number;
  readonly isAutoscaled: boolean;
  readonly zones: readonly string[];
  /** Undefined: what Azure gives a node of that size. */
  readonly osDiskGiB: number | undefined;
  readonly maxPods: number;
}

/** The pool of a preset. */
export interface PoolDefaults extends PoolOption {
  readonly size: string;
  readonly maxPods: number;
}

/** "1 to 3 nodes, Standard_D8s_v5". */
export function poolSize({ minCount, maxCount, vmSize }: AgentPoolSpec): string {
  return `${minCount === maxCount ? "" : `${String(minCount)} to `}${plural(maxCount, "node")}, ${vmSize}`;
}

/** The agent pools of one option: a system pool in all of its zones, any other one for each zone and then `nz1`, `nz2`, ... without a zone. */
export function agentPools(option: PoolOption, role: PoolRole, defaults: PoolDefaults): readonly AgentPoolSpec[] {
  const counted = option.count ?? option.min ?? option.max;
  const { min, max, count } = counted === undefined ? defaults : option;
  const isAutoscaled = count === undefined;
  const base = option.name ?? role;
  const zones = option.zones ?? defaults.zones ?? [];
  const pool = (name: string, of: readonly string[]): AgentPoolSpec => ({
    name,
    role,
    zones: of,
    isAutoscaled,
    vmSize: option.size ?? defaults.size,
    isSizeChosen: option.size !== undefined,
    minCount: count ?? min ?? 1,
    maxCount: count ?? max ?? min ?? 1,
    osDiskGiB: option.disk ?? defaults.disk,
    maxPods: option.maxPods ?? defaults.maxPods,
  });
  if (role === "system") return [pool(base, zones)];
  const all = Math.max(option.pools ?? defaults.pools ?? 1, zones.length);
  if (all === 1 && zones.length === 0) return [pool(base, [])];
  const nonZonal = Array.from({ length: all - zones.length }, (_, at) => pool(`${base}nz${at + 1}`, []));
  return [...zones.map((zone) => pool(`${base}${zone}`, [zone])), ...nonZonal];
}

/** AKS never changes the size of a pool, so an existing one keeps its own, unless an option names another one. */
export function withLiveSize(pool: AgentPoolSpec, live: { readonly vmSize?: string } | undefined): AgentPoolSpec {
  return pool.isSizeChosen || live?.vmSize === undefined ? pool : { ...pool, vmSize: live.vmSize };
}

/** Each pool whose name AKS refuses, or that another pool has. */
export function poolNameProblems(pools: readonly AgentPoolSpec[]): { readonly pool: AgentPoolSpec; readonly message: string }[] {
  return pools.flatMap((pool, at) => {
    const { name } = pool;
    if (name.length > longestPoolName) {
      const count = plural(name.length, "character");
      return [{ pool, message: `agent pool "${name}" has ${count}; AKS accepts 1 to ${longestPoolName}, so set a shorter name=` }];
    }
    const isTaken = pools.findIndex((other) => other.name === name) < at;
    return isTaken ? [{ pool, message: `two agent pools are named "${name}"; set name= on one of them` }] : [];
  });
}
