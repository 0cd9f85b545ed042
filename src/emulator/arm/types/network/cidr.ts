/** Address ranges: reads CIDR notation as Azure does, and compares ranges. */
import ipaddr from "ipaddr.js";
import { ApiError } from "../../../core/service.js";

export interface Range {
  readonly prefix: string;
  readonly family: "ipv4" | "ipv6";
  readonly first: bigint;
  readonly last: bigint;
  readonly length: number;
}

/** Reads `prefix`, which belongs to the resource `id`. @throws ApiError InvalidAddressPrefixFormat or InvalidCIDRNotation */
export function readRange(prefix: string, id: string): Range {
  if (!prefix.includes("/") || !ipaddr.isValidCIDR(prefix)) {
    throw new ApiError(
      400,
      "InvalidAddressPrefixFormat",
      `Address prefix ${prefix} of resource ${id} is not formatted correctly. It should follow CIDR notation, for example 10.0.0.0/24.`,
    );
  }
  const [address, length] = ipaddr.parseCIDR(prefix);
  const bits = address.kind() === "ipv4" ? 32 : 128;
  const start = address.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const size = 1n << BigInt(bits - length);
  const first = start - (start % size);
  if (first !== start) {
    throw new ApiError(
      400,
      "InvalidCIDRNotation",
      `The address prefix ${prefix} in resource ${id} has an invalid CIDR notation. For the given prefix length, the address prefix should be ${written(first, address.kind())}/${String(length)}.`,
    );
  }
  return { prefix, family: address.kind(), first, last: first + size - 1n, length };
}

export function contains(outer: Range, inner: Range): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

export function overlap(one: Range, other: Range): boolean {
  return one.family === other.family && one.first <= other.last && other.first <= one.last;
}

/** The address at `offset` in a range: Azure reserves the first four (0 to 3) and the last of a subnet. */
export function addressAt(range: Range, offset: bigint): string {
  return written(range.first + offset, range.family);
}

function written(value: bigint, family: Range["family"]): string {
  const size = family === "ipv4" ? 4 : 16;
  const bytes = Array.from({ length: size }, (_, index) => Number((value >> BigInt(8 * (size - 1 - index))) & 255n));
  return ipaddr.fromByteArray(bytes).toString();
}
