/** Compares a resource with the properties that create infra set, for show, verify and the plan of a create. Pure. */
import type { PlannedStep } from "../engine/plan.js";
import { resourceOf, type Change } from "../engine/step.js";
import { rowOf } from "../domain/resource-catalogue.js";
import { sameId } from "../domain/resource-id.js";

/** Compared elsewhere: tags are merged, and locations have several spellings. */
const checkedElsewhere = ["tags", "location"];

/** The values that create infra sets only at creation, and that are different now: it keeps them, because the change may be intended. */
export function keptDifferences({ step, decision, live, wanted }: PlannedStep): Change[] {
  const changes = decision.act === "update" ? decision.changes : decision.act === "keep" ? [] : undefined;
  const isInfra = rowOf(resourceOf(step)?.type ?? "")?.use?.part === "infra";
  if (!isInfra || changes === undefined || wanted === undefined || typeof live !== "object" || live === null) return [];
  return differences(wanted, live).filter(({ path }) => !changes.some((change) => path.startsWith(change.path)));
}

/** The wanted values that are missing or different; additional live values are ignored. List items are matched by name. */
function differences(wanted: object, live: object): Change[] {
  return Object.entries(wanted)
    .filter(([key]) => !checkedElsewhere.includes(key))
    .flatMap(([key, value]) => compared(key, value, inPlaceOf(live, key)));
}

function compared(path: string, wanted: unknown, live: unknown): Change[] {
  if (Array.isArray(wanted)) return wanted.flatMap((item: unknown) => comparedItem(path, item, Array.isArray(live) ? live : []));
  if (isObject(wanted)) {
    if (!isObject(live)) return [{ path, from: live, to: wanted }];
    return Object.entries(wanted).flatMap(([key, value]) => compared(`${path}.${key}`, value, inPlaceOf(live, key)));
  }
  return same(wanted, live) ? [] : [{ path, from: live, to: wanted }];
}

function comparedItem(path: string, wanted: unknown, live: readonly unknown[]): Change[] {
  if (!isObject(wanted)) return live.some((item) => same(wanted, item)) ? [] : [{ path, from: live, to: wanted }];
  const { name, id } = wanted;
  if (typeof name === "string") {
    const named = live.find((item) => isObject(item) && same(name.toLowerCase(), String(item["name"]).toLowerCase()));
    return compared(`${path}[${name}]`, { ...wanted, name: undefined }, isObject(named) ? { ...named, name: undefined } : named);
  }
  return live.some((item) => isObject(item) && same(id, item["id"])) ? [] : [{ path, from: live, to: wanted }];
}

/** For a subnet, some API versions return the range as a list of one. */
function inPlaceOf(live: object, key: string): unknown {
  const values = live as Readonly<Record<string, unknown>>;
  const ranges = values["addressPrefixes"];
  return key === "addressPrefix" && values[key] === undefined && Array.isArray(ranges) ? (ranges[0] as unknown) : values[key];
}

function same(wanted: unknown, live: unknown): boolean {
  if (typeof wanted === "string" && typeof live === "string" && wanted.startsWith("/subscriptions/")) return sameId(wanted, live);
  return wanted === live;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
