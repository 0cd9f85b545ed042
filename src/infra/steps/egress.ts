/** Existing resources for the egress of a cluster, which are used and never changed. */
import type { NatGateway, PublicIPPrefix, RouteTable } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { addressesOfPrefix } from "../../domain/egress.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { isInGroup, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { advise, blank, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import type { PrefixOutput, RouteTableOutput } from "./egress-outputs.js";
import type { ExistingNetworkOutput } from "./existing-network.js";
import type { NatGatewayOutput } from "./nat-gateway.js";
import { useExisting } from "../../steps/ownership-decision.js";

const { publicIpPrefix: prefixRow, natGateway: natRow, routeTable: tableRow } = resourceTypes;

/** The prefixes of `--public-ip-prefix-id`. `managedGroup`: the group of the load balancer and the NAT gateway that may use them. */
export function existingPrefixes(azure: Azure, spec: InfraSpec, managedGroup: string): Step<PrefixOutput>[] {
  const { step } = prefixRow.use;
  // Numbered, because two groups may have prefixes of one name.
  return spec.egress.prefixIds.map((id, at) =>
    existingPrefix(azure, spec, id, managedGroup, at === 0 ? step : `${step}-${String(at + 1)}`),
  );
}

function existingPrefix(azure: Azure, spec: InfraSpec, id: string, managedGroup: string, step: string): Step<PrefixOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  const what = quotedTitleOf(prefixRow, name);
  return defineLookup({
    id: step,
    title: titleOf(prefixRow, name),
    subject: { kind: "resource", type: prefixRow.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).publicIPPrefixes.get(resourceGroup, name)),
    decide: (live: PublicIPPrefix | undefined) =>
      useExisting(live, { row: prefixRow, what, location: spec.location, flag: prefixRow.use.existingFlag }, (prefix) =>
        prefixFault(prefix, what, managedGroup),
      ),
    output: (live) => ({ id: live.id ?? id, addresses: addressesOfPrefix(live.prefixLength ?? 32) }),
  });
}

function prefixFault(live: PublicIPPrefix, what: string, managedGroup: string): Failure | undefined {
  const { sku, publicIPAddressVersion: version, natGateway, loadBalancerFrontendIpConfiguration: frontend } = live;
  const next = [`pass another prefix as ${prefixRow.use.existingFlag}`];
  if (sku?.name !== "Standard" || version !== "IPv4") {
    const because = "an outbound rule and a NAT gateway need a prefix that is Standard and IPv4";
    return new Failure("ARO-OWN-003", `${what} is ${sku?.name ?? "?"} and ${version ?? "?"}`, { because, next });
  }
  const user = [natGateway?.id, frontend?.id].find((id) => id !== undefined && !isInGroup(id, managedGroup));
  if (user === undefined) return undefined;
  return new Failure("ARO-OWN-003", `${what} is in use`, { because: `${user} uses it, and a prefix has one user`, next });
}

/** The NAT gateway of `--nat-gateway-id`. */
export function existingNatGateway(azure: Azure, spec: InfraSpec, id: string): Step<NatGatewayOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  const what = quotedTitleOf(natRow, name);
  const flag = "--nat-gateway-id";
  return defineLookup({
    id: natRow.use.step,
    title: titleOf(natRow, name),
    subject: { kind: "resource", type: natRow.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).natGateways.get(resourceGroup, name)),
    decide: (live: NatGateway | undefined) =>
      useExisting(live, { row: natRow, what, location: spec.location, flag }, ({ publicIpAddresses = [], publicIpPrefixes = [] }) =>
        publicIpAddresses.length + publicIpPrefixes.length > 0
          ? undefined
          : new Failure("ARO-OWN-003", `${what} has no public IP address`, {
              because: "without an address or a prefix, workers cannot reach the internet through it",
              next: ["ask its owner to add a public IP address or a prefix", `or pass another NAT gateway as ${flag}`],
            }),
      ),
    output: (live) => ({ id: live.id ?? id }),
  });
}

/** The route table of `--route-table-id`, for the created subnet. */
export function existingRouteTable(azure: Azure, spec: InfraSpec, id: string): Step<RouteTableOutput> {
  const { name } = parseResourceId(id);
  return defineLookup({
    id: tableRow.use.step,
    title: titleOf(tableRow, name),
    subject: { kind: "resource", type: tableRow.type, existing: true },
    resourceId: id,
    needs: {},
    read: () => readTable(azure, id),
    decide: (live: RouteTable | undefined) => decideTable(live, spec, quotedTitleOf(tableRow, name), tableRow.use.existingFlag),
    output: (live) => ({ id: live.id ?? id }),
  });
}

/** The route table that an existing subnet has: the network is refused if it has none. `flag` specifies the network. */
export function routeTableOfSubnet(azure: Azure, spec: InfraSpec, vnet: Step<ExistingNetworkOutput>, flag: string): Step<RouteTableOutput> {
  return defineLookup({
    id: tableRow.use.step,
    title: `the existing subnet's ${tableRow.label}`,
    subject: { kind: "resource", type: tableRow.type, existing: true },
    needs: { vnet },
    read: async ({ vnet: { routeTableId = "" } }) => readTable(azure, routeTableId),
    decide: (live: RouteTable | undefined, { vnet: { routeTableId = "" } }) =>
      decideTable(live, spec, titleOf(tableRow, routeTableId), flag),
    output: (live, { vnet: { routeTableId = "" } }) => ({ id: live.id ?? routeTableId }),
  });
}

/** Whether the route table leads everything to a firewall or a gateway, as user-defined routing needs it. */
export async function leadsOut(azure: Azure, id: string): Promise<boolean> {
  const table = await readTable(azure, id);
  return table !== undefined && routeTableFault(table, id) === undefined;
}

async function readTable(azure: Azure, id: string): Promise<RouteTable | undefined> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  return found((await azure.network(subscriptionId)).routeTables.get(resourceGroup, name));
}

function decideTable(live: RouteTable | undefined, spec: InfraSpec, what: string, flag: string) {
  return useExisting(live, { row: tableRow, what, location: spec.location, flag }, (table) => routeTableFault(table, what));
}

/** The default route must lead somewhere: without a public address of the cluster, nothing else leads to the internet. */
const usableHops = ["VirtualAppliance", "VirtualNetworkGateway"];

function routeTableFault({ id = "", routes = [] }: RouteTable, what: string): Failure | undefined {
  const route = routes.find(({ addressPrefix }) => addressPrefix === "0.0.0.0/0");
  if (usableHops.some((hop) => sameText(hop, route?.nextHopType))) return undefined;
  const { resourceGroup = "", name } = parseResourceId(id);
  const table = ["--resource-group", resourceGroup, "--route-table-name", name];
  const verb = route === undefined ? "create" : "update";
  const change = shell`az network route-table route ${verb} ${table} --name ${route?.name ?? "default"} --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address ${blank("firewall")}`;
  return new Failure(
    "ARO-OWN-003",
    route === undefined ? `${what} has no default route` : `the default route of ${what} leads to ${route.nextHopType ?? "nothing"}`,
    {
      because: "with user-defined routing, the cluster has no public address, so the default route must lead to a firewall or a gateway",
      next: [advise`ask its owner to change the route: ${change}`],
    },
  );
}
