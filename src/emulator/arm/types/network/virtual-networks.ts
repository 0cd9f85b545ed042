/** Virtual networks and their subnets. A subnet is a resource of its own; a PUT of the whole network replaces all, as in Azure. */
import { z } from "zod";
import { ApiError } from "../../../service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, oneOf } from "../body-schema.js";
import { childrenOf, parentResource, sameId, usersOf } from "../uses.js";
import { checkNames, childProperties, presentChildren, replaceChildren, touchParent } from "./children.js";
import { readRange, type Range } from "./cidr.js";
import { checkReferences, joinRights } from "./references.js";
import { childType, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./resource.js";
import { checkSubnets, inlineSubnet, subnetBody, type Subnet } from "./subnets.js";

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        addressSpace: known({ addressPrefixes: z.array(z.string()).min(1) }),
        dhcpOptions: known({ dnsServers: z.array(z.string()).optional() }).optional(),
        subnets: z.array(inlineSubnet).default([]),
        virtualNetworkPeerings: z.array(z.never()).optional(),
        enableDdosProtection: z.boolean().default(false),
        enableVmProtection: z.boolean().optional(),
        flowTimeoutInMinutes: z.int().min(4).max(30).optional(),
        encryption: known({ enabled: z.boolean(), enforcement: oneOf("AllowUnencrypted", "DropUnencrypted").optional() }).optional(),
        privateEndpointVNetPolicies: oneOf("Disabled", "Basic").optional(),
      },
      ["resourceGuid", "provisioningState", "flowLogs", "defaultPublicNatGateway"],
    ),
  },
  networkReadOnly,
);

const subnetType = "Microsoft.Network/virtualNetworks/subnets";

export const virtualNetworks = defineType<z.output<typeof body>>({
  name: "Microsoft.Network/virtualNetworks",
  ...trackedType,
  ...networkNames(2, 64),
  differs: [{ member: "privateEndpointVNetPolicies", since: "2024-03-01" }],
  body,
  latency: { put: "vnet.put", delete: "vnet.delete", inGroup: "vnet", inGroupAfter: "privateDns" },
  put: networkPut("PutVirtualNetworkOperation", 3, 10),
  delete: networkDelete("DeleteVirtualNetworkOperation", 10),
  lock: { on: "self", second: "exclusive" },
  links: ({ properties }) => joinRights(properties),
  check(put) {
    const { properties, location } = put.body;
    checkNames(put.id, properties.subnets);
    const space = properties.addressSpace.addressPrefixes.map((prefix) => readRange(prefix, put.id));
    checkSubnets(properties.subnets, space, put);
    for (const subnet of childrenOf(put.state, put.id, "subnets")) {
      checkInUse(
        put.state,
        subnet,
        properties.subnets.find(({ name }) => sameId(name, subnet.name)),
      );
    }
    checkReferences(put, location);
  },
  store({ call, id, body: { properties }, existing }) {
    const { subnets, ...own } = properties;
    replaceChildren(call, id, subnetType, subnets);
    return { ...own, resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(), virtualNetworkPeerings: [] };
  },
  present: (state, { id, properties }) => ({
    ...properties,
    subnets: presentChildren(state, id, "subnets", presentSubnet),
    // Peerings can be seeded, but not created.
    virtualNetworkPeerings: presentChildren(state, id, "virtualNetworkPeerings", (_state, peering) => peering.properties),
  }),
  deletable(state, network) {
    for (const subnet of childrenOf(state, network.id, "subnets")) {
      checkInUse(state, subnet, undefined);
    }
  },
});

export const subnets = defineType<z.output<typeof subnetBody>>({
  name: subnetType,
  ...childType,
  ...networkNames(1, 80),
  body: subnetBody,
  latency: { put: "subnet.put", delete: "subnet.delete" },
  put: networkPut("PutSubnetOperation", 3, 10),
  delete: networkDelete("DeleteSubnetOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  links: ({ properties }) => joinRights(properties),
  check(put) {
    const network = parentResource(put.state, put.id);
    const subnet = { name: put.name, properties: put.body.properties };
    const siblings = childrenOf(put.state, network.id, "subnets")
      .filter(({ id }) => !sameId(id, put.id))
      .map(({ name, properties }) => ({ name, properties }) as Subnet);
    checkSubnets([...siblings, subnet], addressSpaceOf(network), network);
    if (put.existing !== undefined) {
      checkInUse(put.state, put.existing, subnet);
    }
    checkReferences(put, network.location);
  },
  store: ({ body: { properties } }) => properties,
  changed: touchParent,
  present: presentSubnet,
  deletable(state, subnet) {
    checkInUse(state, subnet, undefined);
  },
});

/** What Azure adds to a subnet: the users of its addresses. */
function presentSubnet(state: AzureState, subnet: StoredResource): Record<string, unknown> {
  const ipConfigurations = usersOf(state, subnet.id).map(({ from }) => ({ id: from }));
  return { delegations: [], ...childProperties(state, subnet), ...(ipConfigurations.length === 0 ? {} : { ipConfigurations }) };
}

/** A subnet in use keeps its name and its ranges. */
function checkInUse(state: AzureState, subnet: StoredResource, wanted: Subnet | undefined): void {
  const [user] = usersOf(state, subnet.id);
  if (user === undefined) {
    return;
  }
  if (wanted === undefined) {
    throw new ApiError(
      400,
      "InUseSubnetCannotBeDeleted",
      `Subnet ${subnet.name} is in use by ${user.from} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
    );
  }
  const lost = prefixesOf(subnet.properties).find((prefix) => !prefixesOf(wanted.properties).includes(prefix));
  if (lost !== undefined) {
    throw new ApiError(
      400,
      "InUsePrefixCannotBeDeleted",
      `IpPrefix ${lost} on Subnet ${subnet.name} has active allocations and cannot be deleted.`,
    );
  }
}

function prefixesOf(properties: Record<string, unknown>): string[] {
  const { addressPrefix, addressPrefixes } = properties as { addressPrefix?: string; addressPrefixes?: string[] };
  return addressPrefixes ?? (addressPrefix === undefined ? [] : [addressPrefix]);
}

function addressSpaceOf(network: StoredResource): Range[] {
  const { addressSpace } = network.properties as { addressSpace: { addressPrefixes: string[] } };
  return addressSpace.addressPrefixes.map((prefix) => readRange(prefix, network.id));
}
