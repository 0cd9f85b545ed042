/** Checks of the address ranges of a management or service cluster, and of the IDs of its existing network. */
import { contains, overlap, type Range } from "../../domain/address-range.js";
import { chosenPools } from "../domain/choices.js";
import { presetFacts } from "../domain/presets.js";
import { isWithin, parentId, sameId } from "../../domain/resource-id.js";
import { plural } from "../../text/plural.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { definesCluster } from "./input.js";
import type { Check, CheckContext } from "../../settings/option-check.js";
import { otherSubscription, readId, readRange } from "../../settings/network-checks.js";
import { aksKindOf } from "../../domain/cluster-kind.js";

const rangeKeys = ["vnetCidr", "nodeSubnetCidr", "podSubnetCidr", "aksServiceCidr"] as const;
type Problem = CheckContext["problem"];
type RangeKey = (typeof rangeKeys)[number];

/** Azure keeps five addresses of each subnet. */
const reservedAddresses = 5;
/** AKS takes a service range of /12 at most, and its tenth address is that of DNS. */
const widestServices = 12;
const narrowestServices = 28;

export const checkAksRanges: Check = ({ command, values, given, problem }) => {
  const kind = aksKindOf(command);
  if (kind === undefined || !definesCluster(values)) return;
  const ranges: Partial<Record<RangeKey, Range>> = {};
  const texts = { ...values, podSubnetCidr: values.podSubnetCidr ?? presetFacts[values.preset].podSubnetCidr };
  for (const key of rangeKeys) {
    const text = texts[key];
    const read = text === undefined ? undefined : readRange(text);
    if (typeof read === "string") problem(key, read);
    else if (read !== undefined) ranges[key] = read;
  }
  const { vnetCidr: vnet, nodeSubnetCidr: nodes, podSubnetCidr: pods } = ranges;
  const services = usableServices(ranges.aksServiceCidr, problem);
  // An existing network has its own ranges.
  if (values.nodeSubnetId !== undefined || values.vnetId !== undefined) return;
  const subnets = [
    { key: "nodeSubnetCidr", what: "node subnet", range: nodes },
    { key: "podSubnetCidr", what: "pod subnet", range: pods },
  ] as const;
  for (const { key, what, range } of subnets) {
    if (range === undefined) continue;
    const its = given(key) ? "" : "its default ";
    if (vnet && !contains(vnet, range)) problem(key, `${its}${range.canonical} is not inside the virtual network, ${vnet.canonical}`);
    if (services && overlap(services, range))
      problem("aksServiceCidr", `${services.canonical} overlaps the ${what}, ${range.canonical}; AKS refuses that`);
  }
  if (nodes && pods && overlap(nodes, pods)) problem("podSubnetCidr", `${pods.canonical} overlaps the node subnet, ${nodes.canonical}`);
  checkPoolsFit(chosenPools(kind, values), { nodes, pods }, problem);
};

function usableServices(range: Range | undefined, problem: Problem): Range | undefined {
  if (range === undefined || (range.prefix >= widestServices && range.prefix <= narrowestServices)) return range;
  problem("aksServiceCidr", `"${range.canonical}" is not between /${widestServices} and /${narrowestServices}, the sizes that AKS accepts`);
  return undefined;
}

interface Ranges {
  readonly nodes: Range | undefined;
  readonly pods: Range | undefined;
}

/** One more node of each pool fits during an upgrade. Without a pod subnet, a node takes the addresses of all pods that it can have. */
function checkPoolsFit({ pools, problems }: ReturnType<typeof chosenPools>, { nodes, pods }: Ranges, problem: Problem): void {
  if (problems.length > 0 || pools.length === 0) return;
  const count = (each: (maxPods: number) => number) =>
    pools.reduce((sum, { maxCount, maxPods }) => sum + (maxCount + 1) * each(maxPods), 0);
  const sizeOf = ({ first, last }: Range) => last - first + 1 - reservedAddresses;
  const wanted = [
    { key: "podSubnetCidr", range: pods, needed: count((maxPods) => maxPods) },
    { key: "nodeSubnetCidr", range: nodes, needed: pods === undefined ? count((maxPods) => maxPods + 1) : count(() => 1) },
  ] as const;
  for (const { key, range, needed } of wanted) {
    if (range === undefined || sizeOf(range) >= needed) continue;
    problem(
      key,
      `${range.canonical} has room for ${sizeOf(range)}, but the nodes and pods of the agent pools can need ${plural(needed, "address", "addresses")}; use a larger range or smaller pools`,
    );
  }
}

const { virtualNetwork, subnet, publicIpAddress } = resourceTypes;

/** AKS takes its network from its own subscription. */
export const checkAksNetworkIds: Check = ({ command, values, given, problem, incomplete }) => {
  if (aksKindOf(command) === undefined) return;
  const { vnetId, nodeSubnetId, podSubnetId, outboundIpId, subscription } = values;
  const valid = new Set<string>();
  for (const [key, type] of [
    ["nodeSubnetId", subnet.type],
    ["podSubnetId", subnet.type],
    ["outboundIpId", publicIpAddress.type],
  ] as const) {
    const text = { nodeSubnetId, podSubnetId, outboundIpId }[key];
    if (text === undefined) continue;
    const id = readId(text, type);
    const wrong = typeof id === "string" ? id : subscription === undefined ? undefined : otherSubscription(id, subscription);
    if (wrong === undefined) valid.add(key);
    else problem(key, wrong);
  }
  if (vnetId !== undefined && nodeSubnetId === undefined)
    incomplete("vnetId", "requires --node-subnet-id: an existing virtual network is never changed, so no subnet is added to it");
  if (podSubnetId !== undefined && nodeSubnetId === undefined) incomplete("podSubnetId", "requires --node-subnet-id");
  const network = vnetId ?? (nodeSubnetId !== undefined && valid.has("nodeSubnetId") ? parentId(nodeSubnetId) : undefined);
  if (network !== undefined && typeof readId(network, virtualNetwork.type) === "object") {
    for (const [key, id] of [
      ["nodeSubnetId", nodeSubnetId],
      ["podSubnetId", podSubnetId],
    ] as const) {
      if (id !== undefined && valid.has(key) && !isWithin(id, network))
        problem(key, `is in ${parentId(id) ?? "another virtual network"}, not in ${network}`);
    }
  }
  if (nodeSubnetId !== undefined && podSubnetId !== undefined && sameId(nodeSubnetId, podSubnetId))
    problem("podSubnetId", "is the node subnet; nodes and pods need two, or omit it");
  if (nodeSubnetId === undefined) return;
  for (const key of ["vnetCidr", "nodeSubnetCidr", "podSubnetCidr"] as const) {
    if (given(key) && !(key === "vnetCidr" && vnetId !== undefined))
      problem(key, "cannot be combined with --node-subnet-id: it applies only to a new virtual network");
  }
};
