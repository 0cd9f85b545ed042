/** The pool options of an AKS cluster: `--user-pool size=Standard_D8ds_v5,min=1,max=3,zones=1/2/3`. */
import { didYouMean } from "../../text/did-you-mean.js";
import { plural } from "../../text/plural.js";

export const poolRoles = ["system", "user", "infra"] as const;
export type PoolRole = (typeof poolRoles)[number];

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

/** AKS's limit on the name of a Linux pool. */
export const longestPoolName = 12;
const mostNodes = 1000;
const sizeName = /^Standard_[A-Za-z]\w*$/;
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
  for (const item of text.split(",")) {
    const wrong = readItem(item, values);
    if (wrong !== undefined) return isZone(item, values) ? zonesWithCommas(text) : wrong;
  }
  const wrong = wrongText(values) ?? wrongNumber(values);
  return wrong ?? wrongTogether(values, role) ?? optionOf(values);
}

/** Adds the value of the item, or returns its problem. */
function readItem(item: string, values: Map<Key, string>): string | undefined {
  const [key = "", value, ...more] = item.split("=");
  if (value === undefined || more.length > 0) return `"${item}" is not key=value; expected items such as size=Standard_D8ds_v5,min=1,max=3`;
  const known = keys.find((one) => one === key);
  if (known === undefined) return `"${key}" is not one of ${keys.join(", ")}${didYouMean(key, keys)}`;
  if (value === "" || value !== value.trim()) return `"${item}" has no value, or spaces around it`;
  if (values.has(known)) return `"${key}" is set twice`;
  values.set(known, value);
  return undefined;
}

/** Whether the item is a further zone after a comma: `zones=1,2`. */
function isZone(item: string, values: ReadonlyMap<Key, string>): boolean {
  return [...values.keys()].at(-1) === "zones" && /^\d$/.test(item.trim());
}

function zonesWithCommas(text: string): string {
  return `"${text}" separates zones with a comma; separate them with slashes: zones=1/2/3`;
}

function wrongText(values: ReadonlyMap<Key, string>): string | undefined {
  const name = values.get("name");
  if (name !== undefined && !new RegExp(`^[a-z][a-z0-9]{0,${longestPoolName - 1}}$`).test(name))
    return `"name=${name}" is not the name of a Linux agent pool: use at most ${plural(longestPoolName, "character")}, lowercase letters and digits, with a letter first`;
  return wrongSize(values.get("size")) ?? wrongZones(values.get("zones"));
}

function wrongSize(size: string | undefined): string | undefined {
  if (size === undefined || sizeName.test(size)) return undefined;
  const full = `Standard_${size.replace(/^standard_/i, "")}`;
  return `"size=${size}" is not the name of a VM size${sizeName.test(full) ? `; did you mean "size=${full}"?` : ""}`;
}

function wrongZones(zones: string | undefined): string | undefined {
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
    return min === undefined ? `"max=${max ?? ""}" needs min too` : `"min=${min}" needs max too`;
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
