/** Locations in requests: which region they name, and whether it offers a type. */
import { ApiError } from "../core/service.js";
import type { AzureState } from "../state/state.js";
import { allRegions } from "./regions.js";
import { resourceGroupsType } from "./resource-id.js";

export const regions: Readonly<Record<string, string>> = Object.fromEntries(allRegions.map(({ name, displayName }) => [name, displayName]));

/** "East US" and "eastus" are the same region. */
export function normalLocation(location: string): string {
  return location.replaceAll(" ", "").toLowerCase();
}

export function regionsOffering({ knobs }: AzureState, type: string): string[] {
  const [, lacking = []] = Object.entries(knobs?.notOffered ?? {}).find(([name]) => name.toLowerCase() === type.toLowerCase()) ?? [];
  return Object.keys(regions).filter((region) => !lacking.includes(region));
}

/** @throws ApiError if the region does not exist or does not offer the type, or if a global type has another location */
export function checkLocation(state: AzureState, type: string, location: string, onlyLocation: string | undefined): void {
  const accepted = onlyLocation === undefined ? regionsOffering(state, type) : [onlyLocation];
  if (accepted.includes(normalLocation(location))) return;
  const list = accepted.join(",");
  throw type === resourceGroupsType
    ? new ApiError(
        400,
        "LocationNotAvailableForResourceGroup",
        `The provided location '${location}' is not available for resource group. List of available regions is '${list}'.`,
      )
    : new ApiError(
        400,
        "LocationNotAvailableForResourceType",
        `The provided location '${location}' is not available for resource type '${type}'. ` +
          `List of available regions for the resource type is '${list}'.`,
      );
}

/** @throws ApiError if a PUT changes the location of a resource: it is immutable */
export function checkSameLocation(type: string, name: string, has: string, wanted: string, resourceGroup: string): void {
  if (normalLocation(has) === normalLocation(wanted)) return;
  throw type === resourceGroupsType
    ? new ApiError(
        409,
        "InvalidResourceGroupLocation",
        `Invalid resource group location '${wanted}'. The Resource group already exists in location '${has}'.`,
      )
    : new ApiError(
        409,
        "InvalidResourceLocation",
        `The resource '${name}' already exists in location '${has}' in resource group '${resourceGroup}'. ` +
          `A resource with the same name cannot be created in location '${wanted}'. Please select a new resource name.`,
      );
}
