/** Tenants, subscriptions and their locations. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../service.js";
import type { AzureState } from "../state/state.js";
import { callerOf, hasAnyRole, requireRight } from "./authorization-check.js";
import { findSubscription, type Subscription } from "./containers.js";
import type { Endpoint } from "./endpoint.js";
import { regions } from "./locations.js";
import { page } from "./paging.js";
import { resourcesVersions } from "./resource-groups.js";

const versions = resourcesVersions;

export const subscriptionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/tenants", versions, handle: listTenants },
  { method: "GET", path: "/subscriptions", versions, handle: listSubscriptions },
  { method: "GET", path: "/subscriptions/{subscriptionId}", versions, handle: getSubscription },
  { method: "GET", path: "/subscriptions/{subscriptionId}/locations", versions, handle: listLocations },
];

function listTenants(call: ArmCall): Answer {
  callerOf(call);
  const { tenantId } = call.state;
  return withNextLink(page(call, [{ id: `/tenants/${tenantId}`, tenantId, tenantCategory: "Home" }]));
}

function listSubscriptions(call: ArmCall): Answer {
  const visible = call.state.subscriptions.filter(({ subscriptionId }) => hasAnyRole(call, `/subscriptions/${subscriptionId}`));
  return withNextLink(
    page(
      call,
      visible.map((one) => presentSubscription(call.state, one)),
    ),
  );
}

/** These two lists always have the member: empty on the last page. */
function withNextLink(answer: Answer): Answer {
  return { ...answer, body: { nextLink: "", ...(answer.body as object) } };
}

/** Any role anywhere in a subscription lets a principal see the subscription itself. */
function getSubscription(call: ArmCall, { subscriptionId = "" }: Readonly<Record<string, string>>): Answer {
  const scope = `/subscriptions/${subscriptionId}`;
  const subscription = findSubscription(call, subscriptionId);
  if (!hasAnyRole(call, scope)) requireRight(call, "Microsoft.Resources/subscriptions/read", scope);
  return { status: 200, body: presentSubscription(call.state, subscription), takes: call.sample("read") };
}

function listLocations(call: ArmCall, { subscriptionId = "" }: Readonly<Record<string, string>>): Answer {
  requireRight(call, "Microsoft.Resources/subscriptions/locations/read", `/subscriptions/${subscriptionId}`);
  const { subscriptionId: id } = findSubscription(call, subscriptionId);
  return page(
    call,
    Object.entries(regions).map(([name, displayName]) => ({
      id: `/subscriptions/${id}/locations/${name}`,
      name,
      type: "Region",
      displayName,
      regionalDisplayName: displayName,
    })),
  );
}

function presentSubscription({ tenantId, knobs }: AzureState, { subscriptionId, displayName }: Subscription): Record<string, unknown> {
  return {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    displayName,
    tenantId,
    state: knobs?.subscriptionState ?? "Enabled",
    authorizationSource: "RoleBased",
    managedByTenants: [],
  };
}
