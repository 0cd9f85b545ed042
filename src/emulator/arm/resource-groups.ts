/** Resource groups: containers whose deletion deletes all they contain, and the template of an empty one. */
import { z } from "zod";
import { ApiError, type Answer } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { versionsOf } from "./api-versions.js";
import { known } from "./body-schema.js";
import { resourcesByCollection, resourcesByScope } from "./indexes.js";
import { keyOf, resourceGroupsType } from "./resource-id.js";
import { type ArmCall, defineType, type Moment, type OperationError, type ResourceType } from "./resource-type.js";
import { checkLocks, isLock } from "./locks.js";
import { removeResource, removeTree } from "./removal.js";
import { requireRight } from "./authorization-check.js";
import { findGroup, findSubscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { notEmulated } from "./errors.js";

const body = known({
  id: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  location: z.string(),
  tags: z.record(z.string(), z.string()).optional(),
  managedBy: z.string().optional(),
  properties: z.strictObject({ provisioningState: z.string().optional() }).optional(),
});

const mostInSubscription = 980;

/** The versions of groups, and of all that Resource Manager answers without a provider. */
export const resourcesVersions = versionsOf("Microsoft.Resources", { from: "2015-11-01" });

export const resourceGroups = defineType<z.output<typeof body>>({
  name: resourceGroupsType,
  apiVersions: resourcesVersions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  namePattern: /^[-\w.()]{0,89}[-\w()]$/,
  nameRule: "It may be 1 to 90 characters long, of letters, digits, '_', '-', '.', '(' and ')', and may not end with a period.",
  body,
  latency: { put: "resourceGroup.put", delete: "resourceGroup.delete.base" },
  delete: {
    operation: "DeleteResourceGroup",
    answers: "accepted",
    headers: ["location"],
    retryAfter: 15,
    pollRetryAfter: [15],
    // A version of its own: with the group's, Azure's published description reads the path as a "resource by ID".
    at: { under: "subscription", status: "operationstatuses", result: "operationresults", runningStatus: 200, apiVersion: "2020-01-01" },
  },
  checkPut({ state, id, name, existing }) {
    const subscription = id.split("/").slice(0, 3).join("/");
    if (existing !== undefined) return;
    const there = resourcesByCollection.namesOf(state.resources, keyOf(`${subscription}/resourceGroups`)).length;
    if (there < mostInSubscription) return;
    throw new ApiError(
      409,
      "ResourceGroupQuotaExceeded",
      `Creating the resource group '${name}' would exceed the quota of '${String(mostInSubscription)}'. The current resource group count is '${String(there)}', please delete some resource groups before creating a new one.`,
    );
  },
  storedProperties: () => ({ provisioningState: "Succeeded" }),
  // Azure answers a group's location as it was sent: "East US" stays so.
  storedMembers: ({ location, managedBy }) => ({ location, ...(managedBy === undefined ? {} : { managedBy }) }),
  patch: {
    properties: z.strictObject({ provisioningState: z.string().optional() }),
    apply: () => ({}),
    beside: z
      .strictObject({ name: z.string().optional(), managedBy: z.string().optional() })
      .transform(({ managedBy }) => (managedBy === undefined ? {} : { managedBy })),
  },
  removeAtEnd: removeGroup,
  deleteSeconds: deleteTakes,
});

function deleteTakes(call: ArmCall, group: StoredResource): number {
  const inside = resourcesByScope.find(call.state.resources, keyOf(group.id)).filter((one) => one.id !== group.id);
  const contents = inside.map((one) => call.types.of(one).latency);
  return groupDeletionSeconds(contents, call.sample);
}

/** Returns ResourceGroupDeletionBlocked, with part of the content deleted, if anything in the group is used from outside or locked. */
function removeGroup(moment: Moment, group: StoredResource): OperationError | undefined {
  let blocked = sweep(moment, group);
  // Each pass may free what the next one can remove: a NIC before its subnet's network, a link before its zone.
  for (let before = Infinity; blocked.length > 0 && blocked.length < before;) {
    before = blocked.length;
    blocked = sweep(moment, group);
  }
  if (blocked.length === 0) {
    removeTree(moment.state, group.id);
    return undefined;
  }
  group.properties["provisioningState"] = "Succeeded";
  return deletionBlocked(moment, group, blocked);
}

/**
 * Two resources of a kind are deleted in parallel, and so are two kinds: the slowest counts. A network waits for the links of the private
 * zones to it.
 */
export function groupDeletionSeconds(contents: readonly ResourceType["latency"][], sample: (key: string) => number): number {
  const kinds = new Set(contents.flatMap(({ inGroup }) => inGroup ?? []));
  const taken = new Map([...kinds].map((kind) => [kind, sample(`resourceGroup.delete.add.${kind}`)]));
  const secondsOf = (kind = ""): number => taken.get(kind) ?? 0;
  const chains = contents.map(({ inGroup, inGroupAfter }) => secondsOf(inGroup) + secondsOf(inGroupAfter));
  return sample("resourceGroup.delete.base") + Math.max(0, ...chains);
}

interface Blocked {
  readonly id: string;
  readonly error: ApiError;
}

/** Removes all tracked resources of the group that can be deleted now; returns the others with their reasons. */
function sweep(moment: Moment, group: StoredResource): Blocked[] {
  const blocked: Blocked[] = [];
  const content = resourcesByScope.find(moment.state.resources, keyOf(group.id)).filter((one) => isContent(moment, one, group));
  // Deepest first, so that nested resources are deleted before their parents.
  for (const resource of content.sort((a, b) => b.id.split("/").length - a.id.split("/").length)) {
    try {
      checkLocks(moment.state, resource.id, "delete");
      moment.types.of(resource).checkDelete?.(moment.state, resource);
      removeResource(moment, resource);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      blocked.push({ id: resource.id, error });
    }
  }
  return blocked;
}

function isContent({ types }: Moment, resource: StoredResource, group: StoredResource): boolean {
  if (keyOf(resource.id) === keyOf(group.id) || isLock(resource.type)) return false;
  return types.of(resource).kind === "tracked";
}

function deletionBlocked({ uuid }: Moment, group: StoredResource, blocked: readonly Blocked[]): OperationError {
  const ids = blocked.map(({ id }) => id).join(",");
  return {
    code: "ResourceGroupDeletionBlocked",
    message:
      `Deletion of resource group '${group.name}' failed as resources with identifiers '${ids}' could not be deleted. ` +
      "The provisioning state of the resource group will be rolled back. " +
      `The tracking Id is '${uuid()}'. Please check audit logs for more details.`,
    // The inner error is JSON in a string, as in Azure.
    details: blocked.map(({ id, error: { code, message, details } }) => ({
      Code: null,
      Target: id,
      Message: JSON.stringify({ error: { code, message, details: details ?? [] } }),
    })),
  };
}

/** The template of a resource group. Only that of an empty group is emulated. */
export const groupExportEndpoint: Endpoint = {
  method: "POST",
  path: "/subscriptions/{subscriptionId}/resourceGroups/{group}/exportTemplate",
  versions: resourcesVersions,
  handle: exportTemplate,
};

function exportTemplate(call: ArmCall, { subscriptionId = "", group = "" }: Parameters): Answer {
  findSubscription(call, subscriptionId);
  const { id } = findGroup(call, subscriptionId, group);
  requireRight(call, "Microsoft.Resources/subscriptions/resourceGroups/exportTemplate/action", id);
  const isEmpty = resourcesByScope.count(call.state.resources, keyOf(id)) === 1;
  if (!isEmpty) throw notEmulated("POST", call.request.path);
  const template = {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    contentVersion: "1.0.0.0",
    parameters: {},
    variables: {},
    resources: [],
  };
  return { status: 200, body: { template }, takes: call.sample("read") };
}
