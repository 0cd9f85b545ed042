/** Peerings of virtual networks: each network has its own, and they are connected once both have one. */
import { z } from "zod";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { keyOf } from "../../resource-id.js";
import { defineType, type ArmCall } from "../../resource-type.js";
import { known, networkNames, oneOf, partName, reference } from "../body-schema.js";
import { childrenOf, parentResource, sameId } from "../uses.js";
import { childProperties, touchParent } from "./children.js";
import { checkReferences } from "./references.js";
import { childType, networkDelete, networkPut } from "./resource.js";

const addressSpace = known({ addressPrefixes: z.array(z.string()) });

const peeringProperties = known(
  {
    // Only a seed omits it: it stands for a network that the emulator does not have.
    remoteVirtualNetwork: reference.optional(),
    remoteAddressSpace: addressSpace.optional(),
    allowVirtualNetworkAccess: z.boolean().default(true),
    allowForwardedTraffic: z.boolean().default(false),
    allowGatewayTransit: z.boolean().default(false),
    useRemoteGateways: z.boolean().default(false),
    doNotVerifyRemoteGateways: z.boolean().default(false),
    peeringState: oneOf("Initiated", "Connected", "Disconnected").optional(),
    peeringSyncLevel: oneOf("FullyInSync", "RemoteNotInSync", "LocalNotInSync", "LocalAndRemoteNotInSync").optional(),
  },
  ["provisioningState", "resourceGuid", "routeServiceVips", "remoteVirtualNetworkAddressSpace"],
);

const readOnly = ["id", "etag", "type"];
const body = known({ name: z.string().optional(), properties: peeringProperties }, readOnly);

/** A peering inside the body of its virtual network. */
export const inlinePeering = known({ name: partName, properties: peeringProperties }, readOnly);

export const peeringType = "Microsoft.Network/virtualNetworks/virtualNetworkPeerings";

export const virtualNetworkPeerings = defineType<z.output<typeof body>>({
  name: peeringType,
  ...childType,
  ...networkNames(1, 80),
  differs: [{ member: "peeringSyncLevel", since: "2021-03-01" }],
  undescribed: ["routeServiceVips"],
  body,
  latency: { put: "subnet.put", ended: "network.put", delete: "subnet.delete" },
  put: networkPut("PutVirtualNetworkPeeringOperation", 10, 10),
  delete: networkDelete("DeleteVirtualNetworkPeeringOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  links: ({ properties: { remoteVirtualNetwork } }) =>
    remoteVirtualNetwork === undefined ? [] : [{ id: remoteVirtualNetwork.id, action: "Microsoft.Network/virtualNetworks/peer/action" }],
  // Networks of two regions can be peered.
  check: (put) => {
    checkReferences(put, undefined);
  },
  store: ({ call, id, body: { properties }, existing }) => storedPeering(call, id, properties, existing),
  changed: touchParent,
  present: childProperties,
});

/** What is stored of a peering. The second of two connects both. */
export function storedPeering(
  call: ArmCall,
  id: string,
  sent: z.output<typeof peeringProperties>,
  existing: StoredResource | undefined,
): Record<string, unknown> {
  const { state, request } = call;
  const remote = state.resources[keyOf(sent.remoteVirtualNetwork?.id ?? "")];
  const back = remote === undefined ? undefined : peeringBetween(state, remote.id, parentResource(state, id).id);
  if (back !== undefined) Object.assign(back.properties, { peeringState: "Connected", peeringSyncLevel: "FullyInSync" });
  const synced = back !== undefined || request.query.get("syncRemoteAddressSpace") === "true";
  return {
    peeringState: back === undefined ? (existing?.properties["peeringState"] ?? "Initiated") : "Connected",
    peeringSyncLevel: existing?.properties["peeringSyncLevel"] ?? "RemoteNotInSync",
    ...sent,
    ...(synced && { peeringSyncLevel: "FullyInSync" }),
    remoteAddressSpace: sent.remoteAddressSpace ?? remote?.properties["addressSpace"],
    resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
    routeServiceVips: {},
  };
}

function peeringBetween(state: AzureState, from: string, to: string): StoredResource | undefined {
  return childrenOf(state, from, "virtualNetworkPeerings").find(({ properties }) => {
    const { remoteVirtualNetwork } = properties as { remoteVirtualNetwork?: { id: string } };
    return remoteVirtualNetwork !== undefined && sameId(remoteVirtualNetwork.id, to);
  });
}
