/** Public IP prefixes: ranges of public addresses, from a documentation range. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { defineType } from "../../resource-type.js";
import { resourcesByType } from "../../indexes.js";
import { keyOf, typeOf } from "../../resource-id.js";
import { known, networkNames, oneOf } from "../../body-schema.js";
import { directUsersOf, sameId } from "../../uses.js";
import { addressAt, readRange } from "./cidr.js";
import { checkIpTags, checkZones, ipTags } from "./ip-tags.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";

const body = known(
  {
    ...trackedMembers,
    sku: known({
      name: oneOf("Standard", "StandardV2").default("Standard"),
      tier: oneOf("Regional", "Global").default("Regional"),
    }).prefault({}),
    zones: z.array(z.string()).optional(),
    properties: known(
      {
        prefixLength: z.int().min(21).max(127),
        publicIPAddressVersion: oneOf("IPv4", "IPv6").default("IPv4"),
        ipTags,
      },
      ["ipPrefix", "publicIPAddresses", "loadBalancerFrontendIpConfiguration", "provisioningState", "resourceGuid"],
    ),
  },
  networkReadOnly,
);

const typeName = "Microsoft.Network/publicIPPrefixes";

/**
 * TEST-NET-1 (RFC 5737), a part of the reserved range (RFC 1112), and a part of the documentation prefix of RFC 3849: addresses without a
 * prefix are in others.
 */
const pools = { IPv4: ["192.0.2.0/24", "248.0.0.0/6"], IPv6: ["2001:db8:1::/48"] } as const;

export const publicIpPrefixes = defineType<z.output<typeof body>>({
  name: typeName,
  ...trackedType,
  ...networkNames(1, 80),
  body,
  latency: { put: "publicIp.put", ended: "network.put", delete: "publicIp.delete" },
  put: networkPut("PutPublicIpPrefixOperation", 3, 3),
  delete: networkDelete("DeletePublicIpPrefixOperation", 10),
  lock: { on: "self", second: "exclusive" },
  checkPut(put) {
    checkZones(put);
    checkIpTags(put);
  },
  storedProperties: ({ call, state, body: { properties }, existing }) => ({
    ...properties,
    ipPrefix: existing?.properties["ipPrefix"] ?? freePrefix(state, pools[properties.publicIPAddressVersion], properties.prefixLength),
    resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
  }),
  storedMembers: ({ zones }) => (zones === undefined ? {} : { zones }),
  presentedProperties(state, resource) {
    const { ipPrefix, ...properties } = resource.properties;
    const addresses = addressesOf(state, resource);
    return {
      ...properties,
      ...(properties["provisioningState"] === "Updating" ? {} : { ipPrefix }),
      ...(addresses.length > 0 && { publicIPAddresses: addresses.map((id) => ({ id })) }),
    };
  },
  checkDelete(state, { id }) {
    const [user] = directUsersOf(state, id);
    if (user === undefined) return;
    throw new ApiError(
      400,
      "InUsePublicIpPrefixCannotBeDeleted",
      `Public IP prefix ${id} cannot be deleted because it is in use by ${user.from}.`,
    );
  },
});

function addressesOf(state: AzureState, { id }: StoredResource): string[] {
  const users = directUsersOf(state, id).map(({ from }) => from);
  return users.filter((from) => sameId(typeOf(from), "Microsoft.Network/publicIPAddresses"));
}

/** The first range of that size in the pools that no prefix has. */
function freePrefix(state: AzureState, ranges: readonly string[], length: number): string {
  const held = resourcesByType
    .find(state.resources, keyOf(typeName))
    .map(({ id, properties }) => readRange(String(properties["ipPrefix"]), id))
    .sort((one, other) => (one.first < other.first ? -1 : 1));
  for (const range of ranges.map((pool) => readRange(pool, "the address pool"))) {
    const size = 1n << BigInt((range.family === "ipv4" ? 32 : 128) - length);
    let first = range.first;
    for (const other of held) {
      const isInTheWay = other.family === range.family && other.first < first + size && first <= other.last;
      if (isInTheWay) first += ((other.last - first) / size + 1n) * size;
    }
    if (first + size - 1n <= range.last) return `${addressAt(range, first - range.first)}/${String(length)}`;
  }
  throw new ApiError(500, "InternalServerError", `An error occurred: the emulator has no prefix of length ${String(length)} left.`);
}
