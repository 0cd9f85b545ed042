/** Any resource by its path: finds it, checks the caller's right and its containers, then reads, writes, deletes or lists. */
import type { Answer, ApiError } from "../core/service.js";
import { acceptsVersion, versionOf } from "./api-versions.js";
import { callerOf, may, requireRight } from "./authorization-check.js";
import { findGroup, findSubscription, isBeingDeleted } from "./scopes.js";
import {
  missingRegistration,
  invalidApiVersion,
  noRegisteredProvider,
  notEmulated,
  parentNotFound,
  resourceGroupBeingDeleted,
  resourceGroupNotFound,
  resourceNotFound,
} from "./errors.js";
import { tagFilter } from "./generic-lists.js";
import { resourcesWithin } from "./indexes.js";
import { normalLocation, regions } from "./locations.js";
import { page } from "./paging.js";
import { answerPart, partIn } from "./parts.js";
import { patchResource } from "./patch.js";
import { present } from "./present.js";
import { providerNamed } from "./providers.js";
import { putResource, type Target, checkIfMatch } from "./put.js";
import type { StoredResource } from "../state/state.js";
import { keyOf, parentOf, resourceGroupsType, typeAndNamesOf, type ResourcePath } from "./resource-id.js";
import type { ArmCall, ResourceType } from "./resource-type.js";
import { checkLocks } from "./locks.js";
import { firstHeaders, operationOn, start, takeLock } from "./operations.js";
import { removeResource } from "./removal.js";
import { logOperation } from "../state/operation-log.js";

/** Answers a path that names a resource or a collection of resources. */
export function handleResource(call: ArmCall, path: ResourcePath): Answer {
  const stored = call.state.resources[keyOf(`/${call.request.path.join("/")}`)];
  const part = partIn(call, path);
  const type = part?.type ?? call.types.named(path.type) ?? (stored === undefined ? undefined : call.types.of(stored));
  if (type === undefined) throw refusalOfUnknown(call, path);
  const version = versionOf(call.request);
  if (!acceptsVersion(call, type.name, type.apiVersions)) {
    throw type.name === resourceGroupsType
      ? invalidApiVersion(version, type.apiVersions)
      : noRegisteredProvider(type, version, stored?.location ?? locationIn(call.request.body), Object.keys(regions));
  }
  if (part !== undefined) return answerPart(call, part, locate(call, part.parent, type));
  const answer = path.collection ? list(call, path, type) : single(call, path, type);
  return type.answerHeaders === undefined ? answer : { ...answer, headers: { ...type.answerHeaders(version), ...answer.headers } };
}

/** A provider that the subscription is not registered for refuses everything; what a registered one has beyond the emulated types is 501. */
function refusalOfUnknown(call: ArmCall, { subscriptionId, type }: ResourcePath): ApiError {
  callerOf(call);
  const subscription = findSubscription(call, subscriptionId);
  const namespace = providerNamed(call, subscription, type.slice(0, type.indexOf("/")));
  return namespace === undefined || isRegistered(subscription.providers, namespace)
    ? notEmulated(call.request.method, call.request.path)
    : missingRegistration(namespace);
}

function locationIn(body: unknown): string | undefined {
  const { location } = (body ?? {}) as { location?: unknown };
  return typeof location === "string" ? normalLocation(location) : undefined;
}

/** "Microsoft.Network/virtualNetworks/read"; in the names of actions, resource groups are under subscriptions. */
function actionOf(type: ResourceType, verb: "read" | "write" | "delete"): string {
  return `${type.name === resourceGroupsType ? "Microsoft.Resources/subscriptions/resourceGroups" : type.name}/${verb}`;
}

const verbs = { GET: "read", HEAD: "read", PUT: "write", PATCH: "write", DELETE: "delete" } as const;

function single(call: ArmCall, path: ResourcePath, type: ResourceType): Answer {
  const { method } = call.request;
  if (method === "POST") throw notEmulated(method, call.request.path);
  requireRight(call, actionOf(type, verbs[method]), `/${call.request.path.join("/")}`);
  const target = locate(call, path, type);
  if (method === "PUT") return putResource(call, target);
  const resource = call.state.resources[keyOf(target.id)];
  if (resource === undefined) return answerMissing(call, target);
  if (method === "HEAD") return { status: 204, takes: call.sample("read") };
  if (method === "PATCH") return patchResource(call, target, resource);
  if (method === "DELETE") return deleteResource(call, type, resource);
  return { status: 200, body: present(call, resource), takes: call.sample("read") };
}

/** A DELETE of a missing resource is 204 as long as its group exists; a missing group is 404. */
function answerMissing(call: ArmCall, { type, id, resourceGroup }: Target): Answer {
  const { method } = call.request;
  const isGroup = type.name === resourceGroupsType;
  if (method === "HEAD") return { status: 404, takes: call.sample("read") };
  if (method === "DELETE" && !isGroup) return { status: 204, takes: call.sample("read") };
  if (isGroup) throw resourceGroupNotFound(resourceGroup);
  throw type.missingRefusal?.(id, call) ?? resourceNotFound(typeAndNamesOf(id), resourceGroup);
}

/** The canonical ID, after checking that subscription, registration, group and parent exist and can be written. */
function locate(call: ArmCall, path: ResourcePath, type: ResourceType): Target {
  const { state, request } = call;
  const writes = request.method === "PUT" || request.method === "PATCH";
  const subscription = findSubscription(call, path.subscriptionId);
  const name = path.names.at(-1) ?? "";
  if (type.name === resourceGroupsType) {
    const id = `/subscriptions/${subscription.subscriptionId}/resourceGroups/${name}`;
    const group = state.resources[keyOf(id)];
    if (writes && isBeingDeleted(group)) throw resourceGroupBeingDeleted(name);
    return { type, id: group?.id ?? id, name, resourceGroup: name };
  }
  if (path.resourceGroup === undefined) throw notEmulated(request.method, request.path);
  const [namespace = ""] = type.name.split("/");
  if (request.method === "PUT" && !isRegistered(subscription.providers, namespace)) throw missingRegistration(namespace);
  const group = findGroup(call, path.subscriptionId, path.resourceGroup);
  if (writes && isBeingDeleted(group)) throw resourceGroupBeingDeleted(group.name);
  const id = canonicalId(path.extended ?? group.id, type, path.names);
  const stored = state.resources[keyOf(id)];
  const parentId = parentOf(id);
  const parent = parentId === undefined ? undefined : state.resources[keyOf(parentId)];
  // ARM knows each tracked resource by itself, so it looks for the parent of a new one only.
  if (parentId !== undefined && parent === undefined && stored === undefined && (writes || type.kind === "proxy")) {
    if (path.extended !== undefined) throw resourceNotFound(typeAndNamesOf(parentId), group.name);
    throw parentNotFound(verbs[request.method as keyof typeof verbs], type, parentId);
  }
  const underParent = parent === undefined ? id : `${parent.id}${id.slice(parentId?.length)}`;
  return { type, id: stored?.id ?? underParent, name, resourceGroup: group.name };
}

function canonicalId(groupId: string, type: ResourceType, names: readonly string[]): string {
  const [namespace = "", ...types] = type.name.split("/");
  return `${groupId}/providers/${namespace}/${types.map((segment, index) => `${segment}/${names[index] ?? ""}`).join("/")}`;
}

function isRegistered(providers: Readonly<Record<string, string>>, namespace: string): boolean {
  return Object.entries(providers).some(([name, state]) => name.toLowerCase() === namespace.toLowerCase() && state === "Registered");
}

/**
 * A list under a group or a parent requires the right to read there. A list over the subscription shows what the caller may read,
 * which may be nothing.
 */
function list(call: ArmCall, path: ResourcePath, type: ResourceType): Answer {
  if (call.request.method !== "GET") throw notEmulated(call.request.method, call.request.path);
  const scope = path.extended ?? `/${call.request.path.slice(0, path.resourceGroup === undefined ? 2 : -1).join("/")}`;
  const action = actionOf(type, "read");
  const { objectId } = callerOf(call);
  findSubscription(call, path.subscriptionId);
  if (path.resourceGroup !== undefined) {
    requireRight(call, action, scope);
    const { name } = findGroup(call, path.subscriptionId, path.resourceGroup);
    if (path.extended !== undefined && call.state.resources[keyOf(scope)] === undefined)
      throw resourceNotFound(typeAndNamesOf(scope), name);
    if (path.names.length > 0 && call.state.resources[keyOf(scope)] === undefined) throw parentNotFound("read", type, scope);
  }
  const inScope = path.names.length > 0 || path.extended !== undefined ? scope : scope.split("/").slice(0, 5).join("/");
  const matches = tagFilter(call, type);
  const found = resourcesWithin(call.state, inScope, type.name).filter((one) => matches(one) && may(call, objectId, action, one.id));
  // No description has it, but the list of groups knows their age, as that of resources does.
  const isDated = keyOf(type.name) === keyOf(resourceGroupsType) && call.request.query.get("$expand") === "createdTime";
  const show = (one: StoredResource) => {
    const presented = present(call, one);
    return (
      type.presentedInList?.(presented) ?? (isDated ? { ...presented, createdTime: new Date(one.createdAt ?? 0).toISOString() } : presented)
    );
  };
  return page(call, type.selectListed?.(call.request.query, found) ?? found, show, type.emptyLastPage);
}

/** The generic DELETE: refused if locked or in use, safe to repeat, ended by the clock if the type's delete is long-running. */
function deleteResource(call: ArmCall, type: ResourceType, resource: StoredResource): Answer {
  if (!type.verbs.includes("delete")) throw notEmulated("DELETE", call.request.path);
  const { state } = call;
  const { id } = resource;
  const running = operationOn(state, id);
  if (running?.kind === "delete" && type.delete !== undefined) {
    return { status: 202, headers: firstHeaders(state, running, type.delete), takes: call.sample("read") };
  }
  checkLocks(state, id, "delete");
  checkIfMatch(call, type, id, resource);
  type.checkDelete?.(state, resource);
  if (type.delete !== undefined) takeLock(call, type, id, type.delete);
  const seconds = type.deleteSeconds?.(call, resource) ?? call.sample(type.latency.delete);
  if (type.delete === undefined) type.holdFor?.(call, id, seconds);
  logOperation(state, { resource: id, verb: "DELETE", seconds });
  if (type.delete === undefined) {
    removeResource(call, resource);
    return { status: type.deletedStatus ?? 200, takes: seconds };
  }
  if ("provisioningState" in resource.properties) resource.properties["provisioningState"] = "Deleting";
  const ended = type.hasDeleteEnded?.(call, seconds) === true;
  const { headers } = start(call, type.delete, "delete", resource, ended ? "none" : seconds);
  if (!ended) return { status: 202, headers, takes: call.sample("read") };
  removeResource(call, resource);
  return { status: 200, headers, takes: seconds };
}
