/** What differs between the api-versions of a type: members that only some have, and defaults that depend on them. */
import type { VersionDifference } from "./version-difference.js";
import { isRecord } from "./body-schema.js";

type Properties = Readonly<Record<string, unknown>>;

/** The properties without the members that this version does not have. */
export function presentedIn(version: string, differences: readonly VersionDifference[], properties: Properties): Properties {
  return absentFrom(version, differences).reduce((rest, { member }) => without(rest, member.split(".")) as Properties, properties);
}

/** The first member of a body's properties that this version does not have. */
export function unknownIn(version: string, differences: readonly VersionDifference[], properties: unknown): string | undefined {
  return absentFrom(version, differences).find(({ member, ignored }) => !ignored && has(properties, member.split(".")))?.member;
}

/** What a creation by this version stores of the members that its body does not have. */
export function defaultsIn(version: string, differences: readonly VersionDifference[]): Properties {
  const own = differences.filter((one) => "default" in one && includes(one, version));
  return Object.fromEntries(own.map(({ member, default: value }) => [member, value]));
}

function absentFrom(version: string, differences: readonly VersionDifference[]): readonly VersionDifference[] {
  return differences.filter((one) => !("default" in one) && !includes(one, version));
}

function includes(difference: VersionDifference, version: string): boolean {
  const { before, except = [] } = difference;
  return isSince(version, difference) && (before === undefined || version < before) && !except.includes(version);
}

/** Whether a version is not older than what first had something: a version, or a preview for previews. */
export function isSince(version: string, { since, preview }: Pick<VersionDifference, "since" | "preview">): boolean {
  if (preview !== undefined && version.endsWith("-preview")) return version >= preview;
  return since === undefined ? preview === undefined : version >= since;
}

/**
 * Paths lead through lists: "subnets.properties.defaultOutboundAccess" names the member in each subnet. An object that has no other members
 * goes with them: an older version does not have it either.
 */
function without(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, path));
  const [name = "", ...rest] = path;
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: held, ...others } = value;
  if (rest.length === 0) return others;
  const left = without(held, rest);
  return isRecord(left) && left !== held && Object.keys(left).length === 0 ? others : { ...value, [name]: left };
}

function has(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((one) => has(one, path));
  const [name = "", ...rest] = path;
  if (!isRecord(value) || !Object.hasOwn(value, name)) return false;
  return rest.length === 0 || has(value[name], rest);
}
