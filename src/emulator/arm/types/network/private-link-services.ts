/** Private link services: a load balancer's frontends, offered to private endpoints of other networks. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { versionsOf } from "../../api-versions.js";
import { known, networkNames, oneOf, partName, reference } from "../../body-schema.js";
import { resourcesByType } from "../../indexes.js";
import { storeOwn } from "../../put.js";
import { removeTree } from "../../removal.js";
import { groupOf, keyOf } from "../../resource-id.js";
import { defineType } from "../../resource-type.js";
import { endpointsOf } from "./private-endpoints.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";
import { checkReferences, joinRights } from "./references.js";

const subscriptions = known({ subscriptions: z.array(z.string()).default([]) });

const ipConfiguration = known(
  {
    name: partName,
    properties: known(
      {
        privateIPAddress: z.string().optional(),
        privateIPAllocationMethod: oneOf("Dynamic", "Static").default("Dynamic"),
        subnet: reference,
        primary: z.boolean().optional(),
        privateIPAddressVersion: oneOf("IPv4", "IPv6").default("IPv4"),
      },
      ["provisioningState"],
    ),
  },
  ["id", "etag", "type"],
);

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        loadBalancerFrontendIpConfigurations: z.array(reference).min(1),
        ipConfigurations: z.array(ipConfiguration).min(1),
        visibility: subscriptions.optional(),
        autoApproval: subscriptions.optional(),
        fqdns: z.array(z.string()).default([]),
        enableProxyProtocol: z.boolean().default(false),
      },
      ["provisioningState", "resourceGuid", "alias", "networkInterfaces", "privateEndpointConnections"],
    ),
  },
  networkReadOnly,
);

const typeName = "Microsoft.Network/privateLinkServices";

interface Held {
  readonly ipConfigurations: readonly { readonly name: string; readonly properties: Readonly<Record<string, unknown>> }[];
  readonly networkInterfaces: readonly { readonly id: string }[];
}

export const privateLinkServices = defineType<z.output<typeof body>>({
  name: typeName,
  ...trackedType,
  apiVersions: versionsOf("Microsoft.Network", { from: "2019-04-01" }),
  ...networkNames(1, 80),
  partLists: { privateEndpointConnections: "read" },
  body,
  latency: { put: "privateEndpoint.put", ended: "network.put", delete: "privateEndpoint.delete" },
  put: networkPut("PutPrivateLinkServiceOperation", 10, 10),
  delete: networkDelete("DeletePrivateLinkServiceOperation", 10),
  lock: { on: "self", second: "exclusive" },
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
    checkReferences(put, put.body.location);
    for (const { properties } of put.body.properties.ipConfigurations) {
      const policies = put.state.resources[keyOf(properties.subnet.id)]?.properties["privateLinkServiceNetworkPolicies"];
      if (policies !== "Enabled") continue;
      throw new ApiError(
        400,
        "PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled",
        `Private link service ${put.id} cannot be created in a subnet ${properties.subnet.id} since it has private link service network policies enabled.`,
        { details: [] },
      );
    }
  },
  storedProperties({ call, id, name, body: { location, properties }, existing }) {
    const [before] = (existing?.properties as Held | undefined)?.networkInterfaces ?? [];
    const nic = before?.id ?? `${groupOf(id) ?? ""}/providers/Microsoft.Network/networkInterfaces/${name}.nic.${call.uuid()}`;
    const ipConfigurations = properties.ipConfigurations.map((one) => ({ name: one.name, properties: one.properties }));
    storeOwn(call, nic, { location, properties: { ipConfigurations } });
    return {
      ...properties,
      alias: existing?.properties["alias"] ?? `${name}.${call.uuid()}.${location}.azure.privatelinkservice`,
      networkInterfaces: [{ id: nic }],
      resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
    };
  },
  presentedProperties(state, { id, etag, properties }) {
    const connected = endpointsOf(resourcesByType.find(state.resources, "microsoft.network/privateendpoints"), id);
    return {
      ...properties,
      ipConfigurations: (properties as unknown as Held).ipConfigurations.map(({ name, properties: own }, index) => ({
        name,
        id: `${id}/ipConfigurations/${name}`,
        etag,
        type: `${typeName}/ipConfigurations`,
        properties: { provisioningState: "Succeeded", primary: index === 0, ...own },
      })),
      privateEndpointConnections: connected.map(({ endpoint, state: connectionState }) => {
        const name = `${endpoint.name}.${String(endpoint.properties["resourceGuid"])}`;
        return {
          name,
          id: `${id}/privateEndpointConnections/${name}`,
          etag,
          type: `${typeName}/privateEndpointConnections`,
          properties: {
            provisioningState: "Succeeded",
            privateEndpoint: { id: endpoint.id },
            privateLinkServiceConnectionState: connectionState,
            linkIdentifier: linkOf(String(endpoint.properties["resourceGuid"])),
          },
        };
      }),
    };
  },
  checkDelete(state, { id }) {
    const [user] = endpointsOf(resourcesByType.find(state.resources, "microsoft.network/privateendpoints"), id);
    if (user === undefined) return;
    throw new ApiError(
      400,
      "PrivateLinkServiceCannotBeDeletedDueToPrivateEndpointConnections",
      `Private link service ${id} cannot be deleted since it has private endpoint connection ${user.endpoint.name}.`,
      { details: [] },
    );
  },
  removeAtEnd({ state }, { id, properties }) {
    for (const nic of (properties as unknown as Held).networkInterfaces) removeTree(state, nic.id);
    removeTree(state, id);
    return undefined;
  },
});

/** The number by which the service's own network knows the connection. */
function linkOf(guid: string): string {
  return String(536_870_912 + (parseInt(guid.slice(0, 7), 16) || 0));
}
