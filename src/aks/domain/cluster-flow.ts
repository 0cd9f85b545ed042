/** Who can reach AKS clusters, through which rules and addresses, and what they reach. */
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import { kindFacts, type AksClusterKey } from "../../domain/cluster-kind.js";
import { inboundRules, type InboundRule, type RuleChoices } from "./ingress-rules.js";
import { formatIpTags, type IpTag } from "../../domain/ip-tags.js";

/** The known facts of one cluster; unknown values are omitted. */
export interface ClusterFacts extends AksClusterKey {
  readonly location: string | undefined;
  readonly securityGroup: string | undefined;
  readonly egress: readonly AddressFacts[];
  /** Its own addresses. Without one, Kubernetes makes the address of a management cluster's shared ingress. */
  readonly ingress: readonly (AddressFacts & { readonly purpose: "ingress" | "ops" })[];
  /** Tags of the address that Kubernetes makes. */
  readonly sharedIngressTags: readonly IpTag[];
  /** Undefined: no rules of an ingress. */
  readonly rules: RuleChoices | undefined;
  /** Client ID of the add-on's identity, and names of the vaults that it reads. */
  readonly addOnClientId: string | undefined;
  readonly vaults: readonly string[];
  readonly etcdKeyId: string | undefined;
}

export interface AddressFacts {
  readonly name: string;
  readonly ipAddress: string | undefined;
  readonly ipTags: readonly IpTag[];
}

export type ClusterFlowKind = "source" | "rule" | "address" | "cluster" | "exit" | "reached";

interface ClusterFlowNode {
  /** Unique in the flow: `management-cluster/mgmt/rule/kas-443-in-internet`. */
  readonly id: string;
  readonly kind: ClusterFlowKind;
  /** The first line is its name. */
  readonly lines: readonly string[];
}

export interface ClusterFlow {
  readonly title: string;
  readonly groups: readonly { readonly id: string; readonly title: string; readonly nodes: readonly ClusterFlowNode[] }[];
  readonly arrows: readonly { readonly from: string; readonly to: string }[];
}

/** A path into or out of a cluster, from left to right. */
type Path = readonly ClusterFlowNode[];

const columns: Readonly<Record<ClusterFlowKind, string>> = {
  source: "from",
  rule: "inbound rules",
  address: "ingress addresses",
  cluster: "clusters",
  exit: "ways out",
  reached: "to",
};

export function clusterFlow(clusters: readonly ClusterFacts[]): ClusterFlow {
  const paths = clusters.flatMap((cluster) => [...inbound(cluster), ...outbound(cluster)]);
  const nodes = [...new Map(paths.flat().map((node) => [node.id, node])).values()];
  const arrows = paths.flatMap((path) => path.slice(1).map((to, index) => ({ from: path[index]?.id ?? "", to: to.id })));
  const groups = (Object.keys(columns) as ClusterFlowKind[]).map((kind) => {
    return { id: kind, title: columns[kind], nodes: nodes.filter((node) => node.kind === kind) };
  });
  return {
    title: `traffic of ${clusters.map((cluster) => `${kindFacts[cluster.kind].label} ${cluster.name}`).join(" and ")}`,
    groups: groups.filter((group) => group.nodes.length > 0),
    arrows: [...new Map(arrows.map((arrow) => [`${arrow.from} ${arrow.to}`, arrow])).values()],
  };
}

function inbound(cluster: ClusterFacts): Path[] {
  return inboundRules(cluster.kind, cluster.rules).flatMap((rule) => {
    const ruleNode = nodeOf(
      cluster,
      "rule",
      rule.name,
      `priority ${String(rule.priority)}`,
      `TCP ${rule.port}`,
      ...defined(cluster.securityGroup),
    );
    return addressesOf(cluster, rule).map((address) => [sourceOf(rule), ruleNode, address, clusterNode(cluster)]);
  });
}

/** The addresses that the rule opens. */
function addressesOf(cluster: ClusterFacts, { target }: InboundRule): ClusterFlowNode[] {
  const own = cluster.ingress.filter(({ purpose }) => target === "any" || purpose === target);
  const nodes = own.map((address) =>
    addressNode(cluster, "address", address, address.purpose === "ops" ? "operators' ingress" : "ingress"),
  );
  if (nodes.length > 0 || cluster.kind !== "management-cluster") return nodes;
  return [nodeOf(cluster, "address", "shared ingress", "address from Kubernetes", ...tagLine(cluster.sharedIngressTags))];
}

function outbound(cluster: ClusterFacts): Path[] {
  const start = clusterNode(cluster);
  const internet = { id: "reached/internet", kind: "reached", lines: ["internet"] } as const;
  const addOn = nodeOf(cluster, "exit", "Key Vault add-on", ...defined(cluster.addOnClientId), "Key Vault Secrets User");
  const etcd = cluster.etcdKeyId === undefined ? undefined : parseEncryptionKeyId(cluster.etcdKeyId);
  const identity = nodeOf(cluster, "exit", "cluster identity", "Key Vault Crypto User");
  return [
    ...cluster.egress.map((address) => [start, addressNode(cluster, "exit", address, "egress"), internet]),
    ...cluster.vaults.map((vault) => [start, addOn, reached(`vault/${vault}`, `Key Vault ${vault}`, "secrets")]),
    ...(etcd === undefined
      ? []
      : [
          [
            start,
            identity,
            reached(`key/${etcd.keyVaultName}/${etcd.keyName}`, `Key Vault ${etcd.keyVaultName}`, `key ${etcd.keyName} of etcd`),
          ],
        ]),
  ];
}

function sourceOf({ source }: InboundRule): ClusterFlowNode {
  const lines = source === "*" ? ["anywhere"] : [source, "service tag"];
  return { id: `source/${source}`, kind: "source", lines };
}

function clusterNode(cluster: ClusterFacts): ClusterFlowNode {
  const { kind, name, location } = cluster;
  return { id: `${kind}/${name}`, kind: "cluster", lines: [name, kindFacts[kind].label, ...defined(location)] };
}

function addressNode(
  cluster: ClusterFacts,
  kind: "address" | "exit",
  { name, ipAddress, ipTags }: AddressFacts,
  purpose: string,
): ClusterFlowNode {
  return nodeOf(cluster, kind, name, purpose, ...defined(ipAddress), ...tagLine(ipTags));
}

function tagLine(tags: readonly IpTag[]): string[] {
  return [tags.length === 0 ? "no IP tags" : formatIpTags(tags)];
}

function nodeOf(cluster: AksClusterKey, kind: ClusterFlowKind, name: string, ...details: readonly string[]): ClusterFlowNode {
  return { id: `${cluster.kind}/${cluster.name}/${kind}/${name}`, kind, lines: [name, ...details] };
}

/** Two clusters can reach the same one. */
function reached(id: string, ...lines: readonly string[]): ClusterFlowNode {
  return { id: `reached/${id}`, kind: "reached", lines };
}

function defined(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : [text];
}
