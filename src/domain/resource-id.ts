/** Parses, formats and compares ARM resource IDs of any type. */
import { plural } from "../text/plural.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";

/** The parts of an ARM resource ID, with the original casing. */
export interface ResourceId {
  readonly subscriptionId: string;
  /** Undefined for a subscription and for resources directly in a subscription. */
  readonly resourceGroup: string | undefined;
  /** Full type: "Microsoft.Network/virtualNetworks/subnets". A group is "Microsoft.Resources/resourceGroups". */
  readonly type: string;
  /** One name for each part of the type after the namespace: ["my-vnet", "default"]. */
  readonly names: readonly string[];
  /** The last of `names`. */
  readonly name: string;
  /** Its parent scope: the ID up to the last "/providers/"; the subscription of a group; "" for a subscription. */
  readonly scope: string;
}

const subscriptionType = "Microsoft.Resources/subscriptions";
const resourceGroupType = "Microsoft.Resources/resourceGroups";

/**
 * Parses an ID.
 * @throws ARO-USAGE-002 if the text is not an ID.
 */
export function parseResourceId(text: string): ResourceId {
  const segments = text.replace(/\/$/, "").split("/");
  if (segments.shift() !== "") throw invalidId(text, 'it does not start with "/"');
  if (segments.some((segment) => segment === "" || segment !== segment.trim())) throw invalidId(text, "one of its parts is empty");
  const [subscriptions, subscriptionId, groups, resourceGroup] = segments;
  if (!sameText(subscriptions, "subscriptions") || subscriptionId === undefined) {
    throw invalidId(text, 'it does not start with "/subscriptions/<id>"');
  }
  const inGroup = sameText(groups, "resourceGroups");
  if (inGroup && resourceGroup === undefined) throw invalidId(text, "the resource group has no name");
  const container = segments.slice(0, inGroup ? 4 : 2);
  const common = { subscriptionId, resourceGroup: inGroup ? resourceGroup : undefined };

  if (segments.length === container.length) {
    return resourceGroup === undefined
      ? { ...common, type: subscriptionType, names: [subscriptionId], name: subscriptionId, scope: "" }
      : { ...common, type: resourceGroupType, names: [resourceGroup], name: resourceGroup, scope: subscriptionScope(subscriptionId) };
  }
  // An extension resource (a role assignment, a lock) has its own "/providers/" after the ID of its scope.
  const providers = segments.findLastIndex((segment, index) => index >= container.length && sameText(segment, "providers"));
  const [namespace, ...pairs] = segments.slice(providers + 1);
  if (providers < container.length || namespace === undefined || pairs.length < 2 || pairs.length % 2 !== 0) {
    throw invalidId(text, 'it does not end with "/providers/<namespace>/<type>/<name>"');
  }
  const names = pairs.filter((_, index) => index % 2 === 1);
  return {
    ...common,
    type: [namespace, ...pairs.filter((_, index) => index % 2 === 0)].join("/"),
    names,
    name: names.at(-1) ?? "",
    scope: `/${segments.slice(0, providers).join("/")}`,
  };
}

/** The type in an ID; undefined if the text is not an ID. */
export function typeIn(text: string): string | undefined {
  try {
    return parseResourceId(text).type;
  } catch {
    return undefined;
  }
}

/** Whether the text is the ID of a resource of that type. */
export function isIdOf(text: string, type: string): boolean {
  return sameType(typeIn(text) ?? "", type);
}

/** `/subscriptions/<id>`. */
export function subscriptionScope(subscriptionId: string): string {
  return `/subscriptions/${subscriptionId}`;
}

/** `/subscriptions/<id>/resourceGroups/<group>`, in exactly this casing, because names of role assignments are computed from it. */
export function resourceGroupId(subscriptionId: string, resourceGroup: string): string {
  return `${subscriptionScope(subscriptionId)}/resourceGroups/${resourceGroup}`;
}

/** Formats an ID: `formatResourceId(resourceGroupId(s, g), "Microsoft.Network/virtualNetworks/subnets", "my-vnet", "default")`. */
export function formatResourceId(scope: string, type: string, ...names: readonly string[]): string {
  const [namespace, ...types] = type.split("/");
  if (types.length !== names.length) throw new RangeError(`${type} takes ${plural(types.length, "name")}, got ${names.length}`);
  return [scope, "providers", namespace, ...types.flatMap((part, index) => [part, names[index]])].join("/");
}

/** The ID of the parent of a child resource: the virtual network of a subnet. Undefined for a top-level resource. */
export function parentId(id: string): string | undefined {
  const { type, names, scope } = parseResourceId(id);
  return names.length < 2 ? undefined : formatResourceId(scope, type.slice(0, type.lastIndexOf("/")), ...names.slice(0, -1));
}

/** Whether two IDs name the same resource. Casing is ignored, because Azure returns IDs with different casing. */
export function sameId(a: string, b: string): boolean {
  return idKey(a) === idKey(b);
}

/** The ID as Azure documents it: AKS and managed identities return `resourcegroups` in lower case. */
export function documentedId(id: string): string {
  return id.replace(/\/resourcegroups\//i, "/resourceGroups/");
}

/** An ID as a map key, equal for the same resource. */
export function idKey(id: string): string {
  return id.replace(/\/$/, "").toLowerCase();
}

/** Whether `id` is `scope` or is in it. */
export function isWithin(id: string, scope: string): boolean {
  return idKey(id) === idKey(scope) || idKey(id).startsWith(`${idKey(scope)}/`);
}

/** The name of the resource group of an ID; undefined without an ID. */
export function groupNameOf(id: string | undefined): string | undefined {
  return id === undefined || id === "" ? undefined : parseResourceId(id).resourceGroup;
}

/** The ID of the resource group of an ID; undefined without an ID. */
export function groupIdOf(id: string | undefined): string | undefined {
  const group = groupIn(id ?? "");
  return group && resourceGroupId(group.subscriptionId, group.resourceGroup);
}

/** Whether it is the ID of a resource group itself. */
export function isGroupId(id: string): boolean {
  return sameId(id, groupIdOf(id) ?? "");
}

export interface GroupReference {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

/** The same for any text of Azure or a cluster, even if it is not a valid ID. Undefined if it contains no group. */
export function groupIn(text: string): GroupReference | undefined {
  const [, subscriptionId, resourceGroup] = /\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)/i.exec(text) ?? [];
  return subscriptionId === undefined || resourceGroup === undefined ? undefined : { subscriptionId, resourceGroup };
}

/** Whether an ID is in the group with that name, in any subscription; false without an ID. */
export function isInGroup(id: string | undefined, group: string): boolean {
  return id !== undefined && sameText(parseResourceId(id).resourceGroup, group);
}

/** Whether two types are the same, regardless of casing. */
export function sameType(a: string, b: string): boolean {
  return sameText(a, b);
}

function invalidId(text: string, because: string): Failure {
  return new Failure("ARO-USAGE-002", `"${text}" is not an Azure resource ID: ${because}`);
}
