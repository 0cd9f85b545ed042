/** Checks of address ranges, and of the IDs of existing resources: virtual network, subnet, network security group. */
import ipaddr from "ipaddr.js";
import { contains, overlap, ovnNetworks, rangeOf, type Range } from "../domain/address-range.js";
import { hostedPodNetwork, hostedServiceNetwork } from "../domain/hosted-networks.js";
import { takes } from "./commands.js";
import type { Check } from "./option-check.js";
import { Failure } from "../errors/failure.js";
import { isWithin, parentId, parseResourceId, sameType, type ResourceId } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

/** https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq: a virtual network cannot contain these. */
const rejectedByAzure = [
  { range: rangeOf("224.0.0.0/4"), what: "multicast addresses (224.0.0.0/4)" },
  { range: rangeOf("127.0.0.0/8"), what: "loopback addresses (127.0.0.0/8)" },
  { range: rangeOf("169.254.0.0/16"), what: "link-local addresses (169.254.0.0/16)" },
  { range: rangeOf("168.63.129.16/32"), what: "Azure's own DNS address (168.63.129.16)" },
  { range: rangeOf("255.255.255.255/32"), what: "the broadcast address (255.255.255.255)" },
];

/** Defaults that a cluster can change at creation: an overlap is a notice, not a problem. */
const usedByOpenShift = [
  { range: rangeOf(hostedPodNetwork), what: `the pod network that hypershift gives a hosted cluster (${hostedPodNetwork})` },
  { range: rangeOf(hostedServiceNetwork), what: `the service network that hypershift gives a hosted cluster (${hostedServiceNetwork})` },
  { range: rangeOf("10.128.0.0/14"), what: "OpenShift's default pod network (10.128.0.0/14)" },
  { range: rangeOf("172.30.0.0/16"), what: "OpenShift's default service network (172.30.0.0/16)" },
  ...ovnNetworks,
];

/** RFC 1918, and the shared address space of RFC 6598. */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"].map(rangeOf);

/** Azure's largest network or subnet is /2. Its smallest is /29, with five reserved addresses. */
const widestPrefix = 2;
const narrowestPrefix = 29;

export const checkAddressRanges: Check = ({ command, values, problem, notice }) => {
  // An AKS cluster has its own ranges: aks/option-checks/network.ts.
  if (!takes(command, "subnetCidr")) return;
  const check = (key: "vnetCidr" | "subnetCidr"): Range | undefined => {
    const text = values[key];
    const read = text === undefined ? undefined : readRange(text);
    if (typeof read === "string") problem(key, read);
    return typeof read === "object" ? read : undefined;
  };
  const vnet = check("vnetCidr");
  const subnet = check("subnetCidr");
  // An existing network has its own ranges.
  if (vnet === undefined || values.vnetId !== undefined || values.subnetId !== undefined) return;
  if (subnet !== undefined && !contains(vnet, subnet))
    problem("subnetCidr", `${subnet.canonical} is not inside the virtual network, ${vnet.canonical}`);
  for (const { what } of usedByOpenShift.filter(({ range }) => overlap(range, vnet))) {
    notice(`the virtual network ${vnet.canonical} overlaps ${what}; change the cluster's range or --vnet-cidr`);
  }
  if (!privateRanges.some((range) => contains(range, vnet)))
    notice(`the virtual network ${vnet.canonical} is not a private range; it cannot reach hosts on the internet that have these addresses`);
};

/** The range, or its problem. */
export function readRange(text: string): Range | string {
  // ipaddr.js also accepts octal, hexadecimal and shortened addresses, which are never intended.
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})\/(?:0|[1-9]\d?)$/.test(text) || !ipaddr.IPv4.isValidCIDR(text)) {
    return `"${text}" is not an IPv4 CIDR range such as 10.0.0.0/16`;
  }
  const range = rangeOf(text);
  if (text !== range.canonical) return `"${text}" does not start at its network address; did you mean "${range.canonical}"?`;
  if (range.prefix < widestPrefix || range.prefix > narrowestPrefix)
    return `"${text}" is not between /${widestPrefix} and /${narrowestPrefix}, the sizes that Azure accepts`;
  const rejected = rejectedByAzure.find((candidate) => overlap(candidate.range, range));
  return rejected === undefined ? range : `"${text}" contains ${rejected.what}, which Azure rejects`;
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
    problem("subnetId", `is in ${parentId(subnetId) ?? "another virtual network"}, not in the virtual network of --vnet-id`);
  }
  // Azure attaches no resources across subscriptions, and a HostedCluster has a single subscription.
  const [first] = ids.values();
  const subscription = values.subscription ?? first?.subscriptionId;
  for (const [key, id] of ids) {
    const wrong = subscription === undefined ? undefined : otherSubscription(id, subscription);
    if (wrong !== undefined) problem(key, wrong);
  }
};

/** The problem of a resource in another subscription; undefined if it is in the expected one. */
export function otherSubscription({ subscriptionId }: ResourceId, expected: string): string | undefined {
  if (sameText(subscriptionId, expected)) return undefined;
  return `is in subscription ${subscriptionId}, not in ${expected}`;
}

/** `--single-resource-group` puts all resources in one group; that of an existing resource already exists. */
export const checkSingleGroup: Check = ({ values, problem }) => {
  if (values.singleResourceGroup !== true) return;
  for (const key of Object.keys(existingTypes) as ExistingKey[]) {
    const text = values[key];
    const id = text === undefined ? undefined : readId(text, existingTypes[key]);
    if (typeof id !== "object") continue;
    if (values.resourceGroupName === undefined) {
      problem(key, "cannot be in the new group of --single-resource-group; set --resource-group-name to its existing group");
    } else if (!sameText(id.resourceGroup, values.resourceGroupName)) {
      problem(key, `is in resource group "${id.resourceGroup}", but --single-resource-group uses "${values.resourceGroupName}"`);
    }
  }
};

/** The parsed ID, or its problem. */
export function readId(text: string, type: string): ResourceId | string {
  try {
    const id = parseResourceId(text);
    return id.resourceGroup !== undefined && sameType(id.type, type) ? id : `"${text}" is the ID of a ${id.type}; expected a ${type}`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
