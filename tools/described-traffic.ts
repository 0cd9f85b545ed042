/**
 * Copies recorded traffic from standard input to standard output, and leaves out requests and members that Azure's published descriptions lack. The
 * types declare such members. Refusals of AKS and of policies are copied in the form that is described.
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

/** Requests that Azure, or in the agents' case the emulator, takes although no description has them. */
const undescribed: readonly ((url: URL) => boolean)[] = [
  // The reports of agents of connected clusters: what real ones send is not public.
  ({ hostname }) => hostname.endsWith(".arc-agents.invalid"),
  // The descriptions at hand have vaults, not managed HSMs.
  ({ hostname }) => hostname.endsWith(".managedhsm.azure.net"),
  // The descriptions at hand have no Resource Graph.
  ({ pathname }) => /^\/providers\/Microsoft\.ResourceGraph\//i.test(pathname),
  // The list of groups answers their age, as that of resources does.
  ({ pathname, searchParams }) => /\/resourcegroups$/i.test(pathname) && searchParams.has("$expand"),
  // Clients of keys send an empty segment in place of a version.
  ({ pathname }) => pathname.includes("//"),
  // az 2.45 names the type of a DNS record in lower case.
  ({ pathname }) => /\/(?:dnsZones|privateDnsZones)\/[^/]+\/(?:a|aaaa|cname|mx|ns|ptr|soa|srv|txt)\//.test(pathname),
  // az finds a vault by this list; the description has only the filter for all vaults.
  ({ searchParams }) => /^resourceType eq 'Microsoft.KeyVault\/vaults' and name eq /.test(searchParams.get("$filter") ?? ""),
  // The SDK repeats the parameter of the deletion when it asks how far the deletion is.
  ({ pathname, searchParams }) => /\/extensions\/[^/]+\/operations\//.test(pathname) && searchParams.has("forceDelete"),
];

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as Line;
  const url = new URL(line.url);
  if (undescribed.some((applies) => applies(url))) continue;
  const { pathname } = url;
  const names = undescribedIn(pathname);
  const described = /\/providers\/Microsoft\.ContainerService\//i.test(pathname) ? withError(line) : ofProvider(respelled(line));
  const copy =
    names.length === 0
      ? described
      : { ...described, requestBody: without(names, described.requestBody), responseBody: without(names, described.responseBody) };
  process.stdout.write(`${JSON.stringify(copy)}\n`);
}

/** Microsoft.Storage spells two words unlike its description. */
function respelled(line: Line): Line {
  if (!/\/providers\/Microsoft\.Storage\//i.test(line.url) || line.responseBody === undefined) return line;
  const words: Readonly<Record<string, string>> = { FULL: "Full", ResolvingDns: "ResolvingDNS" };
  const text = JSON.stringify(line.responseBody).replace(/"(FULL|ResolvingDns)"/g, (_, word: string) => JSON.stringify(words[word]));
  return { ...line, responseBody: JSON.parse(text) as unknown };
}

/** Resource Manager refuses by policy before the provider is asked, with members that no provider describes. */
function ofProvider(line: Line): Line {
  const { error } = (line.responseBody ?? {}) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } };
  if (error?.code !== "RequestDisallowedByPolicy") return line;
  return { ...line, responseBody: { error: { code: error.code, message: error.message } } };
}

/** AKS answers its own refusals without `error` around them. */
function withError(line: Line): Line {
  const { code, message } = (line.responseBody ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return line.status < 400 || typeof code !== "string" ? line : { ...line, responseBody: { error: { code, message } } };
}

/** Of the type that the path names, or whose part it names. Generic lists have the zones of a resource: recorded in lists of public IP addresses. */
function undescribedIn(pathname: string): readonly string[] {
  if (/\/resources$/i.test(pathname)) return ["zones"];
  const type = parseResourcePath(segmentsOf(pathname))?.type ?? "";
  const declared = emulatedTypes.named(type) ?? emulatedTypes.named(type.slice(0, type.lastIndexOf("/")));
  return declared?.undescribedMembers ?? [];
}

function without(names: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => without(names, one));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, held]) => [name, without(names, held)]));
}
