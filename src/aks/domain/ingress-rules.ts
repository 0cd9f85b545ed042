/** The inbound rules of an AKS cluster's network security group, named and numbered as in Azure/ARO-HCP. */
import { sameText } from "../../text/same-text.js";
import { anyOrPlain, ruleCovers, type SecurityRuleBody } from "../../domain/security-rule.js";
import type { ClusterKind } from "../../domain/cluster-kind.js";

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

/** What decides the rules of a service cluster. */
export interface RuleChoices {
  /** Whether the operators have an ingress address of their own. */
  readonly ops: boolean;
  readonly genevaServiceTag: string;
  readonly sreServiceTag: string;
}

/**
 * Azure Resource Manager calls the resource provider. Operators use Geneva Actions and secure workstations: they reach the shared ingress, or the
 * operators' own if there is one.
 */
function serviceRules({ ops, genevaServiceTag, sreServiceTag }: RuleChoices): readonly InboundRule[] {
  const target = ops ? "ops" : "ingress";
  return [
    { name: "rp-in-arm", priority: 120, source: "AzureResourceManager", port: "443", target: "ingress" },
    { name: "admin-in-geneva", priority: 130, source: genevaServiceTag, port: "443", target },
    { name: "sre-in-ops", priority: 140, source: sreServiceTag, port: "443", target },
  ];
}

/** Kubernetes API servers are public, and the address of the shared ingress is the cloud provider's choice. A node's group denies by default. */
const managementRules: readonly InboundRule[] = [
  { name: "kas-443-in-internet", priority: 120, source: "*", port: "443", target: "any" },
  { name: "kas-6443-in-internet", priority: 130, source: "*", port: "6443", target: "any" },
];

/** `ingress` is undefined for a cluster without an ingress address of its own. */
export function inboundRules(kind: ClusterKind, ingress: RuleChoices | undefined): readonly InboundRule[] {
  if (kind === "management-cluster") return managementRules;
  return ingress === undefined ? [] : serviceRules(ingress);
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
  return sameText(anyOrPlain(live), wanted);
}

/** Whether a rule of any name and priority lets the traffic of the wanted one in. */
export function ruleAllows(live: SecurityRuleBody, wanted: ReturnType<typeof securityRuleBody>): boolean {
  return sameText(live.access, "Allow") && ruleCovers(live, wanted);
}

/** The inbound rule of others that has the wanted priority: Azure allows one rule for each priority and direction. */
export function ruleAtPriority<Rule extends Partial<SecurityRuleBody>>(rules: readonly Rule[], wanted: InboundRule): Rule | undefined {
  return rules.find(
    ({ name, priority, direction }) => priority === wanted.priority && sameText(direction, "Inbound") && !sameText(name, wanted.name),
  );
}
