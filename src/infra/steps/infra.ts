/** The infrastructure of one cluster as a graph of steps, in the order in which `create infra` creates it. */
import type { Azure } from "../../azure/azure.js";
import type { Step } from "../../engine/step.js";
import { infraNames, type InfraNames } from "../../domain/names.js";
import { existingNetworkId, placeInfra, type Placement } from "../../domain/placement.js";
import { groupIdOf, idKey, resourceGroupId } from "../../domain/resource-id.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { existingSecurityGroup, existingVirtualNetwork, networkFlag, securityGroupOfSubnet } from "./existing-network.js";
import { privateZone, privateZoneLink, publicZone, type ZoneOutput } from "./dns.js";
import { lostTags, type InfraStepSpec } from "../../steps/lost-tags.js";
import { existingNatGateway, existingPrefixes, existingRouteTable, routeTableOfSubnet } from "./egress.js";
import type { RouteTableOutput } from "./egress-outputs.js";
import { formerEgress } from "./former-egress.js";
import { loadBalancer, natPublicIps, publicIps } from "./load-balancer.js";
import { natGateway, type NatGatewayOutput } from "./nat-gateway.js";
import { virtualNetwork, type SubnetEgress, type VirtualNetworkOutput } from "./network.js";
import { networkSecurityGroup, type NetworkSecurityGroupOutput } from "./network-security-group.js";
import { existingGroup, groupOfExisting, ownGroup, type GroupOutput, type GroupLookup } from "../../steps/resource-groups.js";
import { roleAssignments, type CreatedIdentities } from "./role-assignments.js";
import { sameText } from "../../text/same-text.js";
import { Failure } from "../../errors/failure.js";

/** The steps whose outputs the infra document contains. */
export interface DocumentedSteps {
  readonly managedGroup: Step<GroupOutput>;
  readonly publicZone: Step<ZoneOutput>;
  readonly privateZone: Step<ZoneOutput>;
  readonly vnet: Step<VirtualNetworkOutput>;
  readonly nsg: Step<NetworkSecurityGroupOutput>;
}

export interface InfraGraph {
  readonly steps: readonly Step<unknown>[];
  readonly documented: DocumentedSteps;
}

interface InfraGraphOptions {
  /** The identities that other steps of the same run create. */
  readonly createdIdentities?: CreatedIdentities;
}

export function infraGraph(azure: Azure, given: InfraSpec, options: InfraGraphOptions = {}): InfraGraph {
  const { createdIdentities = new Map() } = options;
  const spec: InfraStepSpec = { ...given, lostTags: lostTags(azure, given) };
  const names = infraNames(spec.naming, { ...spec.cluster, baseDomain: spec.baseDomain });
  const place = placeInfra(spec);

  const { subscriptionId, location, cluster: owner, groupTags: tags } = spec;
  const ours = { subscriptionId, location, owner, tags, lostTags: spec.lostTags };
  const managedGroup =
    spec.existingGroup === undefined
      ? ownGroup(azure, ours, "managed-group", place.managed)
      : existingGroup(azure, spec, "managed-group", place.managed);
  const ownGroupNamed = (id: string, name: string) => (sameText(name, place.managed) ? managedGroup : ownGroup(azure, ours, id, name));
  // The same group for two purposes is one step, so that each role is assigned on it once.
  const known = new Map([[idKey(resourceGroupId(spec.subscriptionId, place.managed)), managedGroup]]);
  const groupOf = (id: string, lookup: GroupLookup) => {
    const key = lookup.groupId === undefined ? undefined : idKey(lookup.groupId);
    const step = (key === undefined ? undefined : known.get(key)) ?? groupOfExisting(azure, id, lookup);
    if (key !== undefined) known.set(key, step);
    return step;
  };

  const { balancer, nat, routeTable, outbound } = egressSteps(azure, spec, names, managedGroup);
  const onSubnet = { nat, routeTable };
  const { nsg, vnet, nsgGroup, vnetGroup, ofSubnet } = network(azure, spec, names, place, onSubnet, { ownGroup: ownGroupNamed, groupOf });

  const base = publicZone(azure, spec);
  const zoneGroup = sameText(place.privateZone, place.managed) ? managedGroup : vnetGroup;
  const zone = privateZone(azure, spec, names, zoneGroup);
  const link = privateZoneLink(azure, spec, names, zoneGroup, zone, vnet);

  const dnsGroup = groupOf("dns-group", {
    resource: base,
    flag: place.dns === undefined ? "--base-domain" : "--dns-zone-rg-name",
    groupId: place.dns === undefined ? undefined : resourceGroupId(spec.subscriptionId, place.dns),
  });
  const roles = spec.roles
    ? roleAssignments(azure, spec, spec.roles, {
        groups: { managed: managedGroup, nsg: nsgGroup, vnet: vnetGroup, dns: dnsGroup },
        createdIdentities,
      })
    : [];

  const former = spec.egress.isChosen
    ? [formerEgress(azure, spec, names, managedGroup, { wanted: outbound, users: [vnet, balancer, ...(nat ? [nat] : [])] })]
    : [];
  const ends = [base, balancer, link, nsg, vnet, ...ofSubnet, ...former, ...roles];
  return { steps: withNeeds(ends), documented: { managedGroup, publicZone: base, privateZone: zone, vnet, nsg } };
}

interface EgressSteps extends SubnetEgress {
  readonly balancer: Step<unknown>;
  /** What create makes for outbound connections. */
  readonly outbound: readonly Step<unknown>[];
}

/** The load balancer always exists, because Cluster API and the cloud provider find it by its name. */
function egressSteps(azure: Azure, spec: InfraStepSpec, names: InfraNames, group: Step<GroupOutput>): EgressSteps {
  const { type, addresses: count, natGatewayId, routeTableId } = spec.egress;
  const managed = spec.existingGroup ?? names.groups.managed;
  const prefixes = existingPrefixes(azure, spec, managed);
  const table = routeTableId === undefined ? undefined : existingRouteTable(azure, spec, routeTableId);
  if (type === "user-defined-routing") {
    const none = { addresses: [], prefixes: [] };
    return { balancer: loadBalancer(azure, spec, names, group, none), routeTable: table, outbound: [] };
  }
  if (type === "load-balancer") {
    const addresses = prefixes.length > 0 ? [] : publicIps(azure, spec, names, group, count);
    return { balancer: loadBalancer(azure, spec, names, group, { addresses, prefixes }), outbound: addresses };
  }
  const ofBalancer = publicIps(azure, spec, names, group, 1);
  const balancer = loadBalancer(azure, spec, names, group, { addresses: ofBalancer, prefixes: [] });
  if (natGatewayId !== undefined) return { balancer, nat: existingNatGateway(azure, spec, natGatewayId), outbound: ofBalancer };
  const addresses = prefixes.length > 0 ? [] : natPublicIps(azure, spec, names, group, count);
  const nat = natGateway(azure, spec, names, group, { addresses, prefixes });
  return { balancer, nat, outbound: [...ofBalancer, ...addresses, nat] };
}

interface Network {
  readonly nsg: Step<NetworkSecurityGroupOutput>;
  readonly vnet: Step<VirtualNetworkOutput>;
  /** Their groups, the scopes of role assignments. */
  readonly nsgGroup: Step<GroupOutput>;
  readonly vnetGroup: Step<GroupOutput>;
  /** What an existing subnet needs for the way out. */
  readonly ofSubnet: readonly Step<unknown>[];
}

interface Groups {
  ownGroup(id: string, name: string): Step<GroupOutput>;
  groupOf(id: string, lookup: GroupLookup): Step<GroupOutput>;
}

/** Created or existing. An existing network is never changed, so its network security group exists too. */
function network(azure: Azure, spec: InfraStepSpec, names: InfraNames, place: Placement, egress: SubnetEgress, groups: Groups): Network {
  const nsgId = spec.existing.networkSecurityGroupId;
  const vnetId = existingNetworkId(spec);
  if (vnetId !== undefined) {
    const vnet = existingVirtualNetwork(azure, spec, vnetId);
    const nsg = nsgId === undefined ? securityGroupOfSubnet(azure, spec, vnet) : existingSecurityGroup(azure, spec, nsgId);
    const needsTable = spec.egress.type === "user-defined-routing" && egress.routeTable === undefined;
    return {
      nsg,
      vnet,
      ofSubnet: needsTable ? [routeTableOfSubnet(azure, spec, vnet, networkFlag(spec))] : existingEgress(egress),
      nsgGroup: groups.groupOf("nsg-group", {
        resource: nsg,
        flag: nsgId === undefined ? networkFlag(spec) : "--network-security-group-id",
        groupId: groupIdOf(nsgId),
      }),
      vnetGroup: groups.groupOf("vnet-group", { resource: vnet, flag: networkFlag(spec), groupId: groupIdOf(vnetId) }),
    };
  }
  const vnetGroup = groups.ownGroup("vnet-group", place.vnet);
  if (nsgId !== undefined) {
    const nsg = existingSecurityGroup(azure, spec, nsgId);
    const vnet = virtualNetwork(azure, spec, names, vnetGroup, nsg, egress);
    return {
      nsg,
      vnet,
      nsgGroup: groups.groupOf("nsg-group", { resource: nsg, flag: "--network-security-group-id", groupId: groupIdOf(nsgId) }),
      vnetGroup,
      ofSubnet: [],
    };
  }
  const nsgGroup = groups.ownGroup("nsg-group", place.nsg ?? place.managed);
  const nsg = networkSecurityGroup(azure, spec, names, nsgGroup);
  return { nsg, vnet: virtualNetwork(azure, spec, names, vnetGroup, nsg, egress), nsgGroup, vnetGroup, ofSubnet: [] };
}

/** No step writes an existing subnet, so no other step needs these lookups: they are added to the graph here. */
function existingEgress({ nat, routeTable }: SubnetEgress): readonly Step<NatGatewayOutput | RouteTableOutput>[] {
  return [nat, routeTable].filter((step) => step !== undefined);
}

/** All steps that these steps need, each once, dependencies first. */
function withNeeds(ends: readonly Step<unknown>[]): Step<unknown>[] {
  const all = new Map<string, Step<unknown>>();
  const add = (step: Step<unknown>) => {
    const known = all.get(step.id);
    if (known === step) return;
    if (known !== undefined) throw new Failure("ARO-BUG-001", `two steps have the ID ${step.id}`);
    Object.values(step.declared.needs).forEach(add);
    all.set(step.id, step);
  };
  ends.forEach(add);
  return [...all.values()];
}
