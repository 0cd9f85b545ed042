/** The agent pools of an AKS cluster: `--user-pool size=Standard_D8ds_v5,min=1,max=3,zones=1/2/3`. */
import { didYouMean } from "../../text/did-you-mean.js";
import { plural } from "../../text/plural.js";

export const poolRoles = ["system", "user", "infra"] as const;
export type PoolRole = (typeof poolRoles)[number];

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

/** A pool option. What it leaves out is the preset's. */
export interface PoolOption {
  readonly name?: string | undefined;
  readonly size?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** A fixed count instead of `min` and `max`. */
  readonly count?: number | undefined;
  readonly zones?: readonly string[] | undefined;
  /** How many agent pools there are: one for each zone, and further ones without a zone. */
  readonly pools?: number | undefined;
  readonly disk?: number | undefined;
  readonly maxPods?: number | undefined;
}

/** The pool of a preset. */
export interface PoolDefaults extends PoolOption {
  readonly size: string;
  readonly maxPods: number;
}

/** AKS's limit on the name of a Linux pool. */
const longestName = 12;
const mostNodes = 1000;
/** Which numbers AKS accepts; a system pool has at least one node. */
const limits = {
  min: [0, mostNodes],
  max: [1, mostNodes],
  count: [0, mostNodes],
  pools: [1, 9],
  disk: [30, 2048],
  "max-pods": [10, 250],
} as const;
type NumberKey = keyof typeof limits;
const keys = ["name", "size", "min", "max", "count", "zones", "pools", "disk", "max-pods"] as const;
type Key = (typeof keys)[number];

/** The option, or the first problem as a sentence. */
export function readPool(text: string, role: PoolRole): PoolOption | string {
  const values = new Map<Key, string>();
  let last: string | undefined;
  for (const item of text.split(",")) {
    const [key = "", value, ...more] = item.split("=");
    if (value === undefined && last === "zones" && /^\d$/.test(item.trim()))
      return `"${text}" separates zones with a comma; separate them with slashes: zones=1/2/3`;
    if (value === undefined || more.length > 0)
      return `"${item}" is not key=value; expected items such as size=Standard_D8ds_v5,min=1,max=3`;
    const known = keys.find((one) => one === key);
    if (known === undefined) return `"${key}" is not one of ${keys.join(", ")}${didYouMean(key, keys)}`;
    if (value === "" || value !== value.trim()) return `"${item}" has no value, or spaces around it`;
    if (values.has(known)) return `"${key}" is set twice`;
    values.set(known, value);
    last = key;
  }
  const wrong = wrongText(values) ?? wrongNumber(values);
  return wrong ?? wrongTogether(values, role) ?? optionOf(values);
}

function wrongText(values: ReadonlyMap<Key, string>): string | undefined {
  const name = values.get("name");
  if (name !== undefined && !new RegExp(`^[a-z][a-z0-9]{0,${longestName - 1}}$`).test(name))
    return `"name=${name}" is not the name of a Linux agent pool: use at most ${plural(longestName, "character")}, lowercase letters and digits, with a letter first`;
  const size = values.get("size");
  if (size !== undefined && !/^Standard_[A-Za-z]\w*$/.test(size)) {
    const full = `Standard_${size.replace(/^standard_/i, "")}`;
    return `"size=${size}" is not the name of a VM size${/^Standard_[A-Za-z]\w*$/.test(full) ? `; did you mean "size=${full}"?` : ""}`;
  }
  const zones = values.get("zones");
  if (zones === undefined) return undefined;
  if (!/^[1-3](?:\/[1-3]){0,2}$/.test(zones))
    return `"zones=${zones}" is not a list of the zones 1, 2 and 3, separated by slashes: zones=1/2/3`;
  return new Set(zones.split("/")).size === zones.split("/").length ? undefined : `"zones=${zones}" has a zone twice`;
}

function wrongNumber(values: ReadonlyMap<Key, string>): string | undefined {
  for (const [key, [least, most]] of Object.entries(limits) as [NumberKey, readonly [number, number]][]) {
    const text = values.get(key);
    if (text === undefined) continue;
    if (!/^\d{1,6}$/.test(text)) return `"${key}=${text}" is not a whole number`;
    if (Number(text) < least || Number(text) > most) return `"${key}=${text}" is not between ${least} and ${most}`;
  }
  return undefined;
}

function wrongTogether(values: ReadonlyMap<Key, string>, role: PoolRole): string | undefined {
  const { min, max, count, zones, pools } = optionOf(values);
  if (count !== undefined && (min ?? max) !== undefined)
    return `"count=${count}" is a fixed number of nodes, so it cannot be combined with min and max`;
  if ((min === undefined) !== (max === undefined))
    return `"${min === undefined ? `max=${max ?? ""}` : `min=${min}`}" needs ${min === undefined ? "min" : "max"} too`;
  if (min !== undefined && max !== undefined && min > max) return `"min=${min}" is more than "max=${max}"`;
  if (role === "system" && (min === 0 || count === 0)) return "a system pool needs at least 1 node";
  if (role === "system" && pools !== undefined)
    return `"pools=${pools}" is not possible: a system pool is one agent pool in all of its zones`;
  if (pools !== undefined && zones !== undefined && pools < zones.length)
    return `"pools=${pools}" is less than the number of zones; there is one agent pool for each zone`;
  return undefined;
}

function optionOf(values: ReadonlyMap<Key, string>): PoolOption {
  const number = (key: NumberKey) => (values.has(key) ? Number(values.get(key)) : undefined);
  return {
    name: values.get("name"),
    size: values.get("size"),
    zones: values.get("zones")?.split("/"),
    min: number("min"),
    max: number("max"),
    count: number("count"),
    pools: number("pools"),
    disk: number("disk"),
    maxPods: number("max-pods"),
  };
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
    if (name.length > longestName) {
      const count = plural(name.length, "character");
      return [{ pool, message: `agent pool "${name}" has ${count}; AKS accepts 1 to ${longestName}, so set a shorter name=` }];
    }
    const isTaken = pools.findIndex((other) => other.name === name) < at;
    return isTaken ? [{ pool, message: `two agent pools are named "${name}"; set name= on one of them` }] : [];
  });
}
