/** The network that a create makes for an AKS cluster: security group, virtual network, and subnets. */
import { otherRange, subnetOf, writable, type NetworkSecurityGroupOutput } from "../../infra/index.js";
import type { NetworkSecurityGroup, Subnet, VirtualNetwork } from "@azure/arm-network";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import type { Change, Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import { defineInGroup } from "../../steps/in-group.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import { failedState } from "../../steps/provisioning-state.js";
import { withoutOptionTags } from "../../domain/option-tags.js";
import { removedOptionTags } from "../../steps/tag-changes.js";
import type { AksContext } from "./context.js";

export interface ClusterNetworkOutput {
  readonly id: string;
  readonly nodeSubnetId: string;
  /** Undefined: nodes and pods share the node subnet. */
  readonly podSubnetId: string | undefined;
}

/** The delegation of the subnet from which AKS gives addresses to pods. */
export const podDelegation = "Microsoft.ContainerService/managedClusters";

/** Created empty: each rule is a part of its own. */
export function nodeSecurityGroup({ azure, spec, names, group, securityGroup }: AksContext): Step<NetworkSecurityGroupOutput> {
  const row = resourceTypes.networkSecurityGroup;
  const { cluster: owner, location } = spec;
  const name = names.securityGroup;
  const wanted: NetworkSecurityGroup = { location, tags: ownershipTags(owner) };
  return defineInGroup({
    row,
    names: [name],
    needs: { group },
    async read({ group: { name: groupName } }) {
      const live = await found((await azure.network()).networkSecurityGroups.get(groupName, name));
      void securityGroup.start(() => Promise.resolve(live));
      return live;
    },
    wanted: () => wanted,
    decide: (live) => decideOwned(live, { row, name, owner, location }, ({ tags }) => removedOptionTags(tags)),
    async apply(live, { group: { name: groupName } }): Promise<NetworkSecurityGroup> {
      const { networkSecurityGroups } = await azure.network();
      const whole =
        live === undefined
          ? wanted
          : { ...live, tags: withoutOptionTags(live.tags), securityRules: (live.securityRules ?? []).map(writable) };
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        networkSecurityGroups.beginCreateOrUpdate(groupName, name, whole, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}

/** Creates the network with its subnets in one PUT. Later, each subnet is written alone, so that those of others stay. */
export function clusterNetwork(
  { azure, spec, names, group }: AksContext,
  securityGroup: Step<NetworkSecurityGroupOutput>,
): Step<ClusterNetworkOutput> {
  const row = resourceTypes.virtualNetwork;
  const { cluster: owner, location, network } = spec;
  const name = names.vnet;
  const what = quotedTitleOf(row, name);
  const wantedSubnets = ({ id }: NetworkSecurityGroupOutput) => subnets(spec.network, names, id);
  const wanted = (nsg: NetworkSecurityGroupOutput): VirtualNetwork => ({
    location,
    tags: ownershipTags(owner),
    addressSpace: { addressPrefixes: [network.vnetCidr] },
    subnets: wantedSubnets(nsg).map(({ body }) => body),
  });
  return defineInGroup({
    row,
    names: [name],
    needs: { group, securityGroup },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).virtualNetworks.get(groupName, name)),
    wanted: (outputs) => wanted(outputs.securityGroup),
    decide: (live, outputs) =>
      decideOwned(live, { row, name, owner, location }, (vnet) => {
        const prefixes = vnet.addressSpace?.addressPrefixes ?? [];
        if (!prefixes.includes(network.vnetCidr)) return otherRange(what, prefixes, network.vnetCidr, "--vnet-cidr");
        const found = wantedSubnets(outputs.securityGroup).map((one) => subnetDifferences(what, vnet, one));
        return found.find((one) => one instanceof Failure) ?? found.flatMap((one) => (one instanceof Failure ? [] : one));
      }),
    async apply(live, outputs): Promise<VirtualNetwork> {
      const { virtualNetworks, subnets: client } = await azure.network();
      const groupName = outputs.group.name;
      if (!live || failedState(live) !== undefined) {
        const whole = live === undefined ? wanted(outputs.securityGroup) : repaired(live, wantedSubnets(outputs.securityGroup));
        return finish(azure, expectedDuration("PUT", row.type), (options) =>
          virtualNetworks.beginCreateOrUpdate(groupName, name, whole, ifUnchanged(live?.etag, options)),
        );
      }
      let current = live;
      for (const one of wantedSubnets(outputs.securityGroup)) {
        const differing = subnetDifferences(what, current, one);
        if (differing instanceof Failure || differing.length === 0) continue;
        const before = subnetOf(current, one.name);
        const body = before === undefined ? one.body : merged(before, one.body);
        const written = await finish(azure, expectedDuration("PUT", `${row.type}/subnets`), (options) =>
          client.beginCreateOrUpdate(groupName, name, one.name, body, ifUnchanged(before?.etag, options)),
        );
        current = { ...current, subnets: [...(current.subnets ?? []).filter((other) => other !== before), written] };
      }
      return current;
    },
    output: (id) => ({
      id,
      nodeSubnetId: `${id}/subnets/${names.nodeSubnet}`,
      podSubnetId: network.podSubnetCidr === undefined ? undefined : `${id}/subnets/${names.podSubnet}`,
    }),
  });
}

interface WantedSubnet {
  readonly name: string;
  readonly flag: `--${string}`;
  readonly cidr: string;
  readonly body: Subnet;
}

/** The subnets have no default outbound access: what leaves the cluster has the address of its load balancer. */
function subnets(network: AksContext["spec"]["network"], names: AksContext["names"], securityGroupId: string): readonly WantedSubnet[] {
  const common: Subnet = { defaultOutboundAccess: false, serviceEndpoints: [{ service: "Microsoft.Storage" }] };
  const { nodeSubnetCidr, podSubnetCidr } = network;
  const nodes: Subnet = { ...common, name: names.nodeSubnet, addressPrefix: nodeSubnetCidr, networkSecurityGroup: { id: securityGroupId } };
  const ofNodes = { name: names.nodeSubnet, flag: "--node-subnet-cidr", cidr: nodeSubnetCidr, body: nodes } as const;
  if (podSubnetCidr === undefined) return [ofNodes];
  const delegations = [{ name: "aks", serviceName: podDelegation }];
  const pods: Subnet = { ...common, name: names.podSubnet, addressPrefix: podSubnetCidr, delegations };
  return [ofNodes, { name: names.podSubnet, flag: "--pod-subnet-cidr", cidr: podSubnetCidr, body: pods }];
}

function subnetDifferences(network: string, vnet: VirtualNetwork, { name, flag, cidr, body }: WantedSubnet): Change[] | Failure {
  const path = `subnets[${name}]`;
  const live = subnetOf(vnet, name);
  if (live === undefined) return [{ path, from: undefined, to: cidr }];
  const ranges = live.addressPrefixes ?? (live.addressPrefix === undefined ? [] : [live.addressPrefix]);
  if (!ranges.includes(cidr)) return otherRange(`subnet "${name}" of ${network}`, ranges, cidr, flag);
  const changes: Change[] = [];
  const attached = body.networkSecurityGroup?.id;
  if (attached !== undefined && !sameId(live.networkSecurityGroup?.id ?? "", attached))
    changes.push({ path: `${path}.networkSecurityGroup`, from: live.networkSecurityGroup?.id, to: attached });
  if (body.delegations !== undefined && !delegates(live))
    changes.push({ path: `${path}.delegations`, from: live.delegations?.map(({ serviceName }) => serviceName), to: podDelegation });
  if (live.defaultOutboundAccess !== false)
    changes.push({ path: `${path}.defaultOutboundAccess`, from: live.defaultOutboundAccess, to: false });
  for (const { service } of body.serviceEndpoints ?? []) {
    if (live.serviceEndpoints?.some((one) => one.service === service) !== true)
      changes.push({ path: `${path}.serviceEndpoints`, from: live.serviceEndpoints?.map((one) => one.service), to: service });
  }
  return changes;
}

/** Whether AKS may give addresses of it to pods. */
export function delegates({ delegations = [] }: Subnet): boolean {
  return delegations.some(({ serviceName }) => serviceName?.toLowerCase() === podDelegation.toLowerCase());
}

/** The subnet with what is ours; what others added to it stays. */
function merged(live: Subnet, { networkSecurityGroup, delegations, serviceEndpoints = [], defaultOutboundAccess }: Subnet): Subnet {
  const lacking = serviceEndpoints.filter(({ service }) => live.serviceEndpoints?.some((one) => one.service === service) !== true);
  return {
    ...writable(live),
    ...(networkSecurityGroup && { networkSecurityGroup }),
    ...(delegations && !delegates(live) && { delegations }),
    ...(defaultOutboundAccess !== undefined && { defaultOutboundAccess }),
    serviceEndpoints: [...(live.serviceEndpoints ?? []), ...lacking],
  };
}

/** The whole network of a failed operation, with our subnets as wanted. */
function repaired(live: VirtualNetwork, wanted: readonly WantedSubnet[]): VirtualNetwork {
  const ours = wanted.map(({ name, body }) => {
    const before = subnetOf(live, name);
    return before === undefined ? body : merged(before, body);
  });
  const isOurs = (subnet: Subnet) => wanted.some(({ name }) => subnetOf({ subnets: [subnet] }, name) !== undefined);
  return { ...live, subnets: [...(live.subnets ?? []).filter((subnet) => !isOurs(subnet)).map(writable), ...ours] };
}
