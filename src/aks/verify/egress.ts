/** Checks of the way out of an AKS cluster: its address, its IP tags, its ports, and the subnets of nodes and pods. */
import type { PublicIPAddress, Subnet, VirtualNetwork } from "@azure/arm-network";
import { advise, shell } from "../../errors/advice.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { rangesOf } from "../../domain/address-range.js";
import { sameIpTags, type IpTag } from "../../domain/ip-tags.js";
import type { ClusterNetworkOutput } from "../steps/network.js";
import { ipTagsOf, ipTagsText } from "../steps/public-address.js";
import { plural } from "../../text/plural.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { fromDecision } from "../../verify/from-plan.js";
import { idOf, liveOf } from "../../verify/planned-step.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { aksChecks } from "./checks.js";
import { aksFlags, clusterIn, mostNodes, type AksSnapshot } from "./snapshot.js";

/** Azure sets the IP tags of an address at its creation; an existing one may have any unless some are wanted. */
export function ipTagCheck(
  { create }: AksSnapshot,
  address: ResourceLinks,
  wanted: readonly IpTag[],
  isExisting: boolean,
): CheckInstance<undefined> {
  return checkInstance(aksChecks["ip-tags"], address.subject, { address: address.sound }, ({ address: seen }) => {
    const has = ipTagsOf(liveOf<PublicIPAddress>(seen));
    if (sameIpTags(has, wanted) || (isExisting && wanted.length === 0)) return passed(ipTagsText(has));
    const refused = fromDecision(seen.decision, create);
    const evidence = `it has the IP tags ${ipTagsText(has)}, not ${ipTagsText(wanted)}, and Azure never changes them`;
    return refused.passed === false ? failed(evidence, refused.next) : refused;
  });
}

/** Before the general comparison of the cluster, which has the address among its properties. */
export function outboundCheck(snapshot: AksSnapshot, cluster: ResourceLinks, address: ResourceLinks): CheckInstance<undefined> {
  const needs = { cluster: cluster.sound, address: address.exists };
  return checkInstance(aksChecks["outbound-address"], address.subject, needs, ({ cluster: seen, address: wanted }) => {
    const wantedId = idOf(wanted) ?? "";
    const { outboundType, loadBalancerProfile } = clusterIn(seen).networkProfile ?? {};
    const idsOf = (list: readonly { readonly id?: string }[] = []) => list.map(({ id = "" }) => id);
    const configured = idsOf(loadBalancerProfile?.outboundIPs?.publicIPs);
    const effective = idsOf(loadBalancerProfile?.effectiveOutboundIPs);
    const isOnly = (ids: readonly string[]) => ids.length === 1 && sameId(ids[0] ?? "", wantedId);
    if (!isOnly(configured)) {
      const has = loadBalancerProfile?.managedOutboundIPs ? "addresses that AKS manages" : namesOf(configured);
      return failed(
        `${outboundType ?? "the load balancer"} is configured with ${has}: services that admit only the wanted address refuse the cluster`,
        advise`${snapshot.create} fixes it`,
      );
    }
    if (isOnly(effective)) return passed(`wanted, configured and effective: ${liveOf<PublicIPAddress>(wanted).ipAddress ?? wantedId}`);
    return failed(
      `it is configured, but the effective ${effective.length === 1 ? "address is" : "addresses are"} ${namesOf(effective)}`,
      advise`let AKS apply its configuration again: ${shell`az aks update ${aksFlags(snapshot)} --yes`}`,
    );
  });
}

function namesOf(ids: readonly string[]): string {
  return ids.length === 0 ? "no address" : ids.map((id) => parseResourceId(id).name).join(", ");
}

/** https://learn.microsoft.com/azure/load-balancer/outbound-rules: of each address, for all nodes together. */
const portsOfAddress = 64_000;
/** What Azure gives to a node by itself, by the number of nodes. */
const automaticPorts = [
  [50, 1024],
  [100, 512],
  [200, 256],
  [400, 128],
  [800, 64],
  [1000, 32],
] as const;
/** With fewer, a node soon has no port left for connections to one destination. */
const fewPorts = 256;

export function snatCheck(snapshot: AksSnapshot, cluster: ResourceLinks, address: ResourceLinks): CheckInstance<undefined> {
  const needs = { cluster: cluster.sound };
  return checkInstance(aksChecks["snat-ports"], address.subject, needs, ({ cluster: seen }): Finding<undefined> => {
    const { agentPoolProfiles = [], networkProfile } = clusterIn(seen);
    const { allocatedOutboundPorts = 0, effectiveOutboundIPs = [] } = networkProfile?.loadBalancerProfile ?? {};
    const nodes = agentPoolProfiles.reduce((sum, pool) => sum + mostNodes(pool), 0);
    const all = effectiveOutboundIPs.length * portsOfAddress;
    const automatic = automaticPorts.find(([most]) => nodes <= most)?.[1] ?? 0;
    const ports = allocatedOutboundPorts === 0 ? automatic : allocatedOutboundPorts;
    const found = `${plural(nodes, "node")} at most, ${plural(ports, "port")} each, of ${String(all)}`;
    if (ports * nodes <= all && ports >= fewPorts) return passed(found);
    // Azure accepts only multiples of 8.
    const fitting = Math.floor(all / Math.max(nodes, 1) / 8) * 8;
    if (fitting < fewPorts)
      return failed(
        `${found}: connections fail when a node has none left`,
        "pass smaller bounds in the pool options, or split the workload over more clusters",
      );
    return failed(
      `${found}: ${ports * nodes > all ? "AKS cannot add all of them" : "connections fail when a node has none left"}`,
      shell`az aks update ${aksFlags(snapshot)} --load-balancer-outbound-ports ${fitting}`,
    );
  });
}

/** Azure reserves the first four addresses and the last one of every subnet. */
const reservedByAzure = 5;

export function subnetCheck(cluster: ResourceLinks, network: ResourceLinks): CheckInstance<undefined> {
  const needs = { cluster: cluster.sound, network: network.sound };
  return checkInstance(aksChecks["subnet-addresses"], network.subject, needs, ({ cluster: seen, network: planned }) => {
    const { nodeSubnetId, podSubnetId } = planned.output?.value as ClusterNetworkOutput;
    const { subnets = [] } = liveOf<VirtualNetwork>(planned);
    const sizeOf = (id: string) => sizeIn(subnets.find((subnet) => sameId(subnet.id ?? "", id)));
    const pools = (clusterIn(seen).agentPoolProfiles ?? []).map((pool) => ({
      // An upgrade adds nodes before it removes others.
      nodes: mostNodes(pool) + surge(pool.upgradeSettings?.maxSurge, mostNodes(pool)),
      pods: pool.maxPods ?? 0,
    }));
    const nodes = pools.reduce((sum, pool) => sum + pool.nodes, 0);
    const pods = pools.reduce((sum, pool) => sum + pool.nodes * pool.pods, 0);
    const needed =
      podSubnetId === undefined
        ? [[nodeSubnetId, nodes + pods] as const]
        : ([
            [nodeSubnetId, nodes],
            [podSubnetId, pods],
          ] as const);
    const found = needed.map(([id, count]) => ({ name: parseResourceId(id).name, count, size: sizeOf(id) }));
    if (found.some(({ size }) => size === undefined)) return notChecked("Azure does not show the ranges of its subnets");
    const text = found.map(({ name, count, size }) => `${name}: ${String(count)} of ${String(size)} usable addresses`).join("; ");
    if (found.every(({ count, size = 0 }) => count <= size)) return passed(`${text}, with ${plural(nodes, "node")} at most`);
    return failed(
      `${text}: ${plural(nodes, "node")} with their pods do not fit, so the autoscaler stops before`,
      "pass smaller bounds or max-pods= in the pool options, or create another cluster with a larger --pod-subnet-cidr",
    );
  });
}

function sizeIn(subnet: Subnet | undefined): number | undefined {
  const prefixes = subnet?.addressPrefixes ?? (subnet?.addressPrefix === undefined ? undefined : [subnet.addressPrefix]);
  return prefixes && rangesOf(prefixes).reduce((sum, { first, last }) => sum + (last - first + 1) - reservedByAzure, 0);
}

/** `10%`, or a number of nodes. */
function surge(text = "1", nodes: number): number {
  return text.endsWith("%") ? Math.ceil((nodes * Number(text.slice(0, -1))) / 100) : Number(text);
}
