/** What clients read of Microsoft.Compute before they choose a size: the sizes, the SKUs, and the use of the quotas of a region. */
import type { Answer } from "../service.js";
import { versionsOf } from "./api-versions.js";
import { requireRight } from "./authorization-check.js";
import { findSubscription } from "./containers.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { normalLocation, regions } from "./locations.js";
import { readFilter } from "./odata-filter.js";
import type { ArmCall } from "./resource-type.js";
import { scaleSetType } from "./types/container-service/node-group.js";
import { resourcesIn, usage } from "./usages.js";

const compute = "/subscriptions/{subscriptionId}/providers/Microsoft.Compute";
const versions = versionsOf("Microsoft.Compute", { from: "2021-07-01" });

export const computeEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `${compute}/locations/{location}/vmSizes`, versions, handle: sizes },
  { method: "GET", path: `${compute}/locations/{location}/usages`, versions, handle: usages },
  { method: "GET", path: `${compute}/skus`, versions: versionsOf("Microsoft.Compute/skus", { from: "2019-04-01" }), handle: skus },
];

interface Size {
  readonly name: string;
  readonly family: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly disks: number;
  readonly temporaryDiskGB: number;
}

/** Families of the sizes that clusters use: memory of a core, its disks, its share of the temporary disk, and the numbers of cores. */
const families = [
  { prefix: "D", suffix: "s_v3", family: "standardDSv3Family", memory: 4, disks: 2, temporaryDisk: 8, cores: [2, 4, 8, 16, 32] },
  { prefix: "D", suffix: "s_v5", family: "standardDSv5Family", memory: 4, disks: 2, temporaryDisk: 0, cores: [2, 4, 8, 16, 32] },
  { prefix: "D", suffix: "ds_v5", family: "standardDDSv5Family", memory: 4, disks: 2, temporaryDisk: 37.5, cores: [2, 4, 8, 16, 32] },
  { prefix: "E", suffix: "s_v3", family: "standardESv3Family", memory: 8, disks: 2, temporaryDisk: 16, cores: [2, 4, 8, 16, 32] },
  { prefix: "E", suffix: "s_v5", family: "standardESv5Family", memory: 8, disks: 2, temporaryDisk: 0, cores: [2, 4, 8, 16, 32] },
] as const;

const allSizes: readonly Size[] = families.flatMap(({ prefix, suffix, family, memory, disks, temporaryDisk, cores }) =>
  cores.map((count) => ({
    name: `Standard_${prefix}${String(count)}${suffix}`,
    family,
    cores: count,
    memoryGB: count * memory,
    disks: Math.min(count * disks, 32),
    temporaryDiskGB: count * temporaryDisk,
  })),
);

function scopeFor(call: ArmCall, subscriptionId: string, action: string): string {
  const scope = `/subscriptions/${findSubscription(call, subscriptionId).subscriptionId}`;
  requireRight(call, `Microsoft.Compute/${action}`, scope);
  return scope;
}

function sizes(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  scopeFor(call, subscriptionId, "locations/vmSizes/read");
  const value = allSizes.map(({ name, cores, memoryGB, disks, temporaryDiskGB }) => ({
    name,
    numberOfCores: cores,
    osDiskSizeInMB: 1047552,
    resourceDiskSizeInMB: temporaryDiskGB * 1024,
    memoryInMB: memoryGB * 1024,
    maxDataDiskCount: disks,
  }));
  return { status: 200, body: { value }, takes: call.sample("read") };
}

/** `$filter`: `location eq`. Without it, one entry for each region, as on Azure. */
function skus(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  scopeFor(call, subscriptionId, "skus/read");
  const location = readFilter(call.request.query.get("$filter"), ["location"]).equals.get("location");
  const names = location === undefined ? Object.keys(regions) : [normalLocation(location)].filter((name) => name in regions);
  const value = names.flatMap((name) => allSizes.map((size) => skuOf(size, name)));
  return { status: 200, body: { value }, takes: call.sample("read") };
}

function skuOf({ name, family, cores, memoryGB, disks, temporaryDiskGB }: Size, location: string): Record<string, unknown> {
  const capabilities = {
    MaxResourceVolumeMB: temporaryDiskGB * 1024,
    OSVhdSizeMB: 1047552,
    vCPUs: cores,
    HyperVGenerations: "V1,V2",
    MemoryGB: memoryGB,
    MaxDataDiskCount: disks,
    CpuArchitectureType: "x64",
    PremiumIO: "True",
    vCPUsAvailable: cores,
    AcceleratedNetworkingEnabled: "True",
  };
  return {
    resourceType: "virtualMachines",
    name,
    tier: "Standard",
    size: name.slice("Standard_".length),
    family,
    locations: [location],
    locationInfo: [{ location, zones: ["1", "2", "3"], zoneDetails: [] }],
    capabilities: Object.entries(capabilities).map(([key, held]) => ({ name: key, value: String(held) })),
    restrictions: [],
  };
}

/** Azure's default limits. */
const limits = { availabilitySets: 2500, cores: 100, virtualMachines: 25000, virtualMachineScaleSets: 2500, family: 100 };

function usages(call: ArmCall, { subscriptionId = "", location = "" }: Parameters): Answer {
  const scope = scopeFor(call, subscriptionId, "locations/usages/read");
  const here = (type: string) => resourcesIn(call.state, scope, type, location);
  const machines = [
    ...here("Microsoft.Compute/virtualMachines").map(({ properties }) => ({ size: sizeOfMachine(properties), count: 1 })),
    ...here(scaleSetType).map(({ sku }) => ({ size: String(sku?.["name"]), count: Number(sku?.["capacity"] ?? 0) })),
  ];
  const coresOf = (family?: string) =>
    machines.reduce((sum, { size, count }) => {
      const known = allSizes.find(({ name }) => name.toLowerCase() === size.toLowerCase());
      return sum + (family === undefined || known?.family === family ? (known?.cores ?? 0) * count : 0);
    }, 0);
  const value = [
    usage("availabilitySets", "Availability Sets", 0, limits.availabilitySets),
    usage("cores", "Total Regional vCPUs", coresOf(), limits.cores),
    usage(
      "virtualMachines",
      "Virtual Machines",
      machines.reduce((sum, { count }) => sum + count, 0),
      limits.virtualMachines,
    ),
    usage("virtualMachineScaleSets", "Virtual Machine Scale Sets", here(scaleSetType).length, limits.virtualMachineScaleSets),
    ...families.map(({ family }) =>
      usage(family, `${family.replace(/^standard/, "Standard ").replace("Family", " Family")} vCPUs`, coresOf(family), limits.family),
    ),
  ];
  return { status: 200, body: { value }, takes: call.sample("read") };
}

function sizeOfMachine(properties: Readonly<Record<string, unknown>>): string {
  const { hardwareProfile } = properties as { hardwareProfile?: { vmSize?: string } };
  return hardwareProfile?.vmSize ?? "";
}
