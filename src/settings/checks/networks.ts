/** Checks of address ranges, and of existing resources that are used: a network, a subnet, a security group, a resource group. */
import ipaddr from "ipaddr.js";
import { contains, overlap, ovnNetworks, rangeOf, type Range } from "../../domain/address-range.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../../domain/hosted-networks.js";
import type { Check } from "./check.js";
import { Failure } from "../../errors/failure.js";
import { isWithin, parentId, parseResourceId, sameType, type ResourceId } from "../../domain/resource-id.js";

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

const existingTypes = {
  vnetId: "Microsoft.Network/virtualNetworks",
  subnetId: "Microsoft.Network/virtualNetworks/subnets",
  networkSecurityGroupId: "Microsoft.Network/networkSecurityGroups",
} as const;

type ExistingKey = keyof typeof existingTypes;

export const checkExistingIds: Check = ({ values, problem }) => {
  const ids = new Map<ExistingKey, ResourceId>();
  for (const [key, type] of Object.entries(existingTypes) as [ExistingKey, string][]) {
    const text = values[key];
    if (text === undefined) continue;
    const id = readId(text, type);
    if (typeof id === "string") problem(key, id);
    else ids.set(key, id);
  }
  const { vnetId, subnetId } = values;
  if (vnetId !== undefined && subnetId !== undefined && ids.has("vnetId") && ids.has("subnetId") && !isWithin(subnetId, vnetId)) {
    problem("subnetId", `the subnet is in ${parentId(subnetId) ?? "another network"}, not in the network that --vnet-id names`);
  }
  // Azure attaches nothing across subscriptions, and a HostedCluster names one for all.
  const [first] = ids.values();
  const subscription = values.subscription ?? first?.subscriptionId;
  for (const [key, id] of ids) {
    const wrong = subscription === undefined ? undefined : otherSubscription(id, subscription);
    if (wrong !== undefined) problem(key, wrong);
  }
};

/** That an id is of another subscription, in words; undefined where it is not. */
export function otherSubscription({ subscriptionId }: ResourceId, wanted: string): string | undefined {
  if (subscriptionId.toLowerCase() === wanted.toLowerCase()) return undefined;
  return `is in subscription ${subscriptionId}, not in ${wanted}`;
}

/** `--single-resource-group` puts everything in one group: with an existing resource, that is an existing group. */
export const checkSingleGroup: Check = ({ values, problem }) => {
  if (values.singleResourceGroup !== true) return;
  for (const key of Object.keys(existingTypes) as ExistingKey[]) {
    const text = values[key];
    const id = text === undefined ? undefined : readId(text, existingTypes[key]);
    if (typeof id !== "object") continue;
    if (values.resourceGroupName === undefined) {
      problem(key, "cannot be in the group that --single-resource-group makes; name the existing group with --resource-group-name");
    } else if (id.resourceGroup?.toLowerCase() !== values.resourceGroupName.toLowerCase()) {
      problem(key, `is in group "${id.resourceGroup}", --single-resource-group puts everything into "${values.resourceGroupName}"`);
    }
  }
};

/** The id, or what is wrong with it. */
function readId(text: string, type: string): ResourceId | string {
  try {
    const id = parseResourceId(text);
    return id.resourceGroup !== undefined && sameType(id.type, type) ? id : `"${text}" is the id of a ${id.type}, expected a ${type}`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
