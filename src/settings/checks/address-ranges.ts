/** The address ranges of the network that is made. */
import ipaddr from "ipaddr.js";
import { contains, overlap, ovnNetworks, rangeOf, type Range } from "../../domain/address-range.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../../domain/hosted-networks.js";
import type { Check } from "./check.js";

/** https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: these cannot be part of a network. */
const refusedByAzure = [
  { range: rangeOf("224.0.0.0/4"), what: "multicast addresses (224.0.0.0/4)" },
  { range: rangeOf("127.0.0.0/8"), what: "loopback addresses (127.0.0.0/8)" },
  { range: rangeOf("169.254.0.0/16"), what: "link-local addresses (169.254.0.0/16)" },
  { range: rangeOf("168.63.129.16/32"), what: "Azure's own DNS address (168.63.129.16)" },
  { range: rangeOf("255.255.255.255/32"), what: "the broadcast address" },
];

/** Defaults that can be changed when a cluster is created: an overlap is worth a word, no refusal. */
const takenByOpenShift = [
  { range: rangeOf(hostedPodNetwork), what: `the pod network that hypershift gives a hosted cluster (${hostedPodNetwork})` },
  { range: rangeOf(hostedServiceNetwork), what: `the service network that hypershift gives a hosted cluster (${hostedServiceNetwork})` },
  { range: rangeOf("10.128.0.0/14"), what: "OpenShift's default pod network (10.128.0.0/14)" },
  { range: rangeOf("172.30.0.0/16"), what: "OpenShift's default service network (172.30.0.0/16)" },
  ...ovnNetworks,
];

/** RFC 1918, and RFC 6598's shared space. */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"].map(rangeOf);

/** Azure's largest network or subnet is /2; its smallest is /29, of which it keeps five addresses to itself. */
const widestPrefix = 2;
const narrowestPrefix = 29;

export const checkAddressRanges: Check = ({ values, problem, notice }) => {
  const check = (key: "vnetCidr" | "subnetCidr"): Range | undefined => {
    const text = values[key];
    const read = text === undefined ? undefined : readRange(text);
    if (typeof read === "string") problem(key, read);
    return typeof read === "object" ? read : undefined;
  };
  const vnet = check("vnetCidr");
  const subnet = check("subnetCidr");
  if (vnet === undefined) return;
  if (subnet !== undefined && !contains(vnet, subnet))
    problem("subnetCidr", `${subnet.canonical} is not inside the network, ${vnet.canonical}`);
  for (const { what } of takenByOpenShift.filter(({ range }) => overlap(range, vnet))) {
    notice(`the network ${vnet.canonical} overlaps ${what}: give the cluster others, or choose another --vnet-cidr`);
  }
  if (!privateRanges.some((range) => contains(range, vnet)))
    notice(`the network ${vnet.canonical} is not a private range: hosts on the internet with these addresses cannot be reached`);
};

/** The range, or what is wrong with it. */
function readRange(text: string): Range | string {
  // ipaddr.js also reads octal, hexadecimal and shortened addresses, which people do not mean.
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})\/(?:0|[1-9]\d?)$/.test(text) || !ipaddr.IPv4.isValidCIDR(text)) {
    return `"${text}" is not an IPv4 range such as 10.0.0.0/16`;
  }
  const range = rangeOf(text);
  if (text !== range.canonical) return `"${text}" does not begin at its network address; did you mean "${range.canonical}"?`;
  if (range.prefix < widestPrefix || range.prefix > narrowestPrefix)
    return `"${text}" is not between /${widestPrefix} and /${narrowestPrefix}, which Azure takes`;
  const refused = refusedByAzure.find((candidate) => overlap(candidate.range, range));
  return refused === undefined ? range : `"${text}" holds ${refused.what}, which Azure refuses`;
}
