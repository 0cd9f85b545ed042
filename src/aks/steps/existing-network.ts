/** An existing network of an AKS cluster, which is read and checked, never changed. */
import { type NetworkSecurityGroupOutput, subnetOf } from "../../infra/index.js";
import type { NetworkSecurityGroup, Subnet, VirtualNetwork } from "@azure/arm-network";
import { found } from "../../azure/long-running.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { parentId, parseResourceId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { useExisting } from "../../steps/ownership-decision.js";
import type { AksContext } from "./context.js";
import { delegates, podDelegation, type ClusterNetworkOutput } from "./network.js";

const { networkSecurityGroup: securityGroupRow, virtualNetwork: networkRow } = resourceTypes;

/** The ID of the virtual network; the ID of a subnet includes it. */
export function existingNetworkId({ existing: { vnetId, nodeSubnetId } }: Pick<AksContext["spec"], "existing">): string | undefined {
  return vnetId ?? (nodeSubnetId === undefined ? undefined : parentId(nodeSubnetId));
}

/** The group of `--network-security-group-id`. */
export function existingNodeSecurityGroup({ azure, spec }: AksContext, id: string): Step<NetworkSecurityGroupOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  return defineLookup({
    id: securityGroupRow.use.step,
    title: titleOf(securityGroupRow, name),
    subject: { kind: "resource", type: securityGroupRow.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).networkSecurityGroups.get(resourceGroup, name)),
    decide: (live: NetworkSecurityGroup | undefined) =>
      useExisting(live, {
        row: securityGroupRow,
        what: quotedTitleOf(securityGroupRow, name),
        location: spec.location,
        flag: securityGroupRow.use.existingFlag,
      }),
    output: (live) => ({ id: live.id ?? id }),
  });
}

/** Without IDs of subnets, those with the names of a created network are used, or the only subnet. With a node subnet alone, pods share it. */
export function existingClusterNetwork({ azure, spec, names }: AksContext, id: string): Step<ClusterNetworkOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  const what = quotedTitleOf(networkRow, name);
  const flag = spec.existing.vnetId === undefined ? "--node-subnet-id" : networkRow.use.existingFlag;
  return defineLookup({
    id: networkRow.use.step,
    title: titleOf(networkRow, name),
    subject: { kind: "resource", type: networkRow.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).virtualNetworks.get(resourceGroup, name)),
    decide: (live: VirtualNetwork | undefined) =>
      useExisting(live, { row: networkRow, what, location: spec.location, flag }, (vnet) => {
        const chosen = chosenSubnets(what, vnet, spec.existing, names);
        return chosen instanceof Failure ? chosen : undefined;
      }),
    output(live) {
      const chosen = chosenSubnets(what, live, spec.existing, names);
      // The network is refused, so nothing that depends on it can be checked.
      if (chosen instanceof Failure) throw chosen;
      return { id: live.id ?? id, nodeSubnetId: chosen.nodes.id ?? "", podSubnetId: chosen.pods?.id };
    },
  });
}

function chosenSubnets(
  what: string,
  vnet: VirtualNetwork,
  { nodeSubnetId, podSubnetId }: AksContext["spec"]["existing"],
  names: AksContext["names"],
): { readonly nodes: Subnet; readonly pods: Subnet | undefined } | Failure {
  const nodes = chosenSubnet(what, vnet, { id: nodeSubnetId, flag: "--node-subnet-id", name: names.nodeSubnet });
  if (nodes instanceof Failure) return nodes;
  if (nodes === undefined) {
    const found = (vnet.subnets ?? []).map((subnet) => subnet.name ?? "").join(", ");
    return new Failure("ARO-OWN-003", found === "" ? `${what} has no subnet` : `${what} has several subnets`, {
      because: found === "" ? "the nodes need one" : `the nodes use one of ${found}`,
      next: [found === "" ? "add a subnet to it" : "pass one as --node-subnet-id"],
    });
  }
  const wrong = delegatedElsewhere(what, nodes, undefined);
  if (wrong) return wrong;
  const isShared = podSubnetId === undefined && (nodeSubnetId !== undefined || subnetOf(vnet, names.podSubnet) === undefined);
  const pods = isShared ? undefined : chosenSubnet(what, vnet, { id: podSubnetId, flag: "--pod-subnet-id", name: names.podSubnet });
  if (pods instanceof Failure) return pods;
  return (pods && delegatedElsewhere(what, pods, podDelegation)) ?? { nodes, pods };
}

/** Undefined if no ID is given and the choice is not clear. */
function chosenSubnet(
  what: string,
  vnet: VirtualNetwork,
  { id, flag, name }: { readonly id: string | undefined; readonly flag: string; readonly name: string },
): Subnet | Failure | undefined {
  const subnets = vnet.subnets ?? [];
  if (id !== undefined) {
    const given = subnets.find((subnet) => subnet.id !== undefined && sameId(subnet.id, id));
    const found = subnets.map((subnet) => subnet.name ?? "").join(", ");
    const because = found === "" ? "the virtual network has no subnets" : `its subnets are ${found}`;
    return (
      given ?? new Failure("ARO-OWN-003", `subnet "${parseResourceId(id).name}" is not in ${what}`, { because, next: [`correct ${flag}`] })
    );
  }
  return subnetOf(vnet, name) ?? (subnets.length === 1 ? subnets[0] : undefined);
}

/** AKS delegates the pod subnet itself; a subnet that is delegated to another service accepts nothing else. */
function delegatedElsewhere(what: string, subnet: Subnet, allowed: string | undefined): Failure | undefined {
  const { delegations = [], name = "" } = subnet;
  if (delegations.length === 0 || (allowed !== undefined && delegates(subnet))) return undefined;
  const services = delegations.map(({ serviceName = "?" }) => serviceName).join(", ");
  return new Failure("ARO-OWN-003", `subnet "${name}" of ${what} is delegated to ${services}`, {
    because:
      allowed === undefined ? "nodes cannot be in a delegated subnet" : `the subnet of pods is delegated to ${allowed} or to nothing`,
    next: [`pass another subnet as ${allowed === undefined ? "--node-subnet-id" : "--pod-subnet-id"}`],
  });
}
