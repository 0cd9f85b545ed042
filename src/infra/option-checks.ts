/** Checks of how the workers reach the internet: which options go together, and whether the ports are enough. */
import { fewestPorts, mostAddresses, neededAddresses, portsOfAddress, portsPerNode } from "../domain/egress.js";
import { resourceTypes } from "../domain/resource-types.js";
import { plural } from "../text/plural.js";
import { takes } from "../settings/commands.js";
import type { SettingKey } from "../settings/settings.js";
import type { Check, CheckContext } from "../settings/option-check.js";
import { otherSubscription, readId } from "../settings/network-checks.js";

/** A hosted cluster has fewer. */
const mostNodes = 5_000;

const checkEgress: Check = (context) => {
  const { command, values, given, problem } = context;
  if (!takes(command, "egress")) return;
  const { egress = "load-balancer", outboundAddresses = 1, publicIpPrefixId = [], natGatewayId, routeTableId, expectedNodes } = values;
  const isExisting = values.vnetId !== undefined || values.subnetId !== undefined;
  checkIds(context);

  const only = (key: SettingKey, type: string) => problem(key, `requires --egress ${type}`);
  if (natGatewayId !== undefined && egress !== "nat-gateway") only("natGatewayId", "nat-gateway");
  if (routeTableId !== undefined && egress !== "user-defined-routing") only("routeTableId", "user-defined-routing");
  if (expectedNodes !== undefined && egress !== "load-balancer")
    problem("expectedNodes", "requires --egress load-balancer: only its outbound rule gives each worker a fixed number of ports");
  if (egress === "user-defined-routing" && !isExisting && routeTableId === undefined)
    problem("egress", '"user-defined-routing" requires --route-table-id for the created subnet, or an existing subnet with a route table');

  const sources: readonly (readonly [SettingKey, boolean])[] = [
    ["outboundAddresses", given("outboundAddresses") || outboundAddresses !== 1],
    ["publicIpPrefixId", publicIpPrefixId.length > 0],
  ];
  for (const [key, isSet] of sources) {
    if (!isSet) continue;
    if (egress === "user-defined-routing")
      problem(key, "cannot be combined with --egress user-defined-routing: no public IP address is used");
    else if (natGatewayId !== undefined)
      problem(key, "cannot be combined with --nat-gateway-id: the existing NAT gateway has its own addresses");
  }
  if (sources.every(([, isSet]) => isSet))
    problem("publicIpPrefixId", "cannot be combined with --outbound-addresses: its addresses are used instead of new ones");
  if (outboundAddresses < 1 || outboundAddresses > mostAddresses)
    problem("outboundAddresses", `"${String(outboundAddresses)}" is not between 1 and ${String(mostAddresses)}`);
  if (publicIpPrefixId.length > mostAddresses)
    problem(
      "publicIpPrefixId",
      `has ${plural(publicIpPrefixId.length, "prefix", "prefixes")}; at most ${String(mostAddresses)} are possible`,
    );
  if (expectedNodes === undefined) return;
  if (expectedNodes < 1 || expectedNodes > mostNodes)
    problem("expectedNodes", `"${String(expectedNodes)}" is not between 1 and ${String(mostNodes)}`);
  else if (publicIpPrefixId.length === 0 && portsPerNode({ expectedNodes }, outboundAddresses) < fewestPorts) {
    problem(
      "expectedNodes",
      `${plural(expectedNodes, "worker")} of ${plural(outboundAddresses, "address", "addresses")} get fewer than ${plural(fewestPorts, "port")} each: ` +
        `an address has ${plural(portsOfAddress, "port")}; pass --outbound-addresses ${String(neededAddresses(expectedNodes))}`,
    );
  }
};

/** Azure attaches no resources across subscriptions. */
function checkIds({ values, problem }: CheckContext): void {
  const { publicIpPrefix, natGateway, routeTable } = resourceTypes;
  const ids: readonly (readonly [SettingKey, string | undefined, string])[] = [
    ...(values.publicIpPrefixId ?? []).map((id) => ["publicIpPrefixId", id, publicIpPrefix.type] as const),
    ["natGatewayId", values.natGatewayId, natGateway.type],
    ["routeTableId", values.routeTableId, routeTable.type],
  ];
  for (const [key, text, type] of ids) {
    if (text === undefined) continue;
    const id = readId(text, type);
    const wrong = typeof id === "string" ? id : values.subscription && otherSubscription(id, values.subscription);
    if (wrong !== undefined && wrong !== "") problem(key, wrong);
  }
  const distinct = new Set((values.publicIpPrefixId ?? []).map((id) => id.toLowerCase()));
  if (distinct.size < (values.publicIpPrefixId ?? []).length) problem("publicIpPrefixId", "names a prefix twice");
}

export const checks: readonly Check[] = [checkEgress];
