/** Queries on a virtual network: free addresses, usage of subnets, and reachable services. */
import ipaddr from "ipaddr.js";
import { ApiError, type Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findGroup } from "../../scopes.js";
import { inSubscription, type Endpoint, type Parameters } from "../../endpoint.js";
import { invalidRequestContent, resourceNotFound } from "../../errors.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import { contains, readRange, type Range } from "./cidr.js";
import { addressesIn, freeInSubnet, heldIn } from "./private-addresses.js";
import { networkVersions } from "./provider.js";
import { prefixesOf } from "./subnets.js";

const network = "/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/Microsoft.Network/virtualNetworks/{network}";

export const networkQueryEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `${network}/CheckIPAddressAvailability`, versions: networkVersions, handle: checkAddress },
  { method: "GET", path: `${network}/usages`, versions: networkVersions, handle: listUsages },
  inSubscription({
    path: "Microsoft.Network/locations/{location}/virtualNetworkAvailableEndpointServices",
    versions: networkVersions,
    body: listEndpointServices,
  }),
];

/** For an address that is taken, Azure suggests five others. */
function checkAddress(call: ArmCall, parameters: Parameters): Answer {
  const { id } = find(call, parameters, "checkIpAddressAvailability");
  const address = call.request.query.get("ipAddress") ?? "";
  if (!ipaddr.isValid(address)) throw invalidRequestContent(`'${address}' is not an IP address.`);
  const asked = readRange(`${address}/${ipaddr.IPv4.isValid(address) ? "32" : "128"}`, id);
  const found = childrenOf(call.state, id, "subnets")
    .map((subnet) => ({ subnet, range: rangeOf(subnet) }))
    .find(({ range }) => contains(range, asked));
  if (found === undefined) {
    throw new ApiError(400, "PrivateIPAddressNotInAnySubnet", `IP address ${address} is not in any subnet of virtual network ${id}.`);
  }
  const { subnet, range } = found;
  const held = heldIn(call.state, subnet.id);
  const isPlatformReserved = asked.first < range.first + 4n || asked.first === range.last;
  const available = !isPlatformReserved && !held.has(address);
  const others = available ? {} : { availableIPAddresses: freeInSubnet(range, held, 5) };
  return { status: 200, body: { available, ...others, isPlatformReserved }, takes: call.sample("read") };
}

function listUsages(call: ArmCall, parameters: Parameters): Answer {
  const { id } = find(call, parameters, "usages");
  const value = childrenOf(call.state, id, "subnets").map((subnet) => {
    const { first, last } = rangeOf(subnet);
    return {
      id: subnet.id,
      currentValue: addressesIn(call.state, subnet.id).size,
      // Azure reserves five addresses.
      limit: Number(last - first) + 1 - 5,
      name: { value: "SubnetSpace", localizedValue: "Subnet size and usage" },
      unit: "Count",
    };
  });
  return { status: 200, body: { value }, takes: call.sample("read") };
}

const endpointServices = [
  "Storage",
  "Sql",
  "AzureActiveDirectory",
  "AzureCosmosDB",
  "Web",
  "KeyVault",
  "EventHub",
  "ServiceBus",
  "ContainerRegistry",
  "CognitiveServices",
  "MachineLearningServices",
  "CosmosDBManagedInstance",
  "Storage.Global",
];

function listEndpointServices(_call: ArmCall, scope: string) {
  const type = "Microsoft.Network/virtualNetworkEndpointServices";
  const value = endpointServices.map((service) => ({
    name: `Microsoft.${service}`,
    id: `${scope}/providers/${type}/Microsoft.${service}`,
    type,
  }));
  return { value };
}

/** The virtual network, after checking that the caller may read this of it. */
function find(call: ArmCall, { subscriptionId = "", group = "", network: name = "" }: Parameters, what: string): StoredResource {
  const path = `/${call.request.path.slice(0, -1).join("/")}`;
  requireRight(call, `Microsoft.Network/virtualNetworks/${what}/read`, path);
  const { name: groupName } = findGroup(call, subscriptionId, group);
  const found = call.state.resources[keyOf(path)];
  if (found === undefined) throw resourceNotFound(`Microsoft.Network/virtualNetworks/${name}`, groupName);
  return found;
}

function rangeOf({ id, properties }: StoredResource): Range {
  const [prefix = ""] = prefixesOf(properties);
  return readRange(prefix, id);
}
