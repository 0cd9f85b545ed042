/** Tenants, subscriptions and their locations. */
import type { ArmCall } from "./resource-type.js";
import type { Answer } from "../core/service.js";
import type { AzureState } from "../state/state.js";
import { versionOf } from "./api-versions.js";
import { callerOf, hasAnyRole, requireRight } from "./authorization-check.js";
import { findSubscription, stateOf, type Subscription } from "./scopes.js";
import type { Endpoint } from "./endpoint.js";
import { page } from "./paging.js";
import { allRegions, type Region } from "./regions.js";
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
  return withNextLink(page(call, visible, (one) => presentSubscription(call.state, one)));
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
  return page(call, allRegions, (region) => presentRegion(`/subscriptions/${id}/locations`, region, versionOf(call.request)));
}

function presentRegion(locations: string, region: Region, apiVersion: string): Record<string, unknown> {
  const { name, displayName, geographyGroup, physicalLocation, longitude, latitude, pairedRegion, regionCategory } = region;
  return {
    id: `${locations}/${name}`,
    name,
    // Versions of 2019 do not tell regions from edge zones.
    ...(apiVersion >= "2020" && { type: "Region" }),
    displayName,
    regionalDisplayName: `(${geographyGroup}) ${displayName}`,
    metadata: {
      regionType: "Physical",
      regionCategory,
      geographyGroup,
      longitude,
      latitude,
      ...(physicalLocation !== "" && { physicalLocation }),
      pairedRegion: pairedRegion === undefined ? [] : [{ name: pairedRegion, id: `${locations}/${pairedRegion}` }],
    },
  };
}

export function presentSubscription(state: AzureState, subscription: Subscription): Record<string, unknown> {
  const { subscriptionId, displayName, tags, tenantId = state.tenantId, managedByTenants = [] } = subscription;
  return {
    id: `/subscriptions/${subscriptionId}`,
    subscriptionId,
    displayName,
    tenantId,
    state: stateOf(state, subscription),
    authorizationSource: "RoleBased",
    managedByTenants: managedByTenants.map((managing) => ({ tenantId: managing })),
    ...(tags !== undefined && Object.keys(tags).length > 0 && { tags }),
  };
}
