/** How much of a subscription's limits is used: network, compute and storage by region, and role assignments. */
import type { ArmCall } from "../resource-type.js";
import type { AzureState } from "../../state/state.js";
import { inSubscription, type Endpoint, type Parameters } from "../endpoint.js";
import { normalLocation } from "../locations.js";
import { assignmentsByScope, placeOf, resourcesByPlace } from "../indexes.js";
import { keyOf } from "../resource-id.js";
import { roleAssignmentLimitOf } from "../role-assignments.js";
import { networkVersions } from "./network/provider.js";
import { publicIpLimitOf } from "./network/public-addresses.js";
import { accountLimitOf } from "./storage/account-names.js";
import { accountType, storageVersions } from "./storage/account-body.js";
import { computeVersions, coresOf, machinesIn, scaleSetType } from "./compute/compute-lists.js";
import { coreQuotaOf, machineFamilies } from "./compute/machine-sizes.js";

export const usageEndpoints: readonly Endpoint[] = [
  inSubscription({ path: "Microsoft.Network/locations/{location}/usages", versions: networkVersions, body: networkUsages }),
  inSubscription({ path: "Microsoft.Compute/locations/{location}/usages", versions: computeVersions, body: computeUsages }),
  inSubscription({ path: "Microsoft.Storage/locations/{location}/usages", versions: storageVersions, body: storageUsages }),
  inSubscription({
    path: "Microsoft.Authorization/roleAssignmentsUsageMetrics",
    versions: ["2019-08-01-preview"],
    body: roleAssignmentMetrics,
  }),
];

/** Name, display name, the counted type, and Azure's default limit. */
const networkQuotas = [
  ["VirtualNetworks", "Virtual Networks", "Microsoft.Network/virtualNetworks", 1000],
  ["NetworkSecurityGroups", "Network Security Groups", "Microsoft.Network/networkSecurityGroups", 5000],
  ["PublicIPAddresses", "Public IP Addresses", "Microsoft.Network/publicIPAddresses", undefined],
  ["StandardSkuPublicIpAddresses", "Public IPv4 Addresses - Standard", "Microsoft.Network/publicIPAddresses", undefined],
  ["LoadBalancers", "Load Balancers", "Microsoft.Network/loadBalancers", 1000],
  ["StandardSkuLoadBalancers", "Standard Sku Load Balancers", "Microsoft.Network/loadBalancers", 1000],
  ["NatGateways", "Nat Gateways", "Microsoft.Network/natGateways", 100],
] as const;

function networkUsages({ state }: ArmCall, scope: string, { location = "" }: Parameters) {
  const value = networkQuotas.map(([name, words, type, limit]) => ({
    id: `${scope}/providers/Microsoft.Network/locations/${location}/usages/${name}`,
    ...usage(name, words, countIn(state, scope, type, location), limit ?? publicIpLimitOf(state)),
  }));
  return { value };
}

/** Azure's default computeLimits. */
const computeLimits = { availabilitySets: 2500, virtualMachines: 25000, virtualMachineScaleSets: 2500 };

function computeUsages({ state }: ArmCall, scope: string, { location = "" }: Parameters) {
  const machines = machinesIn(state, scope, location);
  const scaleSets = countIn(state, scope, scaleSetType, location);
  const ofCores = (name: string, words: string, used: number) => usage(name, words, used, coreQuotaOf(state, name));
  const value = [
    usage("availabilitySets", "Availability Sets", 0, computeLimits.availabilitySets),
    ofCores("cores", "Total Regional vCPUs", coresOf(machines)),
    usage(
      "virtualMachines",
      "Virtual Machines",
      machines.reduce((sum, { count }) => sum + count, 0),
      computeLimits.virtualMachines,
    ),
    usage("virtualMachineScaleSets", "Virtual Machine Scale Sets", scaleSets, computeLimits.virtualMachineScaleSets),
    ...machineFamilies.map((family) =>
      ofCores(family, `${family.replace(/^standard/i, "Standard ").replace("Family", " Family")} vCPUs`, coresOf(machines, family)),
    ),
  ];
  return { value };
}

function storageUsages({ state }: ArmCall, scope: string, { location = "" }: Parameters) {
  const used = countIn(state, scope, accountType, location);
  const value = [usage("StorageAccounts", "Storage Accounts", used, accountLimitOf(state))];
  return { value };
}

function roleAssignmentMetrics({ state }: ArmCall, scope: string) {
  const used = assignmentsByScope.count(state.roleAssignments, keyOf(scope));
  const limit = roleAssignmentLimitOf(state);
  return {
    subscriptionId: scope.split("/")[2],
    roleAssignmentsLimit: limit,
    roleAssignmentsCurrentCount: used,
    roleAssignmentsRemainingCount: limit - used,
  };
}

function usage(name: string, words: string, currentValue: number, limit: number) {
  return { unit: "Count", currentValue, limit, name: { value: name, localizedValue: words } };
}

function countIn({ resources }: AzureState, scope: string, type: string, location: string): number {
  return resourcesByPlace.count(resources, placeOf(scope, type, normalLocation(location)));
}
