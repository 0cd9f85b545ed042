/** Public IP addresses: allocated from a documentation range, used by one resource at a time. */
import { z } from "zod";
import { ApiError } from "../../../service.js";
import type { AzureState } from "../../../state/state.js";
import { normalLocation } from "../../locations.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, oneOf } from "../body-schema.js";
import { typeOf } from "../../resource-id.js";
import { directUsersOf, sameId } from "../uses.js";
import { addressAt, readRange } from "./cidr.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./resource.js";

const typeName = "Microsoft.Network/publicIPAddresses";

const body = known(
  {
    ...trackedMembers,
    sku: known({
      name: oneOf("Basic", "Standard", "StandardV2").default("Standard"),
      tier: oneOf("Regional", "Global").default("Regional"),
    }).prefault({}),
    zones: z.array(z.string()).optional(),
    properties: known(
      {
        publicIPAllocationMethod: oneOf("Static", "Dynamic").default("Dynamic"),
        publicIPAddressVersion: oneOf("IPv4", "IPv6").default("IPv4"),
        idleTimeoutInMinutes: z.int().min(4).max(30).default(4),
        dnsSettings: known({ domainNameLabel: z.string() }, ["fqdn"]).optional(),
        ddosSettings: known({ protectionMode: oneOf("VirtualNetworkInherited", "Enabled", "Disabled") }).optional(),
        ipTags: z.array(known({ ipTagType: z.string(), tag: z.string() })).default([]),
        deleteOption: oneOf("Delete", "Detach").optional(),
      },
      ["ipAddress", "ipConfiguration", "natGateway", "provisioningState", "resourceGuid"],
    ).prefault({}),
  },
  networkReadOnly,
);

/** TEST-NET-3 and TEST-NET-2 (RFC 5737), and the documentation prefix of RFC 3849: nobody owns their addresses. */
const pools = { IPv4: ["203.0.113.0/24", "198.51.100.0/24"], IPv6: ["2001:db8::/112"] } as const;

export const publicIpAddresses = defineType<z.output<typeof body>>({
  name: typeName,
  ...trackedType,
  ...networkNames(1, 80),
  body,
  latency: { put: "publicIp.put", ended: "network.put", delete: "publicIp.delete", inGroup: "publicIp" },
  put: networkPut("PutPublicIpAddressOperation", 1, 2),
  delete: networkDelete("DeletePublicIpAddressOperation", 10),
  lock: { on: "self", second: "exclusive" },
  check({ state, id, body: { sku, properties, location }, existing }) {
    if (sku.name !== "Basic" && properties.publicIPAllocationMethod !== "Static") {
      throw new ApiError(
        400,
        "StandardSkuPublicIPAddressesMustBeStatic",
        `Standard sku publicIp ${id} must have AllocationMethod set to Static.`,
      );
    }
    const allowed = publicIpLimitOf(state);
    if (existing === undefined && addressesIn(state, location) >= allowed) {
      throw new ApiError(
        400,
        "PublicIPCountLimitReached",
        `Cannot create more than ${String(allowed)} public IP addresses for this subscription in this region.`,
      );
    }
  },
  store({ call, state, body: { location, properties }, existing }) {
    const { dnsSettings, ...own } = properties;
    return {
      ...own,
      ipAddress: existing?.properties["ipAddress"] ?? freeAddress(state, properties.publicIPAddressVersion),
      resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
      ...(dnsSettings === undefined
        ? {}
        : { dnsSettings: { ...dnsSettings, fqdn: `${dnsSettings.domainNameLabel}.${normalLocation(location)}.cloudapp.azure.com` } }),
    };
  },
  storeBeside: ({ zones }) => (zones === undefined ? {} : { zones }),
  present(state, { id, properties }) {
    const [user] = directUsersOf(state, id);
    if (user === undefined) {
      return properties;
    }
    const member = sameId(typeOf(user.from), "Microsoft.Network/natGateways") ? "natGateway" : "ipConfiguration";
    return { ...properties, [member]: { id: user.from } };
  },
  deletable(state, address) {
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

/** In a region. */
export function publicIpLimitOf({ knobs }: AzureState): number {
  return knobs?.publicIpLimit ?? 1000;
}

function addressesIn(state: AzureState, location: string): number {
  return Object.values(state.resources).filter(
    (resource) => sameId(resource.type, typeName) && resource.location === normalLocation(location),
  ).length;
}

/** The first address of the pools that no public IP uses. */
function freeAddress(state: AzureState, version: "IPv4" | "IPv6"): string {
  const held = new Set(Object.values(state.resources).map(({ properties }) => properties["ipAddress"]));
  for (const pool of pools[version]) {
    const range = readRange(pool, "the address pool");
    for (let offset = 1n; range.first + offset < range.last; offset++) {
      const address = addressAt(range, offset);
      if (!held.has(address)) {
        return address;
      }
    }
  }
  throw new ApiError(500, "InternalServerError", `An error occurred: the emulator has no ${version} address left.`);
}
