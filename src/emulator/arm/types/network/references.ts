/** Checks the references in bodies of Microsoft.Network: existence, state, and the right to join. */
import { ApiError } from "../../../core/service.js";
import type { Operation, AzureState } from "../../../state/state.js";
import { childNotFound } from "../../errors.js";
import { operationsInProgress } from "../../indexes.js";
import { normalLocation } from "../../locations.js";
import type { LinkedRight, Put, ResourceBody } from "../../resource-type.js";
import { isWithin, keyOf, typeOf } from "../../resource-id.js";
import { sameId } from "../../uses.js";
import { usesWithin } from "../../uses-within.js";

/** The keys are lower-case types of referenced resources. Other types need no right. */
const joinActions: Readonly<Record<string, string>> = {
  "microsoft.network/networksecuritygroups": "Microsoft.Network/networkSecurityGroups/join/action",
  "microsoft.network/virtualnetworks": "Microsoft.Network/virtualNetworks/join/action",
  "microsoft.network/virtualnetworks/subnets": "Microsoft.Network/virtualNetworks/subnets/join/action",
  "microsoft.network/publicipaddresses": "Microsoft.Network/publicIPAddresses/join/action",
  "microsoft.network/natgateways": "Microsoft.Network/natGateways/join/action",
  "microsoft.network/routetables": "Microsoft.Network/routeTables/join/action",
  "microsoft.network/publicipprefixes": "Microsoft.Network/publicIPPrefixes/join/action",
  "microsoft.network/serviceendpointpolicies": "Microsoft.Network/serviceEndpointPolicies/join/action",
  "microsoft.network/applicationsecuritygroups": "Microsoft.Network/applicationSecurityGroups/joinIpConfiguration/action",
  "microsoft.network/loadbalancers/backendaddresspools": "Microsoft.Network/loadBalancers/backendAddressPools/join/action",
  "microsoft.network/loadbalancers/frontendipconfigurations": "Microsoft.Network/loadBalancers/frontendIPConfigurations/join/action",
  "microsoft.network/loadbalancers/inboundnatrules": "Microsoft.Network/loadBalancers/inboundNatRules/join/action",
};

/** The rights that the references inside `value` require. */
export function joinRights(value: unknown): LinkedRight[] {
  return usesWithin("", value).flatMap(({ to }) => {
    const action = joinActions[keyOf(typeOf(to))];
    return action === undefined ? [] : [{ id: to, action }];
  });
}

/**
 * Every reference to another resource names an existing one in the same region, without a write in flight. `missing` makes the refusal of
 * one that does not exist.
 */
export function checkReferences(
  { state, id, body }: Put<ResourceBody>,
  location: string | undefined,
  missing: (from: string, to: string) => ApiError = missingReference,
): void {
  for (const { from, to } of usesWithin(id, body.properties)) {
    if (isWithin(to, id)) {
      continue;
    }
    const found = holderOf(state, to);
    if (found === undefined || (location !== undefined && found.location !== undefined && found.location !== normalLocation(location))) {
      throw missing(from, to);
    }
    const running = operationWithin(state, found.id);
    if (running !== undefined) {
      throw notProvisioned(id, to, running);
    }
  }
}

/** Azure quotes the missing ID in upper case. */
export function missingReference(from: string, to: string): ApiError {
  return new ApiError(
    400,
    "InvalidResourceReference",
    `Resource ${to.toUpperCase()} referenced by resource ${from} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
  );
}

/** NAT gateways and addresses report what they cannot find with another code. */
export function referenceNotFound(_from: string, to: string): ApiError {
  return childNotFound(withUpperCaseNames(to));
}

/** The group and the names of an ID in upper case, as Azure stores references. */
export function withUpperCaseNames(id: string): string {
  const segments = id.split("/");
  return segments.map((segment, index) => (index === 4 || (index >= 8 && index % 2 === 0) ? segment.toUpperCase() : segment)).join("/");
}

/** The resource that contains `id`: itself, or for a part (a subnet, a backend pool) the one whose writes include it. */
function holderOf(state: AzureState, id: string) {
  if (state.resources[keyOf(id)] === undefined && !partExists(state, id)) {
    return undefined;
  }
  const top = id.split("/").slice(0, 9).join("/");
  return state.resources[keyOf(top)];
}

/** Whether `id` is a named part inside the stored properties of its resource: ".../loadBalancers/x/backendAddressPools/y". */
function partExists(state: AzureState, id: string): boolean {
  const segments = id.split("/");
  const [collection, name] = segments.slice(9);
  const held = state.resources[keyOf(segments.slice(0, 9).join("/"))];
  if (held === undefined || collection === undefined || name === undefined) {
    return false;
  }
  const parts = Object.entries(held.properties).find(([key]) => sameId(key, collection))?.[1];
  return Array.isArray(parts) && parts.some((part: { name?: unknown }) => typeof part.name === "string" && sameId(part.name, name));
}

function operationWithin(state: AzureState, id: string): Operation | undefined {
  return operationsInProgress.find(state.operations, "yes").find(({ resource }) => isWithin(resource, id));
}

/** Azure sends this 429 without Retry-After. */
function notProvisioned(id: string, to: string, running: Operation): ApiError {
  const state = running.kind === "delete" ? "Deleting" : "Updating";
  return new ApiError(429, "RetryableError", "A retryable error occurred.", {
    details: [
      {
        code: "ReferencedResourceNotProvisioned",
        message: `Cannot proceed with operation because resource ${to} used by resource ${id} is not in Succeeded state. Resource is in ${state} state and the last operation that updated/is updating the resource is ${running.name}.`,
      },
    ],
  });
}
