/** Public IP addresses: allocated from a documentation range, used by one resource at a time. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { indexOf } from "../../../state/index-of.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { childNotFound } from "../../errors.js";
import { normalLocation } from "../../locations.js";
import { placeOf, resourcesByPlace } from "../../indexes.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, oneOf, reference } from "../../body-schema.js";
import { keyOf, typeOf } from "../../resource-id.js";
import { directUsersOf, sameId } from "../../uses.js";
import { blockOf, freeAddresses } from "./address-blocks.js";
import { readRange } from "./cidr.js";
import { isNewSku, requireSameSku, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";
import { checkIpTags, checkZones, ipTags } from "./ip-tags.js";
import { checkReferences, joinRights } from "./references.js";

const typeName = "Microsoft.Network/publicIPAddresses";

const body = known(
  {
    ...trackedMembers,
    sku: known({
      name: oneOf("Basic", "Standard", "StandardV2").default("Basic"),
      tier: oneOf("Regional", "Global").default("Regional"),
    }).prefault({}),
    zones: z.array(z.string()).optional(),
    properties: known(
      {
        publicIPAllocationMethod: oneOf("Static", "Dynamic").default("Dynamic"),
        publicIPAddressVersion: oneOf("IPv4", "IPv6").default("IPv4"),
        idleTimeoutInMinutes: z.int().min(4).max(30).default(4),
        dnsSettings: known({ domainNameLabel: z.string().optional(), reverseFqdn: z.string().optional() }, ["fqdn"]).optional(),
        ddosSettings: known({ protectionMode: oneOf("VirtualNetworkInherited", "Enabled", "Disabled") }).optional(),
        ipTags,
        deleteOption: oneOf("Delete", "Detach").optional(),
        publicIPPrefix: reference.optional(),
      },
      ["ipAddress", "ipConfiguration", "natGateway", "provisioningState", "resourceGuid"],
    ).prefault({}),
  },
  networkReadOnly,
);

/**
 * Nobody owns these: TEST-NET-3 and TEST-NET-2 (RFC 5737), then a half of the reserved range (RFC 1112). For IPv6, a part of the
 * documentation prefix (RFC 3849). Azure allows a subscription 1000 addresses in each region, and more on request.
 */
const pools = { IPv4: ["203.0.113.0/24", "198.51.100.0/24", "240.0.0.0/5"], IPv6: ["2001:db8::/64"] } as const;

export const publicIpAddresses = defineType<z.output<typeof body>>({
  name: typeName,
  ...trackedType,
  ...networkNames(1, 80),
  versionDifferences: [{ member: "ddosSettings", since: "2022-01-01" }],
  body,
  latency: { put: "publicIp.put", ended: "network.put", delete: "publicIp.delete", inGroup: "publicIp" },
  put: networkPut("PutPublicIpAddressOperation", 1, 2),
  delete: networkDelete("DeletePublicIpAddressOperation", 10),
  lock: { on: "self", second: "exclusive" },
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
    const { state, id, body, existing } = put;
    const { sku, properties, location } = body;
    if (sku.name === "Basic" && sku.tier === "Global") {
      throw new ApiError(
        400,
        "GlobalPublicIPAddressNotSupportedForBasicPublicIpAddress",
        `Global publicIP addresses are only supported for standard SKU public IP addresses. Public IP address ${id} is not standard SKU.`,
        { details: [] },
      );
    }
    if (sku.name !== "Basic" && properties.publicIPAllocationMethod !== "Static") {
      throw new ApiError(
        400,
        "StandardSkuPublicIPAddressesMustBeStatic",
        `Standard sku publicIp ${id} must have AllocationMethod set to Static.`,
      );
    }
    // Only a Basic address that nothing uses can be upgraded.
    if (existing?.sku?.["name"] !== "Basic") requireSameSku(put);
    const [user] = isNewSku(put) ? directUsersOf(state, id) : [];
    if (user !== undefined) {
      throw new ApiError(
        400,
        "PublicIPAddressInUseCannotUpdate",
        `Public IP address ${id} is in use by ipconfig ${user.from} and cannot be updated.`,
        { details: [] },
      );
    }
    checkZones(put);
    checkIpTags(put);
    const allowed = publicIpLimitOf(state);
    if (existing === undefined && resourcesByPlace.count(state.resources, placeOf(id, typeName, normalLocation(location))) >= allowed) {
      throw new ApiError(
        400,
        "PublicIPCountLimitReached",
        `Cannot create more than ${String(allowed)} public IP addresses for this subscription in this region.`,
      );
    }
    checkReferences(put, location, (_from, to) => childNotFound(to));
  },
  storedProperties({ call, state, body: { location, sku, properties }, existing }) {
    const { dnsSettings, ...own } = properties;
    const prefix = state.resources[keyOf(properties.publicIPPrefix?.id ?? "")]?.properties["ipPrefix"];
    return {
      ...(sku.name !== "Basic" && { ddosSettings: { protectionMode: "VirtualNetworkInherited" } }),
      ...own,
      ipAddress:
        existing?.properties["ipAddress"] ??
        (typeof prefix === "string" ? freeAddress(state, [prefix], 0n) : freeAddress(state, pools[properties.publicIPAddressVersion], 1n)),
      resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
      ...(dnsSettings !== undefined && { dnsSettings: { ...dnsSettings, ...fullName(dnsSettings.domainNameLabel, location) } }),
    };
  },
  storedMembers: ({ zones }) => (zones === undefined ? {} : { zones }),
  presentedProperties(state, resource) {
    const [user] = directUsersOf(state, resource.id);
    const { ipAddress, ...properties } = resource.properties;
    const allocated = isAllocated(resource, user !== undefined) ? { ipAddress } : {};
    if (user === undefined) {
      return { ...properties, ...allocated };
    }
    const member = sameId(typeOf(user.from), "Microsoft.Network/natGateways") ? "natGateway" : "ipConfiguration";
    return { ...properties, ...allocated, [member]: { id: user.from } };
  },
  checkDelete(state, address) {
    const [user] = directUsersOf(state, address.id);
    if (user !== undefined) {
      throw new ApiError(
        400,
        "PublicIPAddressCannotBeDeleted",
        `Public IP address ${address.id} can not be deleted since it is still allocated to resource ${user.from}. In order to delete the public IP, disassociate/detach the Public IP address from the resource.  To learn how to do this, see aka.ms/deletepublicip.`,
      );
    }
  },
});

function fullName(label: string | undefined, location: string) {
  return label === undefined ? {} : { fqdn: `${label}.${normalLocation(location)}.cloudapp.azure.com` };
}

/** The limit in a region. */
export function publicIpLimitOf({ knobs }: AzureState): number {
  return knobs?.publicIpLimit ?? 1000;
}

/** Until its creation has ended, an address has none yet; a dynamic one has none until it is used. */
function isAllocated({ createdAt, changedAt, properties }: StoredResource, isUsed: boolean): boolean {
  const isNew = properties["provisioningState"] === "Updating" && createdAt === changedAt;
  return !isNew && (isUsed || properties["publicIPAllocationMethod"] === "Static");
}

/** The keys are the address and its block. */
const resourcesByAddress = indexOf<StoredResource>(({ properties: { ipAddress } }) =>
  typeof ipAddress === "string" ? [ipAddress, blockOf(ipAddress)] : [],
);

/** The first address of the ranges that no public IP uses, without the `reserved` ones at both ends of each. */
function freeAddress({ resources }: AzureState, ranges: readonly string[], reserved: bigint): string {
  const count = (what: string): number => resourcesByAddress.count(resources, what);
  for (const prefix of ranges) {
    const range = readRange(prefix, "the address pool");
    const [free] = freeAddresses(range, [reserved, reserved], { has: (address) => count(address) > 0, count }, 1);
    if (free !== undefined) return free;
  }
  throw new ApiError(500, "InternalServerError", `An error occurred: the emulator has no address left in ${ranges.join(" and ")}.`);
}
