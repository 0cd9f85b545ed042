/** Rules of network security groups: which traffic they cover. */
import { sameText } from "../text/same-text.js";

/** A security rule as in a request to Azure, and as Azure returns it. */
export interface SecurityRuleBody {
  readonly name?: string;
  readonly protocol: string;
  readonly sourcePortRange?: string | undefined;
  readonly sourcePortRanges?: readonly string[] | undefined;
  readonly destinationPortRange?: string | undefined;
  readonly destinationPortRanges?: readonly string[] | undefined;
  readonly sourceAddressPrefix?: string | undefined;
  readonly sourceAddressPrefixes?: readonly string[] | undefined;
  readonly destinationAddressPrefix?: string | undefined;
  readonly destinationAddressPrefixes?: readonly string[] | undefined;
  readonly sourceApplicationSecurityGroups?: readonly object[] | undefined;
  readonly destinationApplicationSecurityGroups?: readonly object[] | undefined;
  readonly access: string;
  readonly priority: number;
  readonly direction: string;
}

/** Traffic of one protocol to one port. The addresses are prefixes, service tags or `*`. */
export interface Traffic {
  readonly direction: "Inbound" | "Outbound";
  readonly protocol: string;
  readonly sourceAddressPrefix: string;
  readonly destinationAddressPrefix: string;
  readonly destinationPortRange: string;
}

/** Whether the rule is about all of the traffic, whatever it does with it. */
export function ruleCovers(rule: SecurityRuleBody, traffic: Traffic): boolean {
  if (!sameText(rule.direction, traffic.direction)) return false;
  if (rule.protocol !== "*" && !sameText(rule.protocol, traffic.protocol)) return false;
  return (
    covers(rule.sourceAddressPrefix, rule.sourceAddressPrefixes, traffic.sourceAddressPrefix) &&
    covers(rule.destinationAddressPrefix, rule.destinationAddressPrefixes, traffic.destinationAddressPrefix) &&
    covers(rule.sourcePortRange, rule.sourcePortRanges, "*") &&
    covers(rule.destinationPortRange, rule.destinationPortRanges, traffic.destinationPortRange)
  );
}

/** The internet is everything that the rules of a cluster are for. */
function covers(single: string | undefined, several: readonly string[] = [], wanted: string): boolean {
  return [...(single === undefined ? [] : [single]), ...several].some(
    (value) => anyOrPlain(value) === "*" || sameText(value, "Internet") || sameText(anyOrPlain(value), wanted) || isInPorts(value, wanted),
  );
}

/** `443` in `400-500`. */
function isInPorts(range: string, port: string): boolean {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(range) ?? [];
  return first !== undefined && Number(first) <= Number(port) && Number(port) <= Number(last);
}

/** An address with the length of a whole one, and Azure's other words for any address. */
export function anyOrPlain(prefix: string): string {
  if (sameText(prefix, "any") || prefix === "0.0.0.0/0") return "*";
  return prefix.replace(/\/32$/, "");
}
