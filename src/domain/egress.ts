/** How the workers of a cluster reach the internet, and the SNAT ports that each of them gets. */

/** A NAT gateway on the subnet has precedence over the load balancer. The route table leads through no public address of the cluster. */
export const egressTypes = ["load-balancer", "nat-gateway", "user-defined-routing"] as const;
export type EgressType = (typeof egressTypes)[number];

export interface Egress {
  readonly type: EgressType;
  /** The run changes the egress of an existing cluster, and also removes its previous egress. */
  readonly isChosen: boolean;
  /** ID of the route table of the previous egress, if the run changes it. */
  readonly formerRouteTableId?: string | undefined;
  /** The number of public IP addresses to create for outbound connections. */
  readonly addresses: number;
  /** IDs of existing public IP prefixes, used in place of such addresses. */
  readonly prefixIds: readonly string[];
  /** ID of an existing NAT gateway. */
  readonly natGatewayId: string | undefined;
  /** ID of an existing route table for the created subnet. */
  readonly routeTableId: string | undefined;
  /** The most workers that the ports of the outbound rule must be enough for; undefined for the ports of the hypershift CLI. */
  readonly expectedNodes: number | undefined;
}

/** The egress of `create infra` without any option about it. */
export const defaultEgress: Egress = {
  type: "load-balancer",
  isChosen: false,
  addresses: 1,
  prefixIds: [],
  natGatewayId: undefined,
  routeTableId: undefined,
  expectedNodes: undefined,
};

/** The ports that each public IP address of an outbound rule has for all workers: https://learn.microsoft.com/azure/load-balancer/outbound-rules */
export const portsOfAddress = 64_000;
/** Azure accepts only multiples of this. */
const portStep = 8;
/** The ports that the hypershift CLI sets for each worker. */
const portsOfHypershift = 1024;
/** With fewer ports, a worker soon has none left for connections to one destination. AKS documents the same lower bound for large clusters. */
export const fewestPorts = 64;
/** An outbound rule or a NAT gateway has at most this many addresses, those of prefixes included. */
export const mostAddresses = 16;

/** The names of the public IP addresses, such as `demo-x7k2`, `demo-x7k2-2`, `demo-x7k2-3`. */
export function outboundNames(first: string, count = mostAddresses): string[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? first : `${first}-${String(at + 1)}`));
}

/** The ports of one worker: as many as Azure accepts, if all workers get the same. Below `fewestPorts`, there are too few addresses. */
export function portsPerNode({ expectedNodes }: Pick<Egress, "expectedNodes">, addresses: number): number {
  if (expectedNodes === undefined) return portsOfHypershift;
  const fitting = Math.floor((addresses * portsOfAddress) / expectedNodes / portStep) * portStep;
  return Math.min(fitting, portsOfAddress);
}

export function neededAddresses(expectedNodes: number): number {
  return Math.ceil((expectedNodes * fewestPorts) / portsOfAddress);
}

/** The addresses of a range: 16 for `/28`. */
export function addressesOfPrefix(prefixLength: number): number {
  return 2 ** (32 - prefixLength);
}
