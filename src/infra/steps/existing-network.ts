/** The user's existing network: read and checked, never changed. */
import { advise, blank, shell } from "../../errors/advice.js";
import type { NetworkSecurityGroup, Subnet, VirtualNetwork } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { defineLookup, type Decision, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { groupIdOf, parseResourceId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import type { VirtualNetworkOutput } from "./network.js";
import type { NetworkSecurityGroupOutput } from "./network-security-group.js";
import { sameText } from "../../text/same-text.js";
import { useExisting, refuse } from "../../steps/ownership-decision.js";

const { networkSecurityGroup: securityGroup, virtualNetwork: network, natGateway, routeTable } = resourceTypes;

/** The network security group of `--network-security-group-id`. */
export function existingSecurityGroup(azure: Azure, spec: InfraSpec, id: string): Step<NetworkSecurityGroupOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  return defineLookup({
    id: securityGroup.use.step,
    title: titleOf(securityGroup, name),
    subject: { kind: "resource", type: securityGroup.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).networkSecurityGroups.get(resourceGroup, name)),
    decide: (live: NetworkSecurityGroup | undefined) =>
      useExisting(live, {
        row: securityGroup,
        what: quotedTitleOf(securityGroup, name),
        location: spec.location,
        flag: securityGroup.use.existingFlag,
      }),
    output: (live) => ({ id: live.id ?? id }),
  });
}

/** The network security group of an existing subnet, without `--network-security-group-id`. */
export function securityGroupOfSubnet(azure: Azure, spec: InfraSpec, vnet: Step<ExistingNetworkOutput>): Step<NetworkSecurityGroupOutput> {
  return defineLookup({
    id: securityGroup.use.step,
    title: `the existing subnet's ${securityGroup.label}`,
    subject: { kind: "resource", type: securityGroup.type, existing: true },
    needs: { vnet },
    async read({ vnet: { securityGroupId } }) {
      const { subscriptionId, resourceGroup = "", name } = parseResourceId(securityGroupId);
      return found((await azure.network(subscriptionId)).networkSecurityGroups.get(resourceGroup, name));
    },
    decide: (live: NetworkSecurityGroup | undefined, { vnet: { id: vnetId, securityGroupId } }) =>
      spec.roles?.assigns === true && !sameText(groupIdOf(securityGroupId), groupIdOf(vnetId))
        ? unnamedGroup(securityGroupId)
        : useExisting(live, {
            row: securityGroup,
            what: titleOf(securityGroup, securityGroupId),
            location: spec.location,
            flag: networkFlag(spec),
          }),
    output: (live, { vnet: { securityGroupId } }) => ({ id: live.id ?? securityGroupId }),
  });
}

/** Roles are assigned on the group of the security group, and only the subnet's state in Azure names it. */
function unnamedGroup(securityGroupId: string): Decision {
  return refuse("ARO-USAGE-001", `roles would be assigned on the resource group of ${titleOf(securityGroup, securityGroupId)}`, {
    because: "only the subnet in Azure names that group, and it is not the group of the network",
    next: [`if that is right, pass --network-security-group-id ${securityGroupId}`],
  });
}

/** The flag that specifies the network: the ID of a subnet is enough. */
export function networkFlag({ existing }: InfraSpec): string {
  return existing.vnetId === undefined ? "--subnet-id" : network.use.existingFlag;
}

export interface ExistingNetworkOutput extends VirtualNetworkOutput {
  /** The network security group attached to the subnet. */
  readonly securityGroupId: string;
  /** The route table attached to the subnet, if there is one. */
  readonly routeTableId: string | undefined;
}

/**
 * The network of `--vnet-id` or `--subnet-id`. Without `--subnet-id`, it must have exactly one subnet. The subnet must have a network security group;
 * with `--network-security-group-id`, that one. Rules in any other would have no effect.
 */
export function existingVirtualNetwork(azure: Azure, spec: InfraSpec, id: string): Step<ExistingNetworkOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  const what = quotedTitleOf(network, name);
  return defineLookup({
    id: network.use.step,
    title: titleOf(network, name),
    subject: { kind: "resource", type: network.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).virtualNetworks.get(resourceGroup, name)),
    decide: (live: VirtualNetwork | undefined) =>
      useExisting(live, { row: network, what, location: spec.location, flag: networkFlag(spec) }, (vnet) => {
        const subnet = usableSubnet(what, vnet, spec);
        return subnet instanceof Failure ? subnet : undefined;
      }),
    output(live) {
      const subnet = usableSubnet(what, live, spec);
      // The network is refused, so nothing that depends on it can be checked.
      if (subnet instanceof Failure) throw subnet;
      return {
        id: live.id ?? id,
        subnetId: subnet.id ?? "",
        securityGroupId: subnet.networkSecurityGroup?.id ?? "",
        routeTableId: subnet.routeTable?.id,
      };
    },
  });
}

function usableSubnet(what: string, vnet: VirtualNetwork, spec: InfraSpec): Subnet | Failure {
  const subnet = chooseSubnet(what, vnet, spec);
  return subnet instanceof Failure ? subnet : (wrongSecurityGroup(subnet, spec) ?? wrongEgress(subnet, spec) ?? subnet);
}

/** The subnet of the workers: the specified one, otherwise the only one. */
export function chooseSubnet(what: string, vnet: VirtualNetwork, { existing: { subnetId } }: InfraSpec): Subnet | Failure {
  const subnets = vnet.subnets ?? [];
  const names = subnets.map((subnet) => subnet.name ?? "").join(", ");
  if (subnetId !== undefined) {
    const named = subnets.find((subnet) => subnet.id !== undefined && sameId(subnet.id, subnetId));
    return (
      named ??
      new Failure("ARO-OWN-003", `subnet "${parseResourceId(subnetId).name}" is not in ${what}`, {
        because: names === "" ? "the virtual network has no subnets" : `its subnets are ${names}`,
        next: ["correct --subnet-id"],
      })
    );
  }
  const [only, ...others] = subnets;
  if (only && others.length === 0) return only;
  return new Failure("ARO-OWN-003", only ? `${what} has several subnets` : `${what} has no subnet`, {
    because: only ? `the workers use one of ${names}` : "the workers need one",
    next: [only ? "pass one as --subnet-id" : "add a subnet to it"],
  });
}

/** What the way out needs on an existing subnet, which is never changed. */
function wrongEgress(subnet: Subnet, { egress }: InfraSpec): Failure | undefined {
  const { type, natGatewayId, routeTableId } = egress;
  if (type === "load-balancer") return undefined;
  const [{ label }, live, wanted, option] =
    type === "nat-gateway"
      ? ([natGateway, subnet.natGateway?.id, natGatewayId, "--nat-gateway"] as const)
      : ([routeTable, subnet.routeTable?.id, routeTableId, "--route-table"] as const);
  if (live !== undefined && (wanted === undefined || sameId(live, wanted))) return undefined;
  const attach = shell`az network vnet subnet update --ids ${subnet.id ?? blank("subnet")} ${option} ${wanted ?? blank(label)}`;
  return new Failure("ARO-OWN-003", `subnet "${subnet.name ?? ""}" has ${live === undefined ? "no" : "a different"} ${label}`, {
    because: `${live === undefined ? "" : `${live} is attached to it; `}--egress ${type} needs one, and an existing subnet is never changed`,
    next: [advise`attach it: ${attach}`, "or choose another --egress"],
  });
}

export function wrongSecurityGroup(subnet: Subnet, { existing }: InfraSpec): Failure | undefined {
  const attached = subnet.networkSecurityGroup?.id;
  const wanted = existing.networkSecurityGroupId;
  if (attached !== undefined && (wanted === undefined || sameId(attached, wanted))) return undefined;
  const attach = shell`az network vnet subnet update --ids ${subnet.id ?? blank("subnet")} --network-security-group ${wanted ?? blank("security group")}`;
  return new Failure(
    "ARO-OWN-003",
    `subnet "${subnet.name ?? ""}" has ${attached === undefined ? "no" : "a different"} network security group`,
    {
      because:
        attached === undefined
          ? "the cloud provider's rules have no effect without a network security group, and an existing subnet is never changed"
          : `${attached} is attached to it, not the network security group of --network-security-group-id`,
      next: [advise`attach it: ${attach}`, ...(attached === undefined ? [] : [`or pass --network-security-group-id ${attached}`])],
    },
  );
}
