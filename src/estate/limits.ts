/** The limits of a subscription and its regions that a cluster takes something of: how much is used, and how much is left. */
import { roleAssignmentUse, usageResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { toFailure } from "../azure/to-failure.js";
import { wantedResources } from "../doctor/index.js";
import { assignedComponents, controlPlaneComponents, dataPlaneComponents } from "../domain/components.js";
import type { Part } from "../domain/create-parts.js";
import { defaultEgress } from "../domain/egress.js";
import { defaultNode } from "../domain/hosted-cluster-choices.js";
import { namespaceOf, typesCreatedBy } from "../domain/resource-catalogue.js";
import { subscriptionScope } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { sameText } from "../text/same-text.js";
import { isType, type Entry, type Unread } from "./domain/estate.js";

/** What one more cluster takes: with a set that exists, or with one of its own. */
export interface PerCluster {
  readonly sharedSet: number;
  readonly ownSet: number;
}

export interface Limit {
  /** "role assignments", or Azure's name of the quota: "PublicIPAddresses". */
  readonly name: string;
  /** Undefined for a limit of the whole subscription. */
  readonly location: string | undefined;
  /** The resource type that it counts, where it counts one. */
  readonly type?: string;
  readonly used: number;
  readonly limit: number;
  readonly takes: PerCluster;
}

/** https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits; Azure publishes no usage of them. */
const published = [
  { name: "resource groups", type: resourceTypes.resourceGroup, limit: 980 },
  { name: "private DNS zones", type: resourceTypes.privateDnsZone, limit: 1000 },
] as const;

const infra: ReadonlySet<Part> = new Set(["infra"]);
const everything: ReadonlySet<Part> = new Set(["infra", "identities", "issuer"]);

/** `entries`: of the subscription. `nodes`: of each new cluster. A limit whose use cannot be read is unread, not free. */
export async function readLimits(
  azure: Azure,
  subscriptionId: string,
  entries: readonly Entry[],
  { locations, nodes }: { readonly locations: readonly string[]; readonly nodes: number },
): Promise<{ readonly limits: readonly Limit[]; readonly unread: readonly Unread[] }> {
  const unread: Unread[] = [];
  const read = async (what: string, limits: Promise<readonly Limit[]>): Promise<readonly Limit[]> => {
    try {
      return await limits;
    } catch (error) {
      unread.push({ subscriptionId, failure: toFailure(error, `reading the use of ${what} in subscription ${subscriptionId}`) });
      return [];
    }
  };
  const takes = clusterTakes(azure);
  const limits = await Promise.all([
    read("role assignments", roleLimit(azure, subscriptionId, takes.roleAssignments)),
    ...locations.map(async (location) => read(`vCPUs in ${location}`, coreLimits(azure, subscriptionId, location, nodes))),
    ...locations.flatMap((location) =>
      regionalNamespaces.map(async (namespace) =>
        read(`${namespace} in ${location}`, regionalLimits(azure, subscriptionId, location, namespace, takes)),
      ),
    ),
  ]);
  const counted = published.map(({ name, type, limit }) => ({
    ...{ name, location: undefined, type: type.type, limit, takes: takes.of(type.type) },
    used: entries.filter((one) => isType(one, type)).length,
  }));
  return { limits: [...counted, ...limits.flat()].filter(({ takes: { ownSet } }) => ownSet > 0), unread };
}

interface Takes {
  readonly roleAssignments: PerCluster;
  of(type: string): PerCluster;
}

/** Counted from the steps of the creates, with the default egress. */
function clusterTakes(azure: Azure): Takes {
  const made = (parts: ReadonlySet<Part>) => wantedResources(azure, { parts, existing: new Set(), location: "any", egress: defaultEgress });
  const [shared, own] = [made(infra), made(everything)];
  const roles = assignedComponents.reduce((sum, { assigned }) => sum + assigned.scopes.length, 0);
  return {
    roleAssignments: { sharedSet: roles, ownSet: own.roleAssignments },
    of: (type) => ({ sharedSet: shared.made(type), ownSet: own.made(type) }),
  };
}

async function roleLimit(azure: Azure, subscriptionId: string, takes: PerCluster): Promise<readonly Limit[]> {
  const path = `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/roleAssignmentsUsageMetrics`;
  const { body } = await (await azure.manager()).get(path, "2019-08-01-preview", roleAssignmentUse);
  const { roleAssignmentsCurrentCount: used, roleAssignmentsLimit: limit } = body;
  return [{ name: "role assignments", location: undefined, used, limit, takes }];
}

/** An application has a service principal, a managed identity has one only. Undefined if Graph does not say. @throws if the caller may not read it */
export async function directoryLimit(azure: Azure): Promise<Limit | undefined> {
  const size = await (await azure.directory()).size();
  const takes = { sharedSet: 0, ownSet: 2 * controlPlaneComponents.length + dataPlaneComponents.length };
  return size && { name: "directory objects", location: undefined, used: size.used, limit: size.total, takes };
}

/** Kubernetes creates the nodes, not a create: they count for a cluster, whatever its set is. */
async function coreLimits(azure: Azure, subscriptionId: string, location: string, nodes: number): Promise<readonly Limit[]> {
  const path = `${subscriptionScope(subscriptionId)}/providers/Microsoft.Compute/locations/${location}/usages`;
  const usages = await (await azure.manager()).list(path, "2024-07-01", usageResponse);
  const cores = nodes * defaultNode.cores;
  return usages
    .filter(({ name }) => defaultNode.quotas.some((quota) => sameText(quota, name.value)))
    .map(({ name, currentValue: used, limit }) => ({
      name: name.value,
      location,
      used,
      limit,
      takes: { sharedSet: cores, ownSet: cores },
    }));
}

const regional = typesCreatedBy(everything).flatMap((row) => {
  const { quota } = row.use;
  return quota === undefined || quota === "not published" ? [] : [{ type: row.type, namespace: namespaceOf(row), quota }];
});
const regionalNamespaces = [...new Set(regional.map(({ namespace }) => namespace))];

async function regionalLimits(
  azure: Azure,
  subscriptionId: string,
  location: string,
  namespace: string,
  takes: Takes,
): Promise<readonly Limit[]> {
  const own = regional.filter((one) => one.namespace === namespace);
  const [first] = own;
  if (first === undefined) return [];
  const path = `${subscriptionScope(subscriptionId)}/providers/${namespace}/locations/${location}/usages`;
  const usages = await (await azure.manager()).list(path, first.quota.apiVersion, usageResponse);
  return own.flatMap(({ type, quota: { names } }) =>
    usages
      .filter(({ name }) => names.includes(name.value))
      .map(({ name, currentValue: used, limit }) => ({ name: name.value, location, type, used, limit, takes: takes.of(type) })),
  );
}

/** How many more clusters fit, and the limit that allows no more; undefined without a limit. */
export function fitting(limits: readonly Limit[], kind: keyof PerCluster): { readonly count: number; readonly bound: Limit } | undefined {
  const counts = limits
    .filter(({ takes }) => takes[kind] > 0)
    .map((bound) => ({ bound, count: Math.max(0, Math.floor((bound.limit - bound.used) / bound.takes[kind])) }));
  return counts.toSorted((a, b) => a.count - b.count)[0];
}
