/** The virtual network of a cluster without an existing one, with the subnet of its workers. */
import type { Subnet, VirtualNetwork } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import type { Change, Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import type { InfraNames } from "../../domain/names.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf, type UsedType } from "../../domain/resource-catalogue.js";
import { sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import { failedState } from "../../steps/provisioning-state.js";
import { defineInGroup } from "../../steps/in-group.js";
import type { InfraStepSpec } from "../../steps/lost-tags.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import type { RouteTableOutput } from "./egress-outputs.js";
import type { NatGatewayOutput } from "./nat-gateway.js";
import { writable, type NetworkSecurityGroupOutput } from "./network-security-group.js";
import type { GroupOutput } from "../../steps/resource-groups.js";
import { sameText } from "../../text/same-text.js";

const { virtualNetwork: row } = resourceTypes;

export interface VirtualNetworkOutput {
  readonly id: string;
  readonly subnetId: string;
}

/** The resources that the subnet refers to. */
interface Up {
  readonly nsg: NetworkSecurityGroupOutput;
  readonly nat?: NatGatewayOutput | undefined;
  readonly routeTable?: RouteTableOutput | undefined;
}

/** What the subnet of the workers refers to for their egress. */
export interface SubnetEgress {
  readonly nat?: Step<NatGatewayOutput> | undefined;
  readonly routeTable?: Step<RouteTableOutput> | undefined;
}

/** Creates the network with its subnet in one PUT. The network security group is attached to the subnet from the start. */
export function virtualNetwork(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  nsg: Step<NetworkSecurityGroupOutput>,
  { nat, routeTable }: SubnetEgress = {},
): Step<VirtualNetworkOutput> {
  const { vnet: name, subnet: subnetName } = names;
  const needs: {
    readonly group: typeof group;
    readonly nsg: typeof nsg;
    readonly nat?: Step<NatGatewayOutput>;
    readonly routeTable?: Step<RouteTableOutput>;
  } = { group, nsg, ...(nat && { nat }), ...(routeTable && { routeTable }) };
  return defineInGroup({
    row,
    lostTags: spec.lostTags,
    names: [name],
    needs,
    read: async ({ group: { name: groupName } }) => found((await azure.network()).virtualNetworks.get(groupName, name)),
    wanted: (outputs) => wantedNetwork(spec, subnetName, outputs),
    decide: (live, outputs) =>
      decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, (vnet) =>
        networkDifferences(quotedTitleOf(row, name), vnet, names, spec, outputs),
      ),
    async apply(live, outputs): Promise<VirtualNetwork> {
      const place = { groupName: outputs.group.name, name };
      if (!live) return putNetwork(azure, place, wantedNetwork(spec, subnetName, outputs));
      const former = writable(subnetOf(live, subnetName) ?? { name: subnetName, addressPrefix: spec.subnetCidr });
      const others = (live.subnets ?? []).filter((other) => other.name !== former.name);
      const subnet = { ...detached(former, spec), ...attached(outputs) };
      if (failedState(live) !== undefined)
        return putNetwork(azure, place, { ...live, subnets: [...others.map(writable), subnet] }, live.etag);
      // Only the subnet is written: Azure refuses a PUT of the network if others have added a subnet since it was read.
      const written = await putSubnet(azure, place, subnetName, subnet, former.etag);
      return { ...live, subnets: [...others, written] };
    },
    output: (id, live) => ({ id, subnetId: (live && subnetOf(live, subnetName)?.id) ?? `${id}/subnets/${subnetName}` }),
  });
}

function wantedNetwork(spec: InfraStepSpec, subnetName: string, outputs: Up): VirtualNetwork {
  return {
    location: spec.location,
    tags: ownershipTags(spec.cluster),
    addressSpace: { addressPrefixes: [spec.vnetCidr] },
    subnets: [{ name: subnetName, addressPrefix: spec.subnetCidr, ...attached(outputs) }],
  };
}

function attached({ nsg: { id }, nat, routeTable }: Up): Subnet {
  return {
    networkSecurityGroup: { id },
    ...(nat && { natGateway: { id: nat.id } }),
    ...(routeTable && { routeTable: { id: routeTable.id } }),
  };
}

/** The subnet without what an earlier choice of egress attached. */
function detached(live: Subnet, spec: InfraStepSpec): Subnet {
  const former: readonly string[] = formerKeys(live, spec);
  return Object.fromEntries(Object.entries(live).filter(([key]) => !former.includes(key)));
}

interface NetworkPlace {
  readonly groupName: string;
  readonly name: string;
}

/** `etag`: of the network that is replaced. */
async function putNetwork(azure: Azure, { groupName, name }: NetworkPlace, body: VirtualNetwork, etag?: string): Promise<VirtualNetwork> {
  const { virtualNetworks } = await azure.network();
  return finish(azure, expectedDuration("PUT", row.type), (options) =>
    virtualNetworks.beginCreateOrUpdate(groupName, name, body, ifUnchanged(etag, options)),
  );
}

async function putSubnet(
  azure: Azure,
  { groupName, name }: NetworkPlace,
  subnetName: string,
  body: Subnet,
  etag: string | undefined,
): Promise<Subnet> {
  const { subnets } = await azure.network();
  return finish(azure, expectedDuration("PUT", `${row.type}/subnets`), (options) =>
    subnets.beginCreateOrUpdate(groupName, name, subnetName, body, ifUnchanged(etag, options)),
  );
}

function networkDifferences(what: string, vnet: VirtualNetwork, names: InfraNames, spec: InfraStepSpec, outputs: Up): Change[] | Failure {
  const { subnet: subnetName } = names;
  const prefixes = vnet.addressSpace?.addressPrefixes ?? [];
  if (!prefixes.includes(spec.vnetCidr)) return otherRange(what, prefixes, spec.vnetCidr, "--vnet-cidr");
  const path = `subnets[${subnetName}]`;
  const subnet = subnetOf(vnet, subnetName);
  if (!subnet) return [{ path, from: undefined, to: spec.subnetCidr }];
  const ranges = subnet.addressPrefixes ?? (subnet.addressPrefix === undefined ? [] : [subnet.addressPrefix]);
  if (!ranges.includes(spec.subnetCidr)) return otherRange(`subnet "${subnetName}" of ${what}`, ranges, spec.subnetCidr, "--subnet-cidr");
  const wanted = [
    { key: "networkSecurityGroup", row: resourceTypes.networkSecurityGroup, id: outputs.nsg.id },
    ...(outputs.nat ? [{ key: "natGateway", row: resourceTypes.natGateway, id: outputs.nat.id } as const] : []),
    ...(outputs.routeTable ? [{ key: "routeTable", row: resourceTypes.routeTable, id: outputs.routeTable.id } as const] : []),
  ] as const;
  const former: readonly string[] = formerKeys(subnet, spec);
  const isWanted = (key: string) => wanted.some((one) => one.key === key);
  const changes = egressKeys
    .filter((key) => former.includes(key) && !isWanted(key))
    .map((key): Change => ({ path: `${path}.${key}`, from: subnet[key]?.id, to: undefined }));
  for (const { key, row: type, id } of wanted) {
    const live = subnet[key]?.id;
    if (live !== undefined && sameId(live, id)) continue;
    if (live === undefined || former.includes(key)) changes.push({ path: `${path}.${key}`, from: live, to: id });
    else return otherAttached(`subnet "${subnetName}" of ${what}`, type, live, id);
  }
  return changes;
}

const egressKeys = ["natGateway", "routeTable"] as const;

/**
 * What led the subnet to the internet, if this run changes that. A NAT gateway has precedence over the other ways. A route table counts if it leads
 * everything to a firewall or a gateway; others stay.
 */
function formerKeys({ natGateway, routeTable }: Subnet, { egress }: InfraStepSpec): (typeof egressKeys)[number][] {
  if (!egress.isChosen) return [];
  const table = routeTable?.id;
  const endsTable = table !== undefined && egress.formerRouteTableId !== undefined && sameId(table, egress.formerRouteTableId);
  return [...(natGateway?.id === undefined ? [] : (["natGateway"] as const)), ...(endsTable ? (["routeTable"] as const) : [])];
}

/** Keeps what others attached, because connections may use it. */
function otherAttached(subnet: string, { label, use }: UsedType, live: string, wanted: string): Failure {
  return new Failure("ARO-OWN-002", `${subnet} has a different ${label}`, {
    because: `${live} is attached to it; changing it would interrupt the traffic of a running cluster`,
    next: [
      ...(use.existingFlag === undefined ? [] : [`to use that ${label}, pass its ID as ${use.existingFlag}`]),
      `to restore the original, attach ${wanted} to the subnet`,
      "to change the egress of the cluster, rerun the command with --change-egress",
    ],
  });
}

export function otherRange(what: string, live: readonly string[], wanted: string, flag: string): Failure {
  return new Failure("ARO-OWN-002", `${what} has the address range ${live.join(", ")}, not ${wanted}`, {
    because: "the address range of a running cluster cannot be changed",
    next: [`pass ${flag} ${live[0] ?? "..."}, or destroy the infrastructure first`],
  });
}

/** Azure's names are case-insensitive. */
export function subnetOf(vnet: VirtualNetwork, name: string): Subnet | undefined {
  return vnet.subnets?.find((subnet) => sameText(subnet.name, name));
}
