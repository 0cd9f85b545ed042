/** Who may reach an AKS cluster from outside: the inbound rules of its network security group. Names, priorities and service tags are Azure/ARO-HCP's. */
import { sameText } from "../../text/same-text.js";
import type { ClusterKind } from "./cluster-kind.js";

/** The public address that a rule opens: the service's, the operators' own, or any. */
export type RuleTarget = "ingress" | "ops" | "any";

export interface InboundRule {
  readonly name: string;
  readonly priority: number;
  /** A service tag, or `*`. */
  readonly source: string;
  readonly port: string;
  readonly target: RuleTarget;
}

/**
 * The Azure Resource Manager calls the resource provider. Operators use Geneva Actions and secure workstations (CorpNetSaw): they reach the shared
 * ingress, or the operators' own if there is one.
 */
const serviceRules: readonly InboundRule[] = [
  { name: "rp-in-arm", priority: 120, source: "AzureResourceManager", port: "443", target: "ingress" },
  { name: "admin-in-geneva", priority: 130, source: "GenevaActions", port: "443", target: "ops" },
  { name: "sre-in-ops", priority: 140, source: "CorpNetSaw", port: "443", target: "ops" },
];

/** Kubernetes API servers are public, and the address of the shared ingress is the cloud provider's choice. A node's group denies by default. */
const managementRules: readonly InboundRule[] = [
  { name: "kas-443-in-internet", priority: 120, source: "*", port: "443", target: "any" },
  { name: "kas-6443-in-internet", priority: 130, source: "*", port: "6443", target: "any" },
];

/** `ingress` is undefined for a cluster without an ingress address of its own. */
export function inboundRules(kind: ClusterKind, ingress: { readonly ops: boolean } | undefined): readonly InboundRule[] {
  if (kind === "management-cluster") return managementRules;
  if (ingress === undefined) return [];
  return serviceRules.map((rule) => (rule.target === "ops" && !ingress.ops ? { ...rule, target: "ingress" } : rule));
}

/** A security rule as in a request to Azure, and as Azure returns it. */
export interface SecurityRuleBody {
  readonly name?: string;
  readonly protocol: string;
  readonly sourcePortRange?: string;
  readonly sourcePortRanges?: readonly string[];
  readonly destinationPortRange?: string;
  readonly destinationPortRanges?: readonly string[];
  readonly sourceAddressPrefix?: string;
  readonly sourceAddressPrefixes?: readonly string[];
  readonly destinationAddressPrefix?: string;
  readonly destinationAddressPrefixes?: readonly string[];
  readonly sourceApplicationSecurityGroups?: readonly object[];
  readonly destinationApplicationSecurityGroups?: readonly object[];
  readonly access: string;
  readonly priority: number;
  readonly direction: string;
}

/** `destination` is the IP address of its target, or `*`. */
export function securityRuleBody({ priority, source, port }: InboundRule, destination: string) {
  return {
    protocol: "Tcp",
    sourcePortRange: "*",
    destinationPortRange: port,
    sourceAddressPrefix: source,
    destinationAddressPrefix: destination,
    access: "Allow",
    priority,
    direction: "Inbound",
  } as const satisfies SecurityRuleBody;
}

export interface RuleDifference {
  /** The property of the rule: `destinationAddressPrefix`. */
  readonly property: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** How a live rule differs from the wanted one. Azure has each side in the singular or the plural member. */
export function ruleDifferences(live: SecurityRuleBody, wanted: ReturnType<typeof securityRuleBody>): RuleDifference[] {
  const pairs = [
    { property: "protocol", from: live.protocol, to: wanted.protocol },
    { property: "sourcePortRange", from: one(live.sourcePortRange, live.sourcePortRanges), to: wanted.sourcePortRange },
    { property: "destinationPortRange", from: one(live.destinationPortRange, live.destinationPortRanges), to: wanted.destinationPortRange },
    {
      property: "sourceAddressPrefix",
      from: one(live.sourceAddressPrefix, live.sourceAddressPrefixes, live.sourceApplicationSecurityGroups),
      to: wanted.sourceAddressPrefix,
    },
    {
      property: "destinationAddressPrefix",
      from: one(live.destinationAddressPrefix, live.destinationAddressPrefixes, live.destinationApplicationSecurityGroups),
      to: wanted.destinationAddressPrefix,
    },
    { property: "access", from: live.access, to: wanted.access },
    { property: "priority", from: live.priority, to: wanted.priority },
    { property: "direction", from: live.direction, to: wanted.direction },
  ];
  return pairs.filter(({ from, to }) => !same(from, to));
}

/** The only value of a side, or all of them. An application security group is a value too: the rule then has no address. */
function one(single: string | undefined, several: readonly string[] = [], groups: readonly object[] = []): unknown {
  const values = [...(single === undefined || single === "" ? [] : [single]), ...several];
  if (groups.length > 0) return [...values, ...groups];
  return values.length === 1 ? values[0] : values;
}

function same(live: unknown, wanted: string | number): boolean {
  if (typeof wanted === "number" || typeof live !== "string") return live === wanted;
  return sameText(plain(live), wanted);
}

/** An address with the length of a whole one, and Azure's other words for any address. */
function plain(prefix: string): string {
  if (sameText(prefix, "any") || prefix === "0.0.0.0/0") return "*";
  return prefix.replace(/\/32$/, "");
}

/** The inbound rule of others that has the wanted priority: Azure allows one rule for each priority and direction. */
export function ruleAtPriority<Rule extends Partial<SecurityRuleBody>>(rules: readonly Rule[], wanted: InboundRule): Rule | undefined {
  return rules.find(
    ({ name, priority, direction }) => priority === wanted.priority && sameText(direction, "Inbound") && !sameText(name, wanted.name),
  );
}
