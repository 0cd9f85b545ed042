/** Private addresses in a subnet: those of interfaces and of internal frontends, and the next free one. */
import { ApiError } from "../../../core/service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { indexOf } from "../../../state/index-of.js";
import { resourcesByUse } from "../../indexes.js";
import { keyOf, nameOf } from "../../resource-id.js";
import { blockOf, freeAddresses, type Held } from "./address-blocks.js";
import { readRange, type Range } from "./cidr.js";
import { prefixesOf } from "./subnets.js";

interface Configuration {
  readonly name: string;
  readonly subnet: string;
  readonly address: string;
}

/** The address that a configuration has already, unless it moves to another subnet; otherwise the lowest free one. */
export function addressFor(
  state: AzureState,
  owner: string,
  { name, subnet }: Omit<Configuration, "address">,
  taken: ReadonlySet<string>,
): string {
  const before = configurationsOf(state.resources[keyOf(owner)]).filter((one) => keyOf(one.subnet) === keyOf(subnet));
  const own = before.find((one) => keyOf(one.name) === keyOf(name));
  if (own !== undefined && !taken.has(own.address)) return own.address;
  const range = rangeOf(state, subnet);
  const held = heldIn(state, subnet);
  const [free] = freeInSubnet(
    range,
    {
      has: (address) => taken.has(address) || (held.has(address) && !before.some((one) => one.address === address)),
      count: (block) => held.count(block) - before.filter(({ address }) => blockOf(address) === block).length,
    },
    1,
  );
  if (free !== undefined) return free;
  throw new ApiError(
    400,
    "SubnetIsFull",
    `Subnet ${nameOf(subnet)} with address prefix ${range.prefix} does not have enough capacity for 1 IP addresses.`,
  );
}

export function addressesIn({ resources }: AzureState, subnet: string): Set<string> {
  const held = resourcesByUse.find(resources, keyOf(subnet)).flatMap(configurationsOf);
  return new Set(held.filter((one) => keyOf(one.subnet) === keyOf(subnet)).map(({ address }) => address));
}

/** Interfaces and load balancers, by each of their addresses in a subnet, and by its block there. */
const resourcesByAddress = indexOf<StoredResource>((resource) => [
  ...new Set(
    configurationsOf(resource).flatMap(({ subnet, address }) => [address, blockOf(address)].map((held) => `${keyOf(subnet)} ${held}`)),
  ),
]);

export function heldIn({ resources }: AzureState, subnet: string): Held {
  const count = (what: string): number => resourcesByAddress.count(resources, `${keyOf(subnet)} ${what}`);
  return { has: (address) => count(address) > 0, count };
}

/** Azure reserves the first four addresses and the last. */
export function freeInSubnet(range: Range, held: Held, wanted: number): string[] {
  return freeAddresses(range, [4n, 1n], held, wanted);
}

function rangeOf(state: AzureState, subnet: string): Range {
  const [prefix = ""] = prefixesOf(state.resources[keyOf(subnet)]?.properties ?? {});
  return readRange(prefix, subnet);
}

/** The configurations of an interface or a load balancer. */
function configurationsOf(resource: StoredResource | undefined): Configuration[] {
  return (resource === undefined ? [] : partsOf(resource)).flatMap(({ name, properties: { subnet, privateIPAddress } = {} }) =>
    subnet === undefined || privateIPAddress === undefined ? [] : [{ name, subnet: subnet.id, address: privateIPAddress }],
  );
}

interface Part {
  readonly name: string;
  readonly properties?: { readonly subnet?: { readonly id: string }; readonly privateIPAddress?: string };
}

function partsOf({ properties }: StoredResource): readonly Part[] {
  const { ipConfigurations, frontendIPConfigurations } = properties as { ipConfigurations?: Part[]; frontendIPConfigurations?: Part[] };
  return ipConfigurations ?? frontendIPConfigurations ?? [];
}
