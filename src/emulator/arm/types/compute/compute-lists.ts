/** The VM sizes, SKUs and quota usage of a region (Microsoft.Compute). */
import type { AzureState } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { inSubscription, type Endpoint } from "../../endpoint.js";
import { normalLocation, regions } from "../../locations.js";
import { coreQuotaOf, machineSizes, offerOf, sizeNamed, type MachineSize, type Offer } from "./machine-sizes.js";
import { readFilter } from "../../odata-filter.js";
import type { ArmCall } from "../../resource-type.js";
import { resourcesIn } from "../../indexes.js";

export const scaleSetType = "Microsoft.Compute/virtualMachineScaleSets";

export const computeVersions = versionsOf("Microsoft.Compute", { from: "2021-07-01" });

export const computeEndpoints: readonly Endpoint[] = [
  inSubscription({ path: "Microsoft.Compute/locations/{location}/vmSizes", versions: computeVersions, body: sizes }),
  inSubscription({ path: "Microsoft.Compute/skus", versions: versionsOf("Microsoft.Compute/skus", { from: "2019-04-01" }), body: skus }),
];

function sizes() {
  const value = machineSizes.map(({ name, cores, memoryGB, disks, temporaryDiskGB }) => ({
    name,
    numberOfCores: cores,
    osDiskSizeInMB: 1047552,
    resourceDiskSizeInMB: temporaryDiskGB * 1024,
    memoryInMB: memoryGB * 1024,
    maxDataDiskCount: disks,
  }));
  return { value };
}

/** `$filter`: `location eq`. Without it, one entry for each region, as on Azure. */
function skus({ state, request }: ArmCall) {
  const location = readFilter(request.query.get("$filter"), ["location"]).equals.get("location");
  const names = location === undefined ? Object.keys(regions) : [normalLocation(location)].filter((name) => name in regions);
  const value = names.flatMap((name) => machineSizes.map((size) => skuOf(state, size, name)));
  return { value };
}

function skuOf(state: AzureState, size: MachineSize, location: string): Record<string, unknown> {
  const { name, family } = size;
  const offer = offerOf(state, name, location);
  return {
    resourceType: "virtualMachines",
    name,
    tier: "Standard",
    size: name.slice("Standard_".length),
    family,
    locations: [location],
    locationInfo: [{ location, zones: offer.zones, zoneDetails: [] }],
    capabilities: Object.entries(capabilitiesOf(size)).map(([key, held]) => ({ name: key, value: String(held) })),
    restrictions: restrictionsIn(offer, location),
  };
}

const gibibyte = 1024 ** 3;

function capabilitiesOf({ cores, memoryGB, disks, temporaryDiskGB, interfaces, ephemeral }: MachineSize): Record<string, string | number> {
  return {
    MaxResourceVolumeMB: temporaryDiskGB * 1024,
    OSVhdSizeMB: 1047552,
    vCPUs: cores,
    HyperVGenerations: ephemeral === "nvme" ? "V2" : "V1,V2",
    MemoryGB: memoryGB,
    MaxDataDiskCount: disks,
    CpuArchitectureType: "x64",
    PremiumIO: "True",
    vCPUsAvailable: cores,
    EphemeralOSDiskSupported: ephemeral === "none" ? "False" : "True",
    ...(ephemeral === "cache" && { CachedDiskBytes: cores * 25 * gibibyte, SupportedEphemeralOSDiskPlacements: "ResourceDisk,CacheDisk" }),
    ...(ephemeral === "nvme" && { NvmeDiskSizeInMiB: cores * 55 * 1024, SupportedEphemeralOSDiskPlacements: "NvmeDisk" }),
    EncryptionAtHostSupported: "True",
    AcceleratedNetworkingEnabled: "True",
    MaxNetworkInterfaces: interfaces,
  };
}

function restrictionsIn({ restricted }: Offer, location: string): object[] {
  if (restricted !== "all" && restricted.length === 0) return [];
  const zones = restricted === "all" ? {} : { zones: restricted };
  return [
    {
      type: restricted === "all" ? "Location" : "Zone",
      values: [location],
      restrictionInfo: { locations: [location], ...zones },
      reasonCode: "NotAvailableForSubscription",
    },
  ];
}

export interface Machines {
  readonly size: string;
  readonly count: number;
}

export function machinesIn(state: AzureState, subscription: string, location: string): Machines[] {
  const here = (type: string) => resourcesIn(state, subscription, type, location);
  return [
    ...here("Microsoft.Compute/virtualMachines").map(({ properties }) => ({ size: sizeOfMachine(properties), count: 1 })),
    ...here(scaleSetType).map(({ sku }) => ({ size: String(sku?.["name"]), count: Number(sku?.["capacity"] ?? 0) })),
  ];
}

/** The cores of a family, or of all families. */
export function coresOf(machines: readonly Machines[], family?: string): number {
  return machines.reduce((sum, { size, count }) => {
    const known = sizeNamed(size);
    return sum + (family === undefined || known?.family === family ? (known?.cores ?? 0) * count : 0);
  }, 0);
}

function sizeOfMachine(properties: Readonly<Record<string, unknown>>): string {
  const { hardwareProfile } = properties as { hardwareProfile?: { vmSize?: string } };
  return hardwareProfile?.vmSize ?? "";
}

/** What a region's quotas still admit of a size, for the checks of what creates machines. */
export function coresLeft(state: AzureState, subscription: string, location: string, family: string): { family: number; region: number } {
  const machines = machinesIn(state, subscription, location);
  return {
    family: coreQuotaOf(state, family) - coresOf(machines, family),
    region: coreQuotaOf(state, "cores") - coresOf(machines),
  };
}
