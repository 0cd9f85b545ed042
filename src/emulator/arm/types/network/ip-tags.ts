/** The IP tags and availability zones that a public address or prefix keeps from its creation. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { bringAddressesFeature, isFeatureRegistered } from "../../features.js";
import { normalLocation } from "../../locations.js";
import { zonesOfRegion } from "../compute/machine-sizes.js";
import { nameOf, typeOf } from "../../resource-id.js";
import type { Put } from "../../resource-type.js";
import { known } from "../../body-schema.js";

const ipTag = known({ ipTagType: z.string(), tag: z.string() });
export const ipTags = z.array(ipTag).default([]);

type IpTags = z.output<typeof ipTags>;

type AddressPut = Pick<Put<AddressBody>, "state" | "id" | "existing" | "body">;

interface AddressBody {
  readonly location: string;
  readonly zones?: readonly string[] | undefined;
  readonly properties: { readonly ipTags: IpTags };
}

/**
 * Everybody may choose how an address is routed. All other tags are for subscriptions that Microsoft has enrolled.
 * @throws ApiError 400 SubscriptionNotRegisteredForFeature, or for other tags than those of the existing address
 */
export function checkIpTags({ state, id, existing, body }: AddressPut): void {
  const { ipTags: wanted } = body.properties;
  if (existing !== undefined) {
    requireSameTags(id, existing, wanted);
    return;
  }
  const isOpen = wanted.every(({ ipTagType }) => ipTagType.toLowerCase() === "routingpreference");
  if (isOpen || isFeatureRegistered(state, id, bringAddressesFeature)) return;
  const subscription = id.split("/").slice(0, 3).join("/");
  throw new ApiError(
    400,
    "SubscriptionNotRegisteredForFeature",
    // The path without a group and a name is Azure's.
    `Subscription ${subscription}/resourceGroups//providers/Microsoft.Network/subscriptions/ is not registered for feature ${bringAddressesFeature} required to carry out the requested operation.`,
    { details: [] },
  );
}

function requireSameTags(id: string, existing: StoredResource, wanted: IpTags): void {
  const had = ipTags.parse(existing.properties["ipTags"] ?? []);
  if (textOf(had) === textOf(wanted)) return;
  throw new ApiError(
    400,
    "IpTagsCannotBeModified",
    `Resource ${id} has the IP tags ${textOf(had)} and the request has the IP tags ${textOf(wanted)}, which do not match. IP tags cannot be added/updated/removed once the resource is created.`,
    { details: [] },
  );
}

/** In an order of its own, so that equal sets have equal texts. */
function textOf(tags: IpTags): string {
  if (tags.length === 0) return "NoTag";
  const texts = tags.map(({ ipTagType, tag }) => `${ipTagType}=${tag}`);
  return texts.sort().join(", ");
}

/** @throws ApiError 400 InvalidAvailabilityZone for zones that the region does not have, or ResourceAvailabilityZonesCannotBeModified */
export function checkZones({ id, existing, body }: AddressPut): void {
  if (existing === undefined) {
    requireOffered(id, body);
    return;
  }
  const [had, wanted] = [zonesIn(existing.beside?.["zones"]), zonesIn(body.zones)];
  if (had === wanted) return;
  throw new ApiError(
    400,
    "ResourceAvailabilityZonesCannotBeModified",
    `Resource ${id} has an existing availability zone constraint ${had} and the request has availability zone constraint ${wanted}, which do not match. ` +
      "Zones cannot be added/updated/removed once the resource is created. The resource cannot be updated from regional to zonal or vice-versa.",
    { details: [] },
  );
}

function requireOffered(id: string, { zones = [], location }: AddressBody): void {
  const offered = zonesOfRegion(location);
  if (zones.every((zone) => offered.includes(zone))) return;
  throw new ApiError(
    400,
    "InvalidAvailabilityZone",
    `The zone(s) '${zones.join(",")}' for resource '${typeOf(id)}/${nameOf(id)}' is not supported. The supported zones for location '${normalLocation(location)}' are '${offered.join(",")}'`,
  );
}

function zonesIn(zones: unknown): string {
  return Array.isArray(zones) && zones.length > 0 ? zones.map(String).sort().join(", ") : "NoZone";
}
