/** Checks of the workers' way out: no rule of their network security group denies it, and no route drops it. */
import type { Subnet } from "@azure/arm-network";
import { advise, shell } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { ruleCovers, type SecurityRuleBody, type Traffic } from "../../domain/security-rule.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { sameText } from "../../text/same-text.js";
import { failed, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { infraChecks } from "./checks.js";

/** Images are pulled this way. */
const needed: Traffic = {
  direction: "Outbound",
  protocol: "Tcp",
  sourceAddressPrefix: "VirtualNetwork",
  destinationAddressPrefix: "Internet",
  destinationPortRange: "443",
};

/** `attached`: the check of the subnet's network security group. */
export function outboundChecks(
  azure: Azure,
  subject: string,
  needs: { readonly subnet: CheckInstance<Subnet>; readonly attached: CheckInstance },
): CheckInstance[] {
  const rules = checkInstance(infraChecks["outbound-rules"], subject, needs, ({ subnet }) => checkRules(azure, subnet));
  const routes = checkInstance(infraChecks["outbound-routes"], subject, { subnet: needs.subnet }, ({ subnet }) =>
    checkRoutes(azure, subnet),
  );
  return [rules, routes];
}

async function checkRules(azure: Azure, { networkSecurityGroup }: Subnet): Promise<Finding<undefined>> {
  if (networkSecurityGroup?.id === undefined) return passed("no network security group is attached");
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(networkSecurityGroup.id);
  const group = await (await azure.network(subscriptionId)).networkSecurityGroups.get(resourceGroup, name);
  const rules = (group.securityRules ?? []) as readonly (SecurityRuleBody & { readonly id?: string })[];
  const first = rules.toSorted((one, other) => one.priority - other.priority).find((rule) => deniesAll(rule) || allowsSome(rule));
  if (first === undefined) return passed("no rule denies it");
  const text = `rule "${first.name ?? ""}" of priority ${String(first.priority)}`;
  if (!deniesAll(first)) return passed(`${text} allows at least a part, and is before any that denies all`);
  return failed(
    `${text} denies TCP to port ${needed.destinationPortRange} of every address: workers cannot pull images`,
    advise`if its owner agrees, delete it: ${shell`az network nsg rule delete --resource-group ${resourceGroup} --nsg-name ${name} --name ${first.name ?? ""}`}; or allow what workers need by rules with a lower priority number`,
  );
}

function deniesAll(rule: SecurityRuleBody): boolean {
  return sameText(rule.access, "Deny") && ruleCovers(rule, needed);
}

/** Whether it allows a way to a firewall, a proxy or a registry; only the owner of the network knows if that is enough. */
function allowsSome(rule: SecurityRuleBody): boolean {
  const isInside = sameText(rule.destinationAddressPrefix, needed.sourceAddressPrefix);
  return sameText(rule.access, "Allow") && !isInside && ruleCovers({ ...rule, destinationAddressPrefix: "*" }, needed);
}

async function checkRoutes(azure: Azure, { routeTable }: Subnet): Promise<Finding<undefined>> {
  if (routeTable?.id === undefined) return passed("no route table is attached");
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(routeTable.id);
  const { routes = [] } = await (await azure.network(subscriptionId)).routeTables.get(resourceGroup, name);
  const dropping = routes.find(({ addressPrefix, nextHopType }) => addressPrefix === "0.0.0.0/0" && sameText(nextHopType, "None"));
  if (dropping === undefined) return passed(`route table ${name} has no default route that drops traffic`);
  // Routes of longer prefixes may lead to all that the cluster needs, and only the owner of the network knows.
  const leading = routes.find(({ nextHopType }) => !["none", "vnetlocal"].includes(nextHopType?.toLowerCase() ?? ""));
  if (leading) return passed(`the default route drops traffic, but route "${leading.name ?? ""}" leads to ${leading.addressPrefix ?? ""}`);
  return failed(
    `route "${dropping.name ?? ""}" of ${name} drops traffic to every address outside the network: workers cannot pull images`,
    advise`if its owner agrees, delete it: ${shell`az network route-table route delete --resource-group ${resourceGroup} --route-table-name ${name} --name ${dropping.name ?? ""}`}`,
  );
}
