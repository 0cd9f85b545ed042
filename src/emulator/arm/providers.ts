/** Resource providers of a subscription: their types, and their registration. */
import type { ArmCall } from "./resource-type.js";
import { ApiError, type Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { findSubscription, type Subscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { resourcesWithin } from "./indexes.js";
import { regions, regionsOffering } from "./locations.js";
import { page } from "./paging.js";
import { resourcesVersions } from "./resource-groups.js";

const versions = resourcesVersions;
const collection = "/subscriptions/{subscriptionId}/providers";

export const providerEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: `${collection}/{namespace}`, versions, handle: get },
  { method: "POST", path: `${collection}/{namespace}/register`, versions, handle: register },
  { method: "POST", path: `${collection}/{namespace}/unregister`, versions, handle: unregister },
];

function list(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  requireRight(call, "Microsoft.Resources/subscriptions/providers/read", `/subscriptions/${subscriptionId}`);
  const subscription = findSubscription(call, subscriptionId);
  return page(
    call,
    // Azure also lists providers that are not registered, with their types and locations.
    [...new Set([...Object.keys(subscription.providers), ...call.types.all.map(namespaceOf)])].map((namespace) =>
      present(call, subscription, namespace),
    ),
  );
}

function get(call: ArmCall, { subscriptionId = "", namespace = "" }: Parameters): Answer {
  requireRight(call, "Microsoft.Resources/subscriptions/providers/read", `/subscriptions/${subscriptionId}`);
  const subscription = findSubscription(call, subscriptionId);
  return { status: 200, body: present(call, subscription, findProvider(call, subscription, namespace)), takes: call.sample("read") };
}

/** Answers `Registering`, and is registered at the next read: Azure takes a minute or so. */
function register(call: ArmCall, { subscriptionId = "", namespace = "" }: Parameters): Answer {
  const subscription = findSubscription(call, subscriptionId);
  const known = findProvider(call, subscription, namespace);
  requireRight(call, `${known}/register/action`, `/subscriptions/${subscriptionId}`);
  const body = present(call, subscription, known);
  const registrationState = subscription.providers[known] === "Registered" ? "Registered" : "Registering";
  subscription.providers[known] = "Registered";
  return { status: 200, body: { ...body, registrationState }, takes: call.sample("read") };
}

/** Answers `Unregistering`, and has ended at the next read. Azure refuses it too while resources of the provider exist, in words that no recording covers. */
function unregister(call: ArmCall, { subscriptionId = "", namespace = "" }: Parameters): Answer {
  const subscription = findSubscription(call, subscriptionId);
  const known = findProvider(call, subscription, namespace);
  const scope = `/subscriptions/${subscription.subscriptionId}`;
  requireRight(call, `${known}/unregister/action`, scope);
  const held = call.types.all.find((type) => namespaceOf(type) === known && resourcesWithin(call.state, scope, type.name).length > 0);
  if (held !== undefined) {
    const message = `The provider '${known}' cannot be unregistered: the subscription has resources of type '${held.name}'. Delete them first.`;
    throw new ApiError(409, "ResourceProviderInUse", message);
  }
  const body = present(call, subscription, known);
  subscription.providers[known] = "Unregistered";
  return { status: 200, body: { ...body, registrationState: "Unregistering" }, takes: call.sample("read") };
}

/** Providers that exist on Azure, although nothing of them is emulated: a subscription that is not registered for them says so. */
const others = [
  "Microsoft.Advisor",
  "Microsoft.Automation",
  "Microsoft.Cache",
  "Microsoft.ClassicInfrastructureMigrate",
  "Microsoft.ContainerInstance",
  "Microsoft.DocumentDB",
  "Microsoft.EventHub",
  "Microsoft.ExtendedLocation",
  "Microsoft.Insights",
  "Microsoft.Logic",
  "Microsoft.Management",
  "Microsoft.OperationalInsights",
  "Microsoft.RecoveryServices",
  "Microsoft.Search",
  "Microsoft.Security",
  "Microsoft.ServiceBus",
  "Microsoft.Sql",
  "Microsoft.Web",
];

/** Undefined for a namespace that Azure does not have. Providers that were never registered are known by their types. */
export function providerNamed({ types }: Pick<ArmCall, "types">, { providers }: Subscription, namespace: string): string | undefined {
  const all = [...Object.keys(providers), ...types.all.map(namespaceOf), ...others];
  return all.find((one) => one.toLowerCase() === namespace.toLowerCase());
}

/** The provider in its own spelling. @throws ApiError 404 for a namespace that Azure does not have */
export function findProvider(call: ArmCall, subscription: Subscription, namespace: string): string {
  const known = providerNamed(call, subscription, namespace);
  if (known !== undefined) return known;
  throw new ApiError(404, "InvalidResourceNamespace", `The resource namespace '${namespace}' is invalid.`);
}

function namespaceOf({ name }: { name: string }): string {
  return name.slice(0, name.indexOf("/"));
}

function present({ state, types }: ArmCall, { subscriptionId, providers }: Subscription, namespace: string): Record<string, unknown> {
  const own = types.all.filter((type) => namespaceOf(type) === namespace);
  return {
    id: `/subscriptions/${subscriptionId}/providers/${namespace}`,
    namespace,
    registrationPolicy: "RegistrationRequired",
    registrationState: providers[namespace] ?? "NotRegistered",
    resourceTypes: own.map(({ name, apiVersions, onlyLocation }) => ({
      resourceType: name.slice(namespace.length + 1),
      locations: onlyLocation === undefined ? regionsOffering(state, name).map((region) => regions[region]) : [],
      apiVersions,
    })),
  };
}
