/** Parses the ARM path of a resource or a collection, without regard to case. */

/** A path that names a resource of a provider, a resource group, or a collection of either. */
export interface ResourcePath {
  readonly subscriptionId: string;
  /** As sent; undefined for resources directly under a subscription, such as resource groups. */
  readonly resourceGroup: string | undefined;
  /** "Microsoft.Network/virtualNetworks/subnets", casing as sent. */
  readonly type: string;
  /** One name for each type segment; one fewer for a collection. */
  readonly names: readonly string[];
  readonly collection: boolean;
  /** ID of the resource that this one extends, as sent: the cluster of a Kubernetes extension. */
  readonly extended?: string;
}

export const resourceGroupsType = "Microsoft.Resources/resourceGroups";

/** Types of resources that extend another resource, and are resources of their own. Others, such as locks, have endpoints. */
const extensionTypes = ["microsoft.kubernetesconfiguration/extensions"];

/** Undefined if the path has another form: a lock or an assignment, an action, a subscription. */
export function parseResourcePath(path: readonly string[]): ResourcePath | undefined {
  const [subscriptions, subscriptionId, third, fourth] = path;
  if (subscriptions?.toLowerCase() !== "subscriptions" || subscriptionId === undefined || third === undefined) return undefined;
  if (third.toLowerCase() === "providers") return parseProviderPath(subscriptionId, undefined, path.slice(3));
  if (third.toLowerCase() !== "resourcegroups") return undefined;
  if (path.length <= 4) {
    const names = fourth === undefined ? [] : [fourth];
    return { subscriptionId, resourceGroup: undefined, type: resourceGroupsType, names, collection: fourth === undefined };
  }
  return path[4]?.toLowerCase() === "providers" ? parseProviderPath(subscriptionId, fourth, path.slice(5)) : undefined;
}

function parseProviderPath(subscriptionId: string, resourceGroup: string | undefined, rest: readonly string[]): ResourcePath | undefined {
  const at = rest.findIndex((segment, index) => index > 0 && segment.toLowerCase() === "providers");
  if (at > 2 && at % 2 === 1) {
    const extension = parseProviderPath(subscriptionId, resourceGroup, rest.slice(at + 1));
    if (extension === undefined || !extensionTypes.includes(keyOf(extension.type))) return undefined;
    const group = resourceGroup === undefined ? "" : `/resourceGroups/${resourceGroup}`;
    return { ...extension, extended: `/subscriptions/${subscriptionId}${group}/providers/${rest.slice(0, at).join("/")}` };
  }
  const [namespace, ...segments] = rest;
  if (namespace === undefined || segments.length === 0 || segments.some((segment) => segment.toLowerCase() === "providers"))
    return undefined;
  const types = segments.filter((_, index) => index % 2 === 0);
  const names = segments.filter((_, index) => index % 2 === 1);
  return { subscriptionId, resourceGroup, type: [namespace, ...types].join("/"), names, collection: names.length < types.length };
}

/** The segments of an ID; empty ones are dropped. */
export function segmentsOf(id: string): string[] {
  return id.split("/").filter((segment) => segment !== "");
}

/** The key of a resource in the state: IDs are compared case-insensitively. */
export function keyOf(id: string): string {
  return id.toLowerCase();
}

/** Whether `id` is `scope` or below it. The root scope "/" contains everything. */
export function isWithin(id: string, scope: string): boolean {
  const outer = keyOf(scope).replace(/\/+$/, "");
  const inner = keyOf(id);
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The ID of a child resource's parent, or of what it extends; undefined for a resource without a parent. */
export function parentOf(id: string): string | undefined {
  const path = parseResourcePath(segmentsOf(id));
  if (path?.extended !== undefined && path.names.length === 1) return id.split("/").slice(0, -4).join("/");
  if (path === undefined || path.names.length < 2) return undefined;
  return id.split("/").slice(0, -2).join("/");
}

/** The part of an ID after the last "/providers/": "Microsoft.Network/virtualNetworks/a/subnets/b". */
export function typeAndNamesOf(id: string): string {
  return id.slice(id.toLowerCase().lastIndexOf("/providers/") + "/providers/".length);
}

/** The type in the ID of a provider's resource: "Microsoft.Network/virtualNetworks/subnets", in the casing of the ID. */
export function typeOf(id: string): string {
  const [namespace = "", ...rest] = typeAndNamesOf(id).split("/");
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join("/");
}

export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** The ID of the resource group in an ID, with its spelling. */
export function groupOf(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+/i.exec(id)?.[0];
}
