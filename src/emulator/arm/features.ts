/** Preview features of a subscription (Microsoft.Features), by both paths of the provider. */
import { ApiError, type Answer } from "../core/service.js";
import type { AzureState } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import { findSubscription, type Subscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { page } from "./paging.js";
import { findProvider } from "./providers.js";
import type { ArmCall } from "./resource-type.js";
import { keyOf } from "./resource-id.js";

/** The features that the emulated types ask for, and some that clusters of this kind register. All of them are approved automatically. */
export const bringAddressesFeature = "Microsoft.Network/AllowBringYourOwnPublicIpAddress";
export const encryptionAtHostFeature = "Microsoft.Compute/EncryptionAtHost";
const knownFeatures = [
  encryptionAtHostFeature,
  "Microsoft.ContainerService/DisableSSHPreview",
  "Microsoft.ContainerService/IstioNativeSidecarModePreview",
  bringAddressesFeature,
];

const home = "/subscriptions/{subscriptionId}/providers/Microsoft.Features";
const versions = ["2021-07-01", "2015-12-01"];
const registrations = ["2021-07-01"];
const feature = `${home}/providers/{namespace}/features/{name}`;
const registration = `${home}/featureProviders/{namespace}/subscriptionFeatureRegistrations/{name}`;

export const featureEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `${home}/features`, versions, handle: list },
  { method: "GET", path: `${home}/providers/{namespace}/features`, versions, handle: list },
  { method: "GET", path: feature, versions, handle: get },
  { method: "POST", path: `${feature}/register`, versions, handle: (call, parameters) => change(call, parameters, "register") },
  { method: "POST", path: `${feature}/unregister`, versions, handle: (call, parameters) => change(call, parameters, "unregister") },
  { method: "GET", path: registration, versions: registrations, handle: getRegistration },
  { method: "PUT", path: registration, versions: registrations, handle: putRegistration },
  { method: "DELETE", path: registration, versions: registrations, handle: deleteRegistration },
];

type FeatureState = NonNullable<Subscription["features"]>[string];

/** `id` is that of anything in the subscription. */
export function isFeatureRegistered({ subscriptions }: AzureState, id: string, name: string): boolean {
  const subscription = subscriptions.find(({ subscriptionId }) => keyOf(subscriptionId) === keyOf(id.split("/")[2] ?? ""));
  return subscription !== undefined && stateOf(subscription, name) === "Registered";
}

function stateOf({ features = {} }: Subscription, name: string): FeatureState {
  return Object.entries(features).find(([one]) => keyOf(one) === keyOf(name))?.[1] ?? "NotRegistered";
}

/** Those of the table, and those that a seed added. */
function featuresOf({ features = {} }: Subscription): string[] {
  const added = Object.keys(features).filter((one) => !knownFeatures.some((known) => keyOf(known) === keyOf(one)));
  return [...knownFeatures, ...added];
}

function list(call: ArmCall, { subscriptionId = "", namespace }: Parameters): Answer {
  const subscription = findSubscription(call, subscriptionId);
  const action = namespace === undefined ? "Microsoft.Features/features/read" : "Microsoft.Features/providers/features/read";
  requireRight(call, action, `/subscriptions/${subscription.subscriptionId}`);
  const found = featuresOf(subscription).filter((one) => namespace === undefined || keyOf(one).startsWith(`${keyOf(namespace)}/`));
  return page(call, found, (name) => present(subscription, name));
}

function get(call: ArmCall, parameters: Parameters): Answer {
  const { subscription, name } = find(call, parameters, "Microsoft.Features/providers/features/read");
  return { status: 200, body: present(subscription, name), takes: call.sample("read") };
}

/** Answers that it is under way, and has ended at the next read: Azure takes a quarter of an hour. */
function change(call: ArmCall, parameters: Parameters, verb: "register" | "unregister"): Answer {
  const { subscription, name } = find(call, parameters, `Microsoft.Features/providers/features/${verb}/action`);
  const before = stateOf(subscription, name);
  const after = verb === "register" ? "Registered" : "Unregistered";
  setState(subscription, name, after);
  const shown = before === after ? after : verb === "register" ? "Registering" : "Unregistering";
  return { status: 200, body: present(subscription, name, shown), takes: call.sample("read") };
}

function getRegistration(call: ArmCall, parameters: Parameters): Answer {
  const { subscription, name } = find(call, parameters, "Microsoft.Features/featureProviders/subscriptionFeatureRegistrations/read");
  return { status: 200, body: presentRegistration(call, subscription, name), takes: call.sample("read") };
}

function putRegistration(call: ArmCall, parameters: Parameters): Answer {
  const { subscription, name } = find(call, parameters, "Microsoft.Features/featureProviders/subscriptionFeatureRegistrations/write");
  setState(subscription, name, "Registered");
  return { status: 200, body: presentRegistration(call, subscription, name), takes: call.sample("read") };
}

function deleteRegistration(call: ArmCall, parameters: Parameters): Answer {
  const { subscription, name } = find(call, parameters, "Microsoft.Features/featureProviders/subscriptionFeatureRegistrations/delete");
  const existed = stateOf(subscription, name) === "Registered";
  if (existed) setState(subscription, name, "Unregistered");
  return { status: existed ? 200 : 204, takes: call.sample("read") };
}

function setState(subscription: Subscription, name: string, state: FeatureState): void {
  const others = Object.entries(subscription.features ?? {}).filter(([one]) => keyOf(one) !== keyOf(name));
  subscription.features = { ...Object.fromEntries(others), [name]: state };
}

/** @throws ApiError 404 for a provider or a feature that does not exist */
function find(call: ArmCall, { subscriptionId = "", namespace = "", name = "" }: Parameters, action: string) {
  const subscription = findSubscription(call, subscriptionId);
  requireRight(call, action, `/subscriptions/${subscription.subscriptionId}`);
  const provider = findProvider(call, subscription, namespace);
  const found = featuresOf(subscription).find((one) => keyOf(one) === keyOf(`${provider}/${name}`));
  if (found === undefined) throw new ApiError(404, "FeatureNotFound", `The feature '${name}' could not be found.`);
  return { subscription, name: found };
}

function present(subscription: Subscription, name: string, state: string = stateOf(subscription, name)): Record<string, unknown> {
  const [namespace = "", own = ""] = name.split("/");
  return {
    properties: { state },
    id: `/subscriptions/${subscription.subscriptionId}/providers/Microsoft.Features/providers/${namespace}/features/${own}`,
    type: "Microsoft.Features/providers/features",
    name,
  };
}

function presentRegistration({ state: { tenantId } }: ArmCall, subscription: Subscription, name: string): Record<string, unknown> {
  const { subscriptionId } = subscription;
  const [providerNamespace = "", featureName = ""] = name.split("/");
  const type = "Microsoft.Features/featureProviders/subscriptionFeatureRegistrations";
  return {
    id: `/subscriptions/${subscriptionId}/providers/Microsoft.Features/featureProviders/${providerNamespace}/subscriptionFeatureRegistrations/${featureName}`,
    name: featureName,
    type,
    properties: {
      tenantId,
      subscriptionId,
      providerNamespace,
      featureName,
      displayName: featureName,
      state: stateOf(subscription, name),
      approvalType: "AutoApproval",
      shouldFeatureDisplayInPortal: false,
    },
  };
}
