/** How the workers of an existing cluster reach the internet, read from its load balancer, its NAT gateway and its subnet. */
import type { LoadBalancer, Subnet } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { addressesOfPrefix, fewestPorts, outboundNames, portsOfAddress, portsPerNode } from "../../domain/egress.js";
import { infraNames, type ClusterKey } from "../../domain/names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { RecordedOptions } from "../../files/recorded-options.js";
import { sameText } from "../../text/same-text.js";

type EgressOptions = Pick<
  RecordedOptions,
  "egress" | "outboundAddresses" | "publicIpPrefixId" | "natGatewayId" | "routeTableId" | "expectedNodes"
>;

interface Place {
  readonly id: string;
  readonly name: string;
}

export interface EgressFacts {
  readonly cluster: ClusterKey;
  readonly given: RecordedOptions;
  readonly network: "own" | "existing" | "unknown";
  /** The subnet of the workers in the cluster's own network. */
  readonly subnet: Subnet | undefined;
  readonly balancer: Place | undefined;
  readonly natGateway: Place | undefined;
  /** Names of the cluster's addresses. */
  readonly addresses: readonly string[];
  /** The ID, if it is not of a resource of the cluster. */
  ofOthers(id: string | undefined): string | undefined;
}

/** Without a load balancer, nothing shows the egress, except for an own NAT gateway. */
export async function derivedEgress(azure: Azure, facts: EgressFacts): Promise<EgressOptions> {
  const { cluster, given, network, subnet, ofOthers } = facts;
  const names = infraNames("documented", { ...cluster, baseDomain: "" });
  const natGatewayId = ofOthers(subnet?.natGateway?.id);
  const none = { publicIpPrefixId: [], natGatewayId: undefined, routeTableId: undefined };
  if (natGatewayId !== undefined) return { ...none, egress: "nat-gateway", outboundAddresses: 1, natGatewayId };
  if (facts.natGateway !== undefined) {
    const gateway = await readGateway(azure, facts.natGateway.id);
    const publicIpPrefixId = (gateway?.publicIpPrefixes ?? []).flatMap(({ id }) => id ?? []);
    return { ...none, egress: "nat-gateway", outboundAddresses: highest(names.natPublicIp, facts.addresses), publicIpPrefixId };
  }
  const balancer = facts.balancer && (await readBalancer(azure, facts.balancer.id));
  if (balancer === undefined || network === "unknown") return {};
  const own = outboundNames(names.loadBalancer);
  const frontends = (balancer.frontendIPConfigurations ?? []).filter(({ name }) => own.some((one) => sameText(one, name)));
  const publicIpPrefixId = frontends.flatMap(({ publicIPPrefix }) => publicIPPrefix?.id ?? []);
  const hasAddress = facts.addresses.some((name) => outboundNames(names.publicIp).some((one) => sameText(one, name)));
  const routeTableId = subnet?.routeTable?.id;
  if (!hasAddress && publicIpPrefixId.length === 0 && (network === "existing" || routeTableId !== undefined)) {
    return { ...none, egress: "user-defined-routing", outboundAddresses: 1, routeTableId };
  }
  // Only the subnet, which is not known, would show the NAT gateway of an existing network.
  if (network === "existing" && given.egress === "nat-gateway") return {};
  const outboundAddresses = publicIpPrefixId.length === 0 ? highest(names.publicIp, facts.addresses) : 1;
  const count = publicIpPrefixId.length === 0 ? outboundAddresses : await addressesIn(azure, publicIpPrefixId);
  const ports = balancer.outboundRules?.find(({ name }) => sameText(name, names.loadBalancer))?.allocatedOutboundPorts;
  return {
    ...none,
    egress: "load-balancer",
    outboundAddresses,
    publicIpPrefixId,
    ...(ports !== undefined && ports >= fewestPorts && { expectedNodes: expectedNodesOf(ports, count, given.expectedNodes) }),
  };
}

/** The number at the end of the last name, so that a name before it may be missing. */
function highest(first: string, addresses: readonly string[]): number {
  return Math.max(1, ...outboundNames(first).map((name, at) => (addresses.some((one) => sameText(one, name)) ? at + 1 : 1)));
}

/** Several numbers of workers get the same ports: the given one, if it does; none, if that does; or the largest. */
function expectedNodesOf(ports: number, addresses: number, given: number | undefined): number | undefined {
  const fits = (expectedNodes: number | undefined) => portsPerNode({ expectedNodes }, addresses) === ports;
  if (given !== undefined && fits(given)) return given;
  return fits(undefined) ? undefined : Math.floor((addresses * portsOfAddress) / ports);
}

async function readBalancer(azure: Azure, id: string): Promise<LoadBalancer | undefined> {
  const { resourceGroup = "", name } = parseResourceId(id);
  return found((await azure.network()).loadBalancers.get(resourceGroup, name));
}

async function readGateway(azure: Azure, id: string) {
  const { resourceGroup = "", name } = parseResourceId(id);
  return found((await azure.network()).natGateways.get(resourceGroup, name));
}

async function addressesIn(azure: Azure, prefixes: readonly string[]): Promise<number> {
  const { publicIPPrefixes } = await azure.network();
  const lengths = await Promise.all(
    prefixes.map(async (id) => {
      const { resourceGroup = "", name } = parseResourceId(id);
      return (await found(publicIPPrefixes.get(resourceGroup, name)))?.prefixLength ?? 32;
    }),
  );
  return lengths.reduce((sum, length) => sum + addressesOfPrefix(length), 0);
}
