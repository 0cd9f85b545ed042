/** Virtual networks, whose PUT replaces all subnets. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { keyOf, typeOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, oneOf } from "../../body-schema.js";
import { childrenOf, parentResource, sameId, usersOf } from "../../uses.js";
import { checkNames, childProperties, replaceChildren, touchParent } from "./children.js";
import { delegatedActions } from "./delegations.js";
import { readRange, type Range } from "./cidr.js";
import { checkRemote, inlinePeering, peeringsOf, peeringType, storedPeering } from "./peerings.js";
import { checkReferences, joinRights, withUpperCaseNames } from "./references.js";
import { childType, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";
import { checkSubnets, inlineSubnet, prefixesOf, subnetBody, type Subnet } from "./subnets.js";

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        addressSpace: known({ addressPrefixes: z.array(z.string()).min(1) }),
        dhcpOptions: known({ dnsServers: z.array(z.string()).default([]) }).optional(),
        subnets: z.array(inlineSubnet).default([]),
        virtualNetworkPeerings: z.array(inlinePeering).optional(),
        enableDdosProtection: z.boolean().default(false),
        flowTimeoutInMinutes: z.int().min(4).max(30).optional(),
        encryption: known({ enabled: z.boolean(), enforcement: oneOf("AllowUnencrypted", "DropUnencrypted").optional() }).optional(),
        privateEndpointVNetPolicies: oneOf("Disabled", "Basic").default("Disabled"),
      },
      // Azure ignores what is sent for VM protection, and answers it to old clients only.
      ["resourceGuid", "provisioningState", "flowLogs", "defaultPublicNatGateway", "enableVmProtection"],
    ),
  },
  networkReadOnly,
);

const subnetType = "Microsoft.Network/virtualNetworks/subnets";

export const virtualNetworks = defineType<z.output<typeof body>>({
  name: "Microsoft.Network/virtualNetworks",
  ...trackedType,
  ...networkNames(2, 64),
  versionDifferences: [
    { member: "privateEndpointVNetPolicies", since: "2024-03-01" },
    { member: "enableVmProtection", before: "2020-11-01", ignored: true },
    { member: "virtualNetworkPeerings.properties.peeringSyncLevel", since: "2021-02-01" },
  ],
  undescribedMembers: ["routeServiceVips"],
  body,
  latency: { put: "vnet.put", ended: "network.put", delete: "vnet.delete", inGroup: "vnet", inGroupAfter: "privateDns" },
  put: networkPut("PutVirtualNetworkOperation", 3, 10),
  delete: networkDelete("DeleteVirtualNetworkOperation", 10),
  lock: { on: "self", second: "exclusive" },
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
    const { properties, location } = put.body;
    checkNames(put.id, properties.subnets);
    checkNames(put.id, properties.virtualNetworkPeerings ?? []);
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
    const sent = properties.virtualNetworkPeerings?.map((one) => ({
      id: `${put.id}/virtualNetworkPeerings/${one.name}`,
      ...one.properties,
    }));
    const peerings = sent ?? peeringsOf(put.state, put.id);
    for (const one of peerings) checkRemote(put.state, { id: put.id, ...properties, peerings }, one.id, one);
  },
  storedProperties({ call, id, body: { properties }, existing }) {
    const { subnets, virtualNetworkPeerings: peerings, ...own } = properties;
    replaceChildren(call, id, subnetType, subnets);
    // A body without peerings leaves them as they are.
    if (peerings !== undefined) replaceChildren(call, id, peeringType, peerings.map(withStored));
    return { enableVmProtection: false, ...own, resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid() };

    function withStored({ name, properties: sent }: NonNullable<typeof peerings>[number]) {
      const peering = `${id}/virtualNetworkPeerings/${name}`;
      return { name, properties: storedPeering(call, peering, sent, call.state.resources[keyOf(peering)]) };
    }
  },
  presentedProperties: (state, { id, properties }, answered) => ({
    ...properties,
    subnets: childrenOf(state, id, "subnets").map(answered),
    virtualNetworkPeerings: childrenOf(state, id, "virtualNetworkPeerings").map(answered),
  }),
  checkDelete(state, network) {
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
  latency: { put: "subnet.put", ended: "network.put", delete: "subnet.delete" },
  put: networkPut("PutSubnetOperation", 3, 10),
  delete: networkDelete("DeleteSubnetOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
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
  storedProperties: ({ body: { properties } }) => properties,
  afterChange: touchParent,
  presentedProperties: presentSubnet,
  checkDelete(state, subnet) {
    checkInUse(state, subnet, undefined);
  },
});

/** What Azure adds to a subnet: the users of its addresses, with their names in upper case, and what its delegations allow. */
function presentSubnet(state: AzureState, subnet: StoredResource): Record<string, unknown> {
  const users = usersOf(state, subnet.id).map(({ from }) => from);
  const ofEndpoints = users.filter(isOfPrivateEndpoint);
  const ipConfigurations = users.filter((from) => !isOfPrivateEndpoint(from)).map((from) => ({ id: withUpperCaseNames(from) }));
  const own = childProperties(state, subnet);
  const { delegations = [], serviceEndpoints } = own as { delegations?: Delegation[]; serviceEndpoints?: Record<string, unknown>[] };
  return {
    ...own,
    delegations: delegations.map(({ name, properties }) => ({
      name,
      id: `${subnet.id}/delegations/${name}`,
      etag: subnet.etag,
      type: `${subnetType}/delegations`,
      properties: { provisioningState: "Succeeded", ...properties, actions: delegatedActions(properties.serviceName) },
    })),
    ...(serviceEndpoints && {
      serviceEndpoints: serviceEndpoints.map((one) => ({ ...one, provisioningState: own["provisioningState"] })),
    }),
    ...(ipConfigurations.length === 0 ? {} : { ipConfigurations }),
    ...(ofEndpoints.length === 0 ? {} : { privateEndpoints: ofEndpoints.map((id) => ({ id: withUpperCaseNames(id) })) }),
  };
}

/** Of the endpoint itself: the configurations of its interface are listed as those of others. */
function isOfPrivateEndpoint(id: string): boolean {
  return sameId(typeOf(id), "Microsoft.Network/privateEndpoints");
}

interface Delegation {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>> & { readonly serviceName: string };
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

function addressSpaceOf(network: StoredResource): Range[] {
  const { addressSpace } = network.properties as { addressSpace: { addressPrefixes: string[] } };
  return addressSpace.addressPrefixes.map((prefix) => readRange(prefix, network.id));
}
