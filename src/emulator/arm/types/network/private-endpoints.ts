/** Private endpoints: an interface in a subnet for a resource of another service, and its records in private DNS zones. */
import { z } from "zod";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { known, networkNames, oneOf, partName, reference } from "../../body-schema.js";
import { notEmulated } from "../../errors.js";
import { storeOwn } from "../../put.js";
import { connect, disconnect, statusAt } from "../../private-connections.js";
import { removeTree } from "../../removal.js";
import { groupOf, keyOf, typeOf } from "../../resource-id.js";
import { defineType, type Put, type ResourceBody } from "../../resource-type.js";
import { childrenOf, sameId } from "../../uses.js";
import { dnsConfigs } from "./private-dns-names.js";
import { forgetRecords } from "./private-dns-zone-groups.js";
import { networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";
import { checkReferences, joinRights, missingReference } from "./references.js";

const readOnly = ["id", "etag", "type"];

const connection = known(
  {
    name: partName,
    properties: known(
      { privateLinkServiceId: z.string(), groupIds: z.array(z.string()).optional(), requestMessage: z.string().max(140).optional() },
      ["provisioningState", "privateLinkServiceConnectionState"],
    ),
  },
  readOnly,
);

const ipConfiguration = known(
  {
    name: partName,
    properties: known({ memberName: z.string().optional(), groupId: z.string().optional(), privateIPAddress: z.string() }, [
      "provisioningState",
    ]),
  },
  readOnly,
);

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        privateLinkServiceConnections: z.array(connection).default([]),
        manualPrivateLinkServiceConnections: z.array(connection).default([]),
        customNetworkInterfaceName: z.string().default(""),
        subnet: reference,
        ipConfigurations: z.array(ipConfiguration).default([]),
        applicationSecurityGroups: z.array(reference).optional(),
        ipVersionType: oneOf("IPv4", "DualStack", "IPv6").optional(),
      },
      ["provisioningState", "resourceGuid", "networkInterfaces", "customDnsConfigs"],
    ),
  },
  networkReadOnly,
);

type Body = z.output<typeof body>;
type Connection = z.output<typeof connection>;

const typeName = "Microsoft.Network/privateEndpoints";
const since2021 = ["customNetworkInterfaceName", "ipConfigurations", "applicationSecurityGroups"];

export const privateEndpoints = defineType<Body>({
  name: typeName,
  ...trackedType,
  apiVersions: versionsOf("Microsoft.Network", { from: "2019-04-01" }),
  ...networkNames(2, 64),
  versionDifferences: since2021.map((member) => ({ member, since: "2021-05-01" })),
  body,
  latency: { put: "privateEndpoint.put", ended: "network.put", delete: "privateEndpoint.delete" },
  put: networkPut("PutPrivateEndpointOperation", 10, 10),
  delete: networkDelete("DeletePrivateEndpointOperation", 10),
  lock: { on: "self", second: "exclusive" },
  linkedRights: ({ properties }) => joinRights(properties),
  checkPut(put) {
    checkReferences(put, put.body.location);
    for (const { properties } of connectionsOf(put.body)) checkTarget(put, properties.privateLinkServiceId);
  },
  storedProperties(put) {
    const { call, id, body, existing } = put;
    const { privateLinkServiceConnections: automatic, manualPrivateLinkServiceConnections: manual } = body.properties;
    const connecting = (one: Connection) => ({ name: one.name, to: one.properties.privateLinkServiceId });
    connect(call, id, [
      ...automatic.map((one) => ({ ...connecting(one), request: undefined })),
      ...manual.map((one) => ({ ...connecting(one), request: one.properties.requestMessage ?? "" })),
    ]);
    return {
      ...body.properties,
      networkInterfaces: [{ id: storeInterface(put) }],
      resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
      isUpdate: existing !== undefined,
    };
  },
  presentedProperties(state, endpoint) {
    const { id, properties } = endpoint;
    const { privateLinkServiceConnections, manualPrivateLinkServiceConnections, ipConfigurations, isUpdate, ...own } = properties as Stored;
    // A new endpoint has no names before it is ready; zones of its own have them otherwise.
    const isNamed = (isUpdate || isReady(endpoint)) && childrenOf(state, id, "privateDnsZoneGroups").length === 0;
    return {
      ...own,
      privateLinkServiceConnections: privateLinkServiceConnections.map((one) => presentConnection(state, endpoint, one, false)),
      manualPrivateLinkServiceConnections: manualPrivateLinkServiceConnections.map((one) => presentConnection(state, endpoint, one, true)),
      ipConfigurations: ipConfigurations.map(({ name, properties: held }) => ({
        ...partOf(endpoint, "ipConfigurations", name),
        properties: { provisioningState: "Succeeded", ...held },
      })),
      customDnsConfigs: isNamed ? dnsConfigs(state, endpoint) : [],
    };
  },
  removeAtEnd({ state }, { id, properties }) {
    disconnect(state, id);
    for (const group of childrenOf(state, id, "privateDnsZoneGroups")) forgetRecords(state, group);
    for (const one of (properties as Stored).networkInterfaces) removeTree(state, one.id);
    removeTree(state, id);
    return undefined;
  },
});

type Stored = Body["properties"] & { readonly networkInterfaces: readonly { readonly id: string }[]; readonly isUpdate: boolean };

function connectionsOf({ properties }: Body): readonly Connection[] {
  return [...properties.privateLinkServiceConnections, ...properties.manualPrivateLinkServiceConnections];
}

/** @throws ApiError 501 for a resource whose type is not emulated, 400 for one that does not exist */
function checkTarget({ call, state, id }: Put<ResourceBody>, target: string): void {
  if (state.resources[keyOf(target)] !== undefined) return;
  if (call.types.named(typeOf(target)) === undefined) throw notEmulated("A private endpoint of", target.split("/").slice(1));
  throw missingReference(id, target);
}

/** Its interface, with an address for each configuration, or with one. Returns the ID. */
function storeInterface({ call, state, id, name, body: { location, properties }, existing }: Put<Body>): string {
  const [before] = (existing?.properties as Stored | undefined)?.networkInterfaces ?? [];
  const ownName = properties.customNetworkInterfaceName === "" ? `${name}.nic.${call.uuid()}` : properties.customNetworkInterfaceName;
  const nic = before?.id ?? `${groupOf(id) ?? ""}/providers/Microsoft.Network/networkInterfaces/${ownName}`;
  const held = (state.resources[keyOf(nic)]?.properties["ipConfigurations"] ?? []) as { name: string }[];
  const wanted =
    properties.ipConfigurations.length === 0
      ? [{ name: held[0]?.name ?? `privateEndpointIpConfig.${call.uuid()}`, properties: {} }]
      : properties.ipConfigurations.map((one) => ({ name: one.name, properties: { privateIPAddress: one.properties.privateIPAddress } }));
  const { subnet, applicationSecurityGroups } = properties;
  const ipConfigurations = wanted.map((one) => ({
    name: one.name,
    properties: { ...one.properties, subnet, ...(applicationSecurityGroups && { applicationSecurityGroups }) },
  }));
  storeOwn(call, nic, { location, properties: { ipConfigurations } });
  return nic;
}

function partOf({ id, etag }: StoredResource, collection: string, name: string) {
  return { name, id: `${id}/${collection}/${name}`, etag, type: `${typeName}/${collection}` };
}

function isReady({ properties }: StoredResource): boolean {
  return properties["provisioningState"] === "Succeeded";
}

function presentConnection(state: AzureState, endpoint: StoredResource, { name, properties }: Connection, manual: boolean) {
  const decided = statusAt(state, endpoint.id, properties.privateLinkServiceId);
  const connectionState = stateOf(endpoint, properties, manual);
  const collection = manual ? "manualPrivateLinkServiceConnections" : "privateLinkServiceConnections";
  return {
    ...partOf(endpoint, collection, name),
    properties: {
      provisioningState: "Succeeded",
      ...properties,
      privateLinkServiceConnectionState: { ...connectionState, ...(decided !== undefined && { status: decided }) },
    },
  };
}

/** Who may create an endpoint may approve it here too. A manual connection waits for an approval, which private link services do not get. */
function stateOf(endpoint: StoredResource, { privateLinkServiceId, requestMessage }: Connection["properties"], manual: boolean) {
  if (manual) return { status: "Pending", description: requestMessage ?? "Awaiting Approval", actionsRequired: "None" };
  const isService = sameId(typeOf(privateLinkServiceId), "Microsoft.Network/privateLinkServices");
  return { status: "Approved", description: isService || !isReady(endpoint) ? "Auto Approved" : "Auto-Approved", actionsRequired: "None" };
}

/** Those whose connections name the service. */
export function endpointsOf(endpoints: readonly StoredResource[], service: string) {
  return endpoints.flatMap((endpoint) => {
    const { privateLinkServiceConnections, manualPrivateLinkServiceConnections } = endpoint.properties as Stored;
    const named = (one: Connection): boolean => sameId(one.properties.privateLinkServiceId, service);
    const [automatic, manual] = [privateLinkServiceConnections.find(named), manualPrivateLinkServiceConnections.find(named)];
    const found = automatic ?? manual;
    return found === undefined ? [] : [{ endpoint, state: stateOf(endpoint, found.properties, automatic === undefined) }];
  });
}
