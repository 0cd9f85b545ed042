/** IPv4 address ranges, and those that OpenShift uses inside a cluster. */
import ipaddr from "ipaddr.js";

/** First and last address as numbers. */
export interface Range {
  readonly first: number;
  readonly last: number;
  readonly prefix: number;
  /** Azure's form: the network address with the prefix length. */
  readonly canonical: string;
}

/** Networks that OVN-Kubernetes reserves on every node. */
export const ovnNetworks = [
  { range: rangeOf("100.64.0.0/16"), what: "OVN-Kubernetes' join network (100.64.0.0/16)" },
  { range: rangeOf("100.88.0.0/16"), what: "OVN-Kubernetes' transit network (100.88.0.0/16)" },
] as const;

/** @throws if the text is not an IPv4 range */
export function rangeOf(cidr: string): Range {
  const network = ipaddr.IPv4.networkAddressFromCIDR(cidr);
  const [, prefix] = ipaddr.IPv4.parseCIDR(cidr);
  return {
    first: numberOf(network),
    last: numberOf(ipaddr.IPv4.broadcastAddressFromCIDR(cidr)),
    prefix,
    canonical: `${network.toString()}/${prefix}`,
  };
}

/** The IPv4 ranges of a dual-stack list. */
export function rangesOf(cidrs: readonly string[]): Range[] {
  return cidrs.filter((cidr) => ipaddr.IPv4.isValidCIDR(cidr)).map(rangeOf);
}

function numberOf(address: ipaddr.IPv4): number {
  return address.octets.reduce((sum, octet) => sum * 256 + octet, 0);
}

/** The first /24 of a network, or a smaller network itself. */
export function firstSubnet({ canonical, prefix }: Range): string {
  return canonical.replace(/\d+$/, String(Math.max(prefix, 24)));
}

/** The tenth address of a range of Kubernetes services, which AKS's users give to DNS. */
export function dnsServiceIp(cidr: string): string {
  const { first } = rangeOf(cidr);
  const address = first + 10;
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

export function contains(outer: Range, inner: Range): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

export function overlap(a: Range, b: Range): boolean {
  return a.first <= b.last && b.first <= a.last;
}
