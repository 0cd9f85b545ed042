/** Private addresses in a subnet: those of interfaces and of internal frontends, and the next free one. */
import { ApiError } from "../../../service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { isWithin, keyOf, nameOf } from "../../resource-id.js";
import { addressAt, readRange, type Range } from "./cidr.js";
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
  const held = configurations(state).filter((one) => keyOf(one.subnet) === keyOf(subnet));
  const own = held.find((one) => isWithin(one.owner, owner) && keyOf(one.name) === keyOf(name));
  if (own !== undefined && !taken.has(own.address)) return own.address;
  const used = new Set([...taken, ...held.filter((one) => !isWithin(one.owner, owner)).map(({ address }) => address)]);
  const range = rangeOf(state, subnet);
  const [free] = freeAddresses(range, used, 1);
  if (free !== undefined) return free;
  throw new ApiError(
    400,
    "SubnetIsFull",
    `Subnet ${nameOf(subnet)} with address prefix ${range.prefix} does not have enough capacity for 1 IP addresses.`,
  );
}

/** All addresses that are used in the subnet. */
export function addressesIn(state: AzureState, subnet: string): Set<string> {
  const held = configurations(state).filter((one) => keyOf(one.subnet) === keyOf(subnet));
  return new Set(held.map(({ address }) => address));
}

/** The first free addresses of a range; Azure reserves the first four and the last. */
export function freeAddresses(range: Range, used: ReadonlySet<string>, count: number): string[] {
  const free: string[] = [];
  for (let offset = 4n; range.first + offset < range.last && free.length < count; offset++) {
    const address = addressAt(range, offset);
    if (!used.has(address)) free.push(address);
  }
  return free;
}

function rangeOf(state: AzureState, subnet: string): Range {
  const [prefix = ""] = prefixesOf(state.resources[keyOf(subnet)]?.properties ?? {});
  return readRange(prefix, subnet);
}

/** Of interfaces and load balancers. */
function configurations(state: AzureState): (Configuration & { readonly owner: string })[] {
  return Object.values(state.resources).flatMap((resource) =>
    partsOf(resource).flatMap(({ name, properties: { subnet, privateIPAddress } }) =>
      subnet === undefined || privateIPAddress === undefined
        ? []
        : [{ owner: resource.id, name, subnet: subnet.id, address: privateIPAddress }],
    ),
  );
}

interface Part {
  readonly name: string;
  readonly properties: { readonly subnet?: { readonly id: string }; readonly privateIPAddress?: string };
}

function partsOf({ properties }: StoredResource): readonly Part[] {
  const { ipConfigurations, frontendIPConfigurations } = properties as { ipConfigurations?: Part[]; frontendIPConfigurations?: Part[] };
  return ipConfigurations ?? frontendIPConfigurations ?? [];
}
