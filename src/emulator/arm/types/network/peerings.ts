/** Peerings of virtual networks: each network has its own, and they are connected once both have one. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { removeTree } from "../../removal.js";
import { keyOf, parentOf } from "../../resource-id.js";
import { defineType, type ArmCall } from "../../resource-type.js";
import { known, networkNames, oneOf, partName, reference } from "../../body-schema.js";
import { childrenOf, parentResource, sameId } from "../../uses.js";
import { childProperties, touchParent } from "./children.js";
import { overlap, readRange, type Range } from "./cidr.js";
import { checkReferences } from "./references.js";
import { childType, networkDelete, networkPut } from "./provider.js";

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
    // Of such a seed only: it follows from the address spaces otherwise.
    peeringSyncLevel: oneOf("FullyInSync", "RemoteNotInSync", "LocalNotInSync", "LocalAndRemoteNotInSync").optional(),
    // Peerings of single subnets are stored; no traffic passes either kind.
    peerCompleteVnets: z.boolean().default(true),
    localSubnetNames: z.array(z.string()).optional(),
    remoteSubnetNames: z.array(z.string()).optional(),
    enableOnlyIPv6Peering: z.boolean().optional(),
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
  versionDifferences: [
    { member: "peeringSyncLevel", since: "2021-02-01" },
    { member: "remoteVirtualNetworkAddressSpace", since: "2021-02-01" },
    ...["peerCompleteVnets", "localSubnetNames", "remoteSubnetNames", "enableOnlyIPv6Peering"].map((member) => ({
      member,
      since: "2023-11-01",
    })),
  ],
  undescribedMembers: ["routeServiceVips"],
  body,
  latency: { put: "subnet.put", ended: "network.put", delete: "subnet.delete" },
  put: networkPut("PutVirtualNetworkPeeringOperation", 10, 10),
  delete: networkDelete("DeleteVirtualNetworkPeeringOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  linkedRights: ({ properties: { remoteVirtualNetwork } }) =>
    remoteVirtualNetwork === undefined ? [] : [{ id: remoteVirtualNetwork.id, action: "Microsoft.Network/virtualNetworks/peer/action" }],
  checkPut(put) {
    // Networks of two regions can be peered.
    checkReferences(put, undefined);
    checkRemote(put.state, localOf(put.state, put.id), put.id, put.body.properties);
    const back = counterpartOf(put.state, put.id, put.body.properties);
    if (back?.properties["peeringState"] !== "Disconnected") return;
    throw new ApiError(
      400,
      "RemotePeeringIsDisconnected",
      `Cannot create or update peering ${put.id} because remote peering ${back.id} referencing parent virtual network is in Disconnected state. Update or re-create the remote peering to get it back to Initiated state. Peering gets Disconnected when remote vnet or remote peering is deleted and re-created.`,
    );
  },
  storedProperties: ({ call, id, body: { properties }, existing }) => storedPeering(call, id, properties, existing),
  afterChange: touchParent,
  presentedProperties: presentPeering,
  removeAtEnd(moment, { id, properties }) {
    const back = counterpartOf(moment.state, id, properties);
    if (back !== undefined) back.properties["peeringState"] = "Disconnected";
    removeTree(moment.state, id);
    touchParent(moment, id);
    return undefined;
  },
});

/** The network that a peering is of: as it is stored, or as a PUT sends it. */
interface Local {
  readonly id: string;
  readonly addressSpace: { readonly addressPrefixes: readonly string[] };
  readonly peerings: readonly (Remote & { readonly id: string })[];
}

function localOf(state: AzureState, peeringId: string): Local {
  const { id, properties } = parentResource(state, peeringId);
  return { id, addressSpace: properties["addressSpace"] as Local["addressSpace"], peerings: peeringsOf(state, id) };
}

export function peeringsOf(state: AzureState, networkId: string): Local["peerings"] {
  return childrenOf(state, networkId, "virtualNetworkPeerings").map(({ id, properties }) => ({ id, ...(properties as Remote) }));
}

/** @throws ApiError if another peering leads to the same network, or both networks have the same addresses */
export function checkRemote(state: AzureState, local: Local, id: string, { remoteVirtualNetwork }: Remote): void {
  const remote = state.resources[keyOf(remoteVirtualNetwork?.id ?? "")];
  const remoteSpace = remote?.properties["addressSpace"] as Local["addressSpace"] | undefined;
  // A network that is only seeded as a name, or no network at all.
  if (remote === undefined || remoteSpace === undefined) return;
  const another = local.peerings.find((one) => !sameId(one.id, id) && sameId(one.remoteVirtualNetwork?.id ?? "", remote.id));
  if (another !== undefined) {
    throw new ApiError(
      400,
      "AnotherPeeringAlreadyReferencesRemoteVnet",
      `Peering ${another.id} already references remote virtual network ${remote.id}. Cannot add another peering ${id} referencing the same remote virtual network.`,
    );
  }
  const others = rangesOf(remote.id, remoteSpace);
  const overlapping = rangesOf(local.id, local.addressSpace).filter((range) => others.some((other) => overlap(range, other)));
  if (overlapping.length === 0) return;
  throw new ApiError(
    400,
    "VnetAddressSpacesOverlap",
    `Cannot create or update peering ${id}. Virtual networks ${local.id} and ${remote.id} cannot be peered because their address spaces overlap. Overlapping address prefixes: ${overlapping.map(({ prefix }) => prefix).join(", ")}`,
  );
}

function rangesOf(id: string, { addressPrefixes }: Local["addressSpace"]): Range[] {
  return addressPrefixes.map((prefix) => readRange(prefix, id));
}

/** A sync gives this side the address space of the other network, but not the other side that of this one. */
const withoutLocal = {
  FullyInSync: "FullyInSync",
  LocalNotInSync: "FullyInSync",
  RemoteNotInSync: "RemoteNotInSync",
  LocalAndRemoteNotInSync: "RemoteNotInSync",
} as const;

/** What is stored of a peering. The second of two connects both. */
export function storedPeering(
  call: ArmCall,
  id: string,
  sent: z.output<typeof peeringProperties>,
  existing: StoredResource | undefined,
): Record<string, unknown> {
  const { state, request } = call;
  const remote = state.resources[keyOf(sent.remoteVirtualNetwork?.id ?? "")];
  const back = counterpartOf(state, id, sent);
  if (back !== undefined) back.properties["peeringState"] = "Connected";
  const isSync = request.query.get("syncRemoteAddressSpace") === "true";
  return {
    peeringState: existing?.properties["peeringState"] ?? "Initiated",
    ...sent,
    ...(back !== undefined && { peeringState: "Connected" }),
    ...(isSync && sent.peeringSyncLevel !== undefined && { peeringSyncLevel: withoutLocal[sent.peeringSyncLevel] }),
    remoteAddressSpace: (isSync ? undefined : sent.remoteAddressSpace) ?? remote?.properties["addressSpace"] ?? sent.remoteAddressSpace,
    resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid(),
    routeServiceVips: {},
  };
}

/** What Azure adds: the present address space of the other network, and whether both peerings have that of the other one. */
function presentPeering(state: AzureState, peering: StoredResource): Record<string, unknown> {
  const { remoteVirtualNetwork, remoteAddressSpace, ...own } = childProperties(state, peering) as Remote & Record<string, unknown>;
  if (remoteVirtualNetwork === undefined) return { remoteAddressSpace, ...own };
  const remote = state.resources[keyOf(remoteVirtualNetwork.id)];
  const remoteVirtualNetworkAddressSpace = remote?.properties["addressSpace"] ?? remoteAddressSpace;
  const local = parentResource(state, peering.id).properties["addressSpace"];
  const back = counterpartOf(state, peering.id, { remoteVirtualNetwork });
  const stale = [
    ...(isDeepStrictEqual(remoteAddressSpace, remoteVirtualNetworkAddressSpace) ? [] : ["Local"]),
    ...(isDeepStrictEqual(back?.properties["remoteAddressSpace"], local) ? [] : ["Remote"]),
  ];
  const peeringSyncLevel = stale.length === 0 ? "FullyInSync" : `${stale.join("And")}NotInSync`;
  return { ...own, remoteVirtualNetwork, remoteAddressSpace, remoteVirtualNetworkAddressSpace, peeringSyncLevel };
}

interface Remote {
  readonly remoteVirtualNetwork?: { readonly id: string } | undefined;
}

/** The peering of the other network with this one's. */
function counterpartOf(state: AzureState, id: string, { remoteVirtualNetwork }: Remote): StoredResource | undefined {
  const network = parentOf(id) ?? id;
  if (remoteVirtualNetwork === undefined) return undefined;
  return childrenOf(state, remoteVirtualNetwork.id, "virtualNetworkPeerings").find(({ properties }) =>
    sameId((properties as Remote).remoteVirtualNetwork?.id ?? "", network),
  );
}
