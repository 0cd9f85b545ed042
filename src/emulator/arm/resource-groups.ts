/** Resource groups: containers whose deletion deletes all they contain. */
import { z } from "zod";
import { ApiError } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { versionsOf } from "./api-versions.js";
import { groupDeletionSeconds, removeGroup } from "./group-deletion.js";
import { known } from "./body-schema.js";
import { resourcesByCollection, resourcesByScope } from "./indexes.js";
import { keyOf, resourceGroupsType } from "./resource-id.js";
import { type ArmCall, defineType } from "./resource-type.js";

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

/** Of groups, and of all that Resource Manager answers without a provider. */
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
  check({ state, id, name, existing }) {
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
  store: () => ({ provisioningState: "Succeeded" }),
  // Azure answers a group's location as it was sent: "East US" stays so.
  storeBeside: ({ location, managedBy }) => ({ location, ...(managedBy === undefined ? {} : { managedBy }) }),
  patch: {
    properties: z.strictObject({ provisioningState: z.string().optional() }),
    apply: () => ({}),
    beside: z
      .strictObject({ name: z.string().optional(), managedBy: z.string().optional() })
      .transform(({ managedBy }) => (managedBy === undefined ? {} : { managedBy })),
  },
  remove: removeGroup,
  deleteTakes,
});

function deleteTakes(call: ArmCall, group: StoredResource): number {
  const inside = resourcesByScope.find(call.state.resources, keyOf(group.id)).filter((one) => one.id !== group.id);
  const contents = inside.map((one) => call.types.of(one).latency);
  return groupDeletionSeconds(contents, call.sample);
}
