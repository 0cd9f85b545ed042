/** Compares the properties that a create sets with those of Azure, and merges them. */
import { isJsonObject, type JsonObject } from "../text/json.js";
import { sameText } from "../text/same-text.js";

export interface Difference {
  /** `networkProfile.serviceCidr`, `agentPoolProfiles[system].maxCount`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Lists that are ours as a whole: what others add to them would let in more than the options say. */
const wholeLists = ["adminGroupObjectIDs", "availabilityZones", "publicIPs", "revisions"];

/** The wanted values that are missing or different. */
export function compare(wanted: object, live: object, path = ""): Difference[] {
  return Object.entries(wanted).flatMap(([key, value]) => compareValue(path === "" ? key : `${path}.${key}`, value, memberOf(live, key)));
}

function compareValue(path: string, wanted: unknown, live: unknown): Difference[] {
  if (wanted === undefined) return [];
  if (Array.isArray(wanted)) return compareList(path, wanted, Array.isArray(live) ? live : []);
  if (!isJsonObject(wanted)) return sameValue(wanted, live) ? [] : [{ path, from: live, to: wanted }];
  if (!isJsonObject(live)) return [{ path, from: live, to: wanted }];
  return compare(wanted, live, path);
}

function compareList(path: string, wanted: readonly unknown[], live: readonly unknown[]): Difference[] {
  if (!isWhole(path)) return wanted.flatMap((item) => compareItem(path, item, live));
  const isIn = (list: readonly unknown[]) => (item: unknown) => list.some((one) => sameItem(item, one));
  return wanted.every(isIn(live)) && live.every(isIn(wanted)) ? [] : [{ path, from: live.map(plain), to: wanted.map(plain) }];
}

/** Items with a name are compared by member; of others, one in the list must have all members. */
function compareItem(path: string, wanted: unknown, live: readonly unknown[]): Difference[] {
  const key = keyOf(wanted);
  if (key === undefined)
    return live.some((item) => compareValue(path, wanted, item).length === 0) ? [] : [{ path, from: live, to: wanted }];
  const itemPath = `${path}[${key}]`;
  const found = live.find((item) => sameText(keyOf(item), key));
  return isJsonObject(found) && isJsonObject(wanted) ? compare(wanted, found, itemPath) : [{ path: itemPath, from: undefined, to: wanted }];
}

/** The live resource with the wanted values in it. */
export function merge<T extends object>(live: T, wanted: Partial<T>): T {
  return mergeMembers(live as JsonObject, wanted) as T;
}

function mergeMembers(live: JsonObject, wanted: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    const spelled = Object.keys(live).find((one) => sameMember(one, key)) ?? key;
    merged[spelled] = isWhole(key) ? value : mergeValue(live[spelled], value);
  }
  return merged;
}

function mergeValue(live: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted)) return mergeList(Array.isArray(live) ? live : [], wanted);
  return isJsonObject(wanted) && isJsonObject(live) ? mergeMembers(live, wanted) : sameValue(wanted, live) ? live : wanted;
}

function mergeList(live: readonly unknown[], wanted: readonly unknown[]): unknown[] {
  const kept = live.map((item) => {
    const ours = wanted.find((one) => sameItem(one, item));
    return ours === undefined ? item : mergeValue(item, ours);
  });
  return [...kept, ...wanted.filter((one) => !live.some((item) => sameItem(one, item)))];
}

function sameItem(one: unknown, other: unknown): boolean {
  const key = keyOf(one);
  return key === undefined ? sameValue(one, other) : sameText(keyOf(other), key);
}

function isWhole(path: string): boolean {
  return wholeLists.some((list) => path === list || path.endsWith(`.${list}`));
}

/** A reference is shown as its ID. */
function plain(item: unknown): unknown {
  return keyOf(item) ?? item;
}

/** The name of a list item: an agent pool, a gateway, a reference. */
function keyOf(item: unknown): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const key = item["name"] ?? item["mode"] ?? item["id"];
  return typeof key === "string" ? key : undefined;
}

function memberOf(live: object, key: string): unknown {
  const members = live as JsonObject;
  const value = members[key] ?? members[Object.keys(members).find((one) => sameMember(one, key)) ?? key];
  // For a subnet, some API versions return the range as a list of one.
  const ranges = members["addressPrefixes"];
  return key === "addressPrefix" && value === undefined && Array.isArray(ranges) ? ranges[0] : value;
}

/** Only IDs are spelled in several ways, also as names of members. */
function sameMember(one: string, other: string): boolean {
  return one === other || (other.startsWith("/subscriptions/") && sameText(one, other));
}

/** Azure answers its own spelling of IDs, sizes and key identifiers. */
function sameValue(wanted: unknown, live: unknown): boolean {
  return typeof wanted === "string" && typeof live === "string" ? sameText(wanted, live) : wanted === live;
}
