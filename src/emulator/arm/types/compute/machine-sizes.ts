/** The VM sizes that clusters use, and which of them a subscription may have. */
import type { AzureState } from "../../../state/state.js";
import { normalLocation } from "../../locations.js";
import { allRegions } from "../../regions.js";

export interface MachineSize {
  readonly name: string;
  /** As the SKU says it; quotas are counted under the same name. */
  readonly family: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly disks: number;
  readonly temporaryDiskGB: number;
  readonly interfaces: number;
  /** What an OS disk without storage of its own can be: in the cache or on the local disk. */
  readonly ephemeral: "none" | "cache" | "nvme";
}

/** The memory and temporary disk of each core, and the place of an ephemeral OS disk. */
interface Family {
  readonly prefix: "D" | "E" | "F";
  readonly suffix: string;
  readonly family: string;
  readonly memory: number;
  readonly temporaryDisk: number;
  readonly ephemeral: MachineSize["ephemeral"];
}

// Azure spells the families of one series differently.
const table: readonly Family[] = [
  { prefix: "D", suffix: "s_v3", family: "standardDSv3Family", memory: 4, temporaryDisk: 8, ephemeral: "cache" },
  { prefix: "D", suffix: "s_v4", family: "standardDSv4Family", memory: 4, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "D", suffix: "ds_v4", family: "standardDDSv4Family", memory: 4, temporaryDisk: 37.5, ephemeral: "cache" },
  { prefix: "D", suffix: "s_v5", family: "standardDSv5Family", memory: 4, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "D", suffix: "ds_v5", family: "standardDDSv5Family", memory: 4, temporaryDisk: 37.5, ephemeral: "cache" },
  { prefix: "D", suffix: "s_v6", family: "StandardDsv6Family", memory: 4, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "D", suffix: "ds_v6", family: "StandardDdsv6Family", memory: 4, temporaryDisk: 0, ephemeral: "nvme" },
  { prefix: "D", suffix: "as_v4", family: "standardDASv4Family", memory: 4, temporaryDisk: 8, ephemeral: "cache" },
  { prefix: "D", suffix: "as_v5", family: "standardDASv5Family", memory: 4, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "D", suffix: "ads_v5", family: "standardDADSv5Family", memory: 4, temporaryDisk: 37.5, ephemeral: "cache" },
  { prefix: "D", suffix: "ps_v5", family: "standardDPSv5Family", memory: 4, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "D", suffix: "pds_v5", family: "standardDPDSv5Family", memory: 4, temporaryDisk: 37.5, ephemeral: "cache" },
  { prefix: "D", suffix: "_v3", family: "standardDv3Family", memory: 4, temporaryDisk: 25, ephemeral: "none" },
  { prefix: "D", suffix: "as_v6", family: "standardDasv6Family", memory: 4, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "E", suffix: "s_v3", family: "standardESv3Family", memory: 8, temporaryDisk: 16, ephemeral: "cache" },
  { prefix: "E", suffix: "s_v5", family: "standardESv5Family", memory: 8, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "E", suffix: "ds_v5", family: "standardEDSv5Family", memory: 8, temporaryDisk: 37.5, ephemeral: "cache" },
  { prefix: "E", suffix: "ds_v6", family: "standardEDSv6Family", memory: 8, temporaryDisk: 0, ephemeral: "nvme" },
  { prefix: "E", suffix: "as_v5", family: "standardEASv5Family", memory: 8, temporaryDisk: 0, ephemeral: "none" },
  { prefix: "E", suffix: "ads_v5", family: "standardEADSv5Family", memory: 8, temporaryDisk: 37.5, ephemeral: "cache" },
  { prefix: "F", suffix: "s_v2", family: "standardFSv2Family", memory: 2, temporaryDisk: 8, ephemeral: "cache" },
];

const counts = [
  [2, 2],
  [4, 2],
  [8, 4],
  [16, 8],
  [32, 8],
  [48, 8],
  [64, 8],
] as const;

/** The sizes of older series, whose names do not say their cores: size, cores, memory, temporary disk. */
const older = [
  ["standardDSv2Family", "DS2_v2", 2, 7, 14],
  ["standardDSv2Family", "DS3_v2", 4, 14, 28],
  ["standardDSv2Family", "DS4_v2", 8, 28, 56],
  ["standardDSv2Family", "DS5_v2", 16, 56, 112],
  ["standardDv2Family", "D2_v2", 2, 7, 100],
  ["standardDv2Family", "D3_v2", 4, 14, 200],
  ["standardDv2Family", "D4_v2", 8, 28, 400],
  ["standardDCSv2Family", "DC2s_v2", 2, 8, 100],
  ["standardDCSv2Family", "DC4s_v2", 4, 16, 200],
  ["standardDCSv3Family", "DC2s_v3", 2, 16, 0],
  ["standardDCSv3Family", "DC4s_v3", 4, 32, 0],
  ["standardNCSv3Family", "NC6s_v3", 6, 112, 736],
  ["Standard NCASv3_T4 Family", "NC4as_T4_v3", 4, 28, 180],
  ["StandardNCADSA100v4Family", "NC24ads_A100_v4", 24, 220, 64],
  ["standardBSFamily", "B2s", 2, 4, 8],
  ["standardBSFamily", "B2ms", 2, 8, 16],
  ["standardBSFamily", "B4ms", 4, 16, 32],
  ["standardBSFamily", "B8ms", 8, 32, 64],
] as const;

const olderSizes: readonly MachineSize[] = older.map(([family, size, cores, memoryGB, temporaryDiskGB]) => ({
  name: `Standard_${size}`,
  family,
  cores,
  memoryGB,
  disks: Math.min(cores * 4, 64),
  temporaryDiskGB,
  interfaces: Math.min(cores, 8),
  ephemeral: family === "standardDSv2Family" ? "cache" : "none",
}));

const namedSizes: readonly MachineSize[] = table.flatMap(({ prefix, suffix, family, memory, temporaryDisk, ephemeral }) =>
  counts.map(([cores, interfaces]) => ({
    name: `Standard_${prefix}${String(cores)}${suffix}`,
    family,
    cores,
    memoryGB: cores * memory,
    disks: Math.min(cores * 2, 32),
    temporaryDiskGB: cores * temporaryDisk,
    interfaces,
    ephemeral,
  })),
);

export const machineSizes: readonly MachineSize[] = [...namedSizes, ...olderSizes];
export const machineFamilies: readonly string[] = [...new Set(machineSizes.map(({ family }) => family))];

export function sizeNamed(name: string): MachineSize | undefined {
  return machineSizes.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

/** The younger regions of the category have zones too. */
const alsoZonal = new Set(["polandcentral", "japanwest"]);

export function zonesOfRegion(location: string): readonly string[] {
  const region = allRegions.find(({ name }) => name === normalLocation(location));
  return region !== undefined && (region.regionCategory === "Recommended" || alsoZonal.has(region.name)) ? ["1", "2", "3"] : [];
}

/** Where a size exists, and where this subscription may not have it. */
export interface Offer {
  readonly zones: readonly string[];
  /** `all`: nowhere in the region. */
  readonly restricted: "all" | readonly string[];
}

/** Knobs `sizeZones` and `restrictedSizes`. */
export function offerOf({ knobs }: AzureState, size: string, location: string): Offer {
  const zonal = zonesOfRegion(location);
  const zones = valueOf(knobs?.sizeZones, size)?.filter((zone) => zonal.includes(zone)) ?? zonal;
  const restricted = valueOf(knobs?.restrictedSizes, size);
  return { zones, restricted: restricted === undefined ? [] : restricted.length === 0 ? "all" : restricted };
}

/** Azure's default for a family and for a region. */
const defaultQuota = 100;

/** Cores of a family in a region, or of all (`cores`): knob `coreQuotas`. */
export function coreQuotaOf({ knobs }: AzureState, name: string): number {
  return valueOf(knobs?.coreQuotas, name) ?? defaultQuota;
}

/** Names are compared without regard to case, as Azure does. */
function valueOf<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return Object.entries(values ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}
