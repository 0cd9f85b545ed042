/**
 * Copies recorded traffic from standard input to standard output, without the members that Azure answers although its published
 * description does not have them, which the types declare. Also without the requests that clients of keys send with an empty segment in
 * place of a version: descriptions have no such paths. Also without the list by which az finds a vault: Key Vault's description of the list of
 * all resources has only the filter for all vaults. Also without the requests of az 2.45 that name the type of a DNS record in lower case, which
 * Azure accepts. Refusals of AKS are copied with `error` around them, as they are described.
 */
import { createInterface } from "node:readline";
import { emulatedTypes } from "../src/emulator/arm/types/index.js";
import { parseResourcePath, segmentsOf } from "../src/emulator/arm/resource-id.js";

interface Line {
  readonly url: string;
  readonly status: number;
  readonly requestBody: unknown;
  readonly responseBody: unknown;
}

const lowerCaseRecordType = /\/(?:dnsZones|privateDnsZones)\/[^/]+\/(?:a|aaaa|cname|mx|ns|ptr|soa|srv|txt)\//;

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as Line;
  const { pathname, searchParams } = new URL(line.url);
  if (pathname.includes("//") || lowerCaseRecordType.test(pathname) || isVaultByName(searchParams.get("$filter") ?? "")) continue;
  const names = undescribedIn(pathname);
  const described = /\/providers\/Microsoft\.ContainerService\//i.test(pathname) ? withError(line) : line;
  const copy =
    names.length === 0
      ? described
      : { ...described, requestBody: without(names, described.requestBody), responseBody: without(names, described.responseBody) };
  process.stdout.write(`${JSON.stringify(copy)}\n`);
}

/** AKS answers its own refusals without `error` around them. */
function withError(line: Line): Line {
  const { code, message } = (line.responseBody ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return line.status < 400 || typeof code !== "string" ? line : { ...line, responseBody: { error: { code, message } } };
}

function isVaultByName(filter: string): boolean {
  return /^resourceType eq 'Microsoft.KeyVault\/vaults' and name eq /.test(filter);
}

/** Of the type that the path names, or whose part it names. Generic lists have the zones of a resource: recorded in lists of public IP addresses. */
function undescribedIn(pathname: string): readonly string[] {
  if (/\/resources$/i.test(pathname)) return ["zones"];
  const type = parseResourcePath(segmentsOf(pathname))?.type ?? "";
  const declared = emulatedTypes.named(type) ?? emulatedTypes.named(type.slice(0, type.lastIndexOf("/")));
  return declared?.undescribed ?? [];
}

function without(names: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => without(names, one));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, held]) => [name, without(names, held)]));
}
