/** The lists over all types, in a subscription and in a group, and the filters that lists of any type share. */
import { ApiError, type Answer } from "../core/service.js";
import type { AzureState, StoredResource } from "../state/state.js";
import { callerOf, may, requireRight } from "./authorization-check.js";
import { findGroup, findSubscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { resourcesByScope, resourcesByTag, resourcesWithin } from "./indexes.js";
import { isLock } from "./locks.js";
import { readFilter, type Filter } from "./odata-filter.js";
import { page } from "./paging.js";
import { presentListed } from "./present.js";
import { groupOf, isWithin, keyOf, resourceGroupsType } from "./resource-id.js";
import { resourcesVersions } from "./resource-groups.js";
import type { ArmCall, ResourceType } from "./resource-type.js";

/** arm-keyvault lists vaults with the oldest. */
const versions = resourcesVersions;

export const genericListEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/subscriptions/{subscriptionId}/resources", versions, handle: listInSubscription },
  { method: "GET", path: "/subscriptions/{subscriptionId}/resourceGroups/{group}/resources", versions, handle: listInGroup },
];

function listInSubscription(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  const { objectId } = callerOf(call);
  findSubscription(call, subscriptionId);
  const scope = `/subscriptions/${subscriptionId}`;
  return listTracked(call, scope, (one) => may(call, objectId, `${one.type}/read`, one.id));
}

function listInGroup(call: ArmCall, { subscriptionId = "", group = "" }: Parameters): Answer {
  const scope = `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  requireRight(call, "Microsoft.Resources/subscriptions/resourceGroups/resources/read", scope);
  findSubscription(call, subscriptionId);
  findGroup(call, subscriptionId, group);
  return listTracked(call, scope, () => true);
}

function listTracked(call: ArmCall, scope: string, visible: (resource: StoredResource) => boolean): Answer {
  const filter = readFilter(call.request.query.get("$filter"), [
    "tagname",
    "tagvalue",
    "resourcetype",
    "resourcegroup",
    "name",
    "location",
  ]);
  const expand = (call.request.query.get("$expand") ?? "").split(",").filter((member) => member !== "");
  const { equals } = filter;
  const candidates = candidatesIn(call.state, scope, equals);
  const found = candidates.filter((one) => isWithin(one.id, scope) && fits(one, filter) && isTracked(call, one) && visible(one));
  // Azure leaves out the tags of resources that it filters by a tag's value.
  const show = (one: StoredResource) => {
    const presented = presentListed(call.types.of(one), one, expand);
    const { tags: _hidden, ...untagged } = presented;
    return equals.has("tagvalue") ? untagged : presented;
  };
  return page(call, found, show);
}

/** Those that an index finds for one of the conditions, and perhaps others. */
function candidatesIn(state: AzureState, scope: string, equals: Filter["equals"]): StoredResource[] {
  const [tag, value, type, group] = ["tagname", "tagvalue", "resourcetype", "resourcegroup"].map((name) => equals.get(name));
  if (tag !== undefined) return resourcesByTag.find(state.resources, value === undefined ? keyOf(tag) : `${keyOf(tag)}=${value}`);
  const within = group === undefined || groupOf(scope) !== undefined ? scope : `${scope}/resourceGroups/${group}`;
  if (type !== undefined) return resourcesWithin(state, within, type);
  return resourcesByScope.find(state.resources, keyOf(within));
}

function isTracked({ types }: ArmCall, resource: StoredResource): boolean {
  return resource.type !== resourceGroupsType && !isLock(resource.type) && types.of(resource).kind === "tracked";
}

function fits(resource: StoredResource, { equals }: Filter): boolean {
  const is = (member: string, value: string | undefined): boolean => {
    const wanted = equals.get(member);
    return wanted === undefined || wanted.toLowerCase() === value?.toLowerCase();
  };
  if (!is("resourcetype", resource.type) || !is("name", resource.name) || !is("location", resource.location)) return false;
  return is("resourcegroup", groupOf(resource.id)?.split("/").at(-1)) && hasTag(resource, equals.get("tagname"), equals.get("tagvalue"));
}

/** Compares names of tags case-insensitively, values case-sensitively. */
function hasTag({ tags = {} }: StoredResource, name: string | undefined, value: string | undefined): boolean {
  if (name === undefined) return true;
  return Object.entries(tags).some(([key, held]) => keyOf(key) === keyOf(name) && (value === undefined || held === value));
}

/** The filter of a list of one type: resource groups can be filtered by tag, other types have no `$filter`. */
export function tagFilter(call: ArmCall, type: ResourceType): (resource: StoredResource) => boolean {
  const text = call.request.query.get("$filter");
  if (text === null) return () => true;
  if (type.name !== resourceGroupsType) {
    throw new ApiError(400, "InvalidFilterInQueryString", `Invalid $filter '${text}' specified in the query string.`);
  }
  const { equals } = readFilter(text, ["tagname", "tagvalue"]);
  return (resource) => hasTag(resource, equals.get("tagname"), equals.get("tagvalue"));
}
