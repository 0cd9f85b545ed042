/** Subnets as parts of their virtual network: the body, and the rules on address ranges. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { known, oneOf, partName, reference } from "../../body-schema.js";
import { contains, overlap, readRange, type Range } from "./cidr.js";

const readOnly = ["id", "etag", "type"];

const serviceEndpoint = known(
  { service: z.string(), networkIdentifier: reference.optional(), locations: z.array(z.string()).default(["*"]) },
  ["provisioningState"],
);

const delegation = known({ name: z.string(), properties: known({ serviceName: z.string() }, ["actions", "provisioningState"]) }, readOnly);

const subnetProperties = known(
  {
    addressPrefix: z.string().optional(),
    addressPrefixes: z.array(z.string()).min(1).optional(),
    networkSecurityGroup: reference.optional(),
    routeTable: reference.optional(),
    natGateway: reference.optional(),
    serviceEndpoints: z.array(serviceEndpoint).optional(),
    serviceEndpointPolicies: z.array(reference).optional(),
    delegations: z.array(delegation).optional(),
    privateEndpointNetworkPolicies: oneOf("Disabled", "Enabled", "NetworkSecurityGroupEnabled", "RouteTableEnabled").default("Disabled"),
    privateLinkServiceNetworkPolicies: oneOf("Enabled", "Disabled").default("Enabled"),
    defaultOutboundAccess: z.boolean().optional(),
  },
  [
    "provisioningState",
    "ipConfigurations",
    "ipConfigurationProfiles",
    "privateEndpoints",
    "purpose",
    "resourceNavigationLinks",
    "serviceAssociationLinks",
  ],
);

/** The body of a single subnet; its name is in the path. */
export const subnetBody = known({ name: z.string().optional(), properties: subnetProperties }, readOnly);

/** A subnet inside the body of its virtual network. */
export const inlineSubnet = known({ name: partName, properties: subnetProperties }, readOnly);

export type Subnet = z.output<typeof inlineSubnet>;

/** The prefixes in a subnet's properties, as sent or stored. */
export function prefixesOf(properties: Readonly<Record<string, unknown>>): readonly string[] {
  const { addressPrefix, addressPrefixes } = properties as { addressPrefix?: string; addressPrefixes?: string[] };
  return addressPrefixes ?? (addressPrefix === undefined ? [] : [addressPrefix]);
}

/** The ranges of a subnet; `id` is its ARM ID. @throws ApiError if none is given or one is malformed */
function subnetRanges(subnet: Subnet, id: string): Range[] {
  const prefixes = prefixesOf(subnet.properties);
  if (prefixes.length === 0) {
    throw new ApiError(400, "InvalidRequestFormat", `Cannot parse the request.`, {
      details: [{ code: "MissingJsonReferenceProperty", message: `Value for addressPrefix of ${id} is missing.` }],
    });
  }
  return prefixes.map((prefix) => readRange(prefix, id));
}

/** Every subnet lies inside the address space of its network, and none overlaps another. */
export function checkSubnets(subnets: readonly Subnet[], addressSpace: readonly Range[], network: { id: string; name: string }): void {
  const seen: Range[] = [];
  for (const subnet of subnets) {
    const ranges = subnetRanges(subnet, `${network.id}/subnets/${subnet.name}`);
    for (const range of ranges) {
      const text = `Subnet '${subnet.name}' is not valid because its IP address range`;
      if (!addressSpace.some((space) => contains(space, range))) {
        throw new ApiError(
          400,
          "NetcfgSubnetRangeOutsideVnet",
          `${text} is outside the IP address range of virtual network '${network.name}'.`,
        );
      }
      // Azure reserves five addresses of every subnet, so /29 is the smallest for IPv4; IPv6 subnets are exactly /64.
      if (range.family === "ipv4" ? range.length > 29 : range.length !== 64) {
        throw new ApiError(400, "NetcfgInvalidSubnet", `Subnet '${subnet.name}' is not valid in virtual network '${network.name}'.`);
      }
      if (seen.some((other) => overlap(other, range))) {
        throw new ApiError(
          400,
          "NetcfgSubnetRangesOverlap",
          `${text} overlaps with that of an existing subnet in virtual network '${network.name}'.`,
        );
      }
      seen.push(range);
    }
  }
}
