/** A public DNS zone, its delegation, and the owner and names of what `create dns-zone` creates. */
import { createHash } from "node:crypto";
import { applicationUniqueName } from "./identity-names.js";
import { parseResourceId } from "./resource-id.js";
import { tagValue, type Tags } from "./tags.js";

/** The owner of a public DNS zone, of its delegation and of the identity of its ExternalDNS: the zone's name in lower case. */
export interface DnsZoneOwner {
  readonly dnsZone: string;
}

export const dnsZoneTag = "aro-hcp-dns-zone";

/** Where a zone is. The names of what is created for it follow from this. */
export interface DnsZonePlace {
  readonly subscriptionId: string;
  readonly groupName: string;
  /** `blue.example.com` */
  readonly zoneName: string;
}

/** How ExternalDNS signs in. */
export const externalDnsIdentities = ["workload-identity", "service-principal", "none"] as const;

export interface DnsZoneSpec extends DnsZonePlace {
  readonly location: string;
  readonly externalDns: ExternalDnsAccess;
}

export type ExternalDnsAccess =
  | {
      readonly kind: "workload-identity";
      /** The issuer of the management cluster's tokens; undefined if no federated identity credential is wanted yet. */
      readonly issuerUrl: string | undefined;
      readonly namespace: string;
      readonly serviceAccount: string;
    }
  | { readonly kind: "service-principal" }
  | { readonly kind: "none" };

/** The file for what ExternalDNS signs in with: a client secret must be kept; of workload identity, the file has only names. */
export function externalDnsCredentialsPath({
  externalDnsIdentity: kind,
  externalDnsCredentialsFile: path,
  baseDomain,
}: {
  readonly externalDnsIdentity?: ExternalDnsAccess["kind"] | undefined;
  readonly externalDnsCredentialsFile?: string | undefined;
  readonly baseDomain?: string | undefined;
}): string | undefined {
  return kind === "service-principal" ? (path ?? `external-dns-${baseDomain ?? ""}.json`) : path;
}

/** Azure accepts 128 letters, digits, hyphens and underscores. */
const mostIdentityCharacters = 128;

/** `external-dns-blue-example-com` */
export function externalDnsName({ zoneName }: Pick<DnsZonePlace, "zoneName">): string {
  const name = `external-dns-${zoneName.replaceAll(".", "-")}`;
  if (name.length <= mostIdentityCharacters) return name;
  const hash = createHash("sha256").update(zoneName).digest("hex").slice(0, 8);
  return `${name.slice(0, mostIdentityCharacters - 9)}-${hash}`;
}

/** The unique name of an application has the periods of the zone as `~d`: `a.b-c` and `a-b.c` are two zones. */
export function externalDnsApplication({ subscriptionId, groupName, zoneName }: DnsZonePlace): {
  readonly uniqueName: string;
  readonly displayName: string;
  readonly tag: string;
} {
  const name = zoneName.replaceAll(".", "~d");
  return {
    uniqueName: applicationUniqueName({ subscriptionId, groupName, name }, { key: "external-dns" }),
    displayName: `external-dns ${zoneName}`,
    tag: `${dnsZoneTag}:${zoneName}`,
  };
}

/** In seconds. Source: Azure/ARO-HCP. */
export const delegationTtl = 3600;

interface NamedZone {
  readonly name?: string | undefined;
  readonly zoneType?: string | undefined;
}

/** The closest public zones above a zone: several if they have one name, and only one of them is delegated. */
export function parentZonesOf<Zone extends NamedZone>(zones: readonly Zone[], child: string): Zone[] {
  const above = zonesAbove(zones, child);
  const longest = Math.max(...above.map(({ name = "" }) => name.length));
  return above.filter(({ name = "" }) => name.length === longest);
}

export function zonesAbove<Zone extends NamedZone>(zones: readonly Zone[], child: string): Zone[] {
  return zones.filter(
    ({ name, zoneType }) => name !== undefined && child.toLowerCase().endsWith(`.${name.toLowerCase()}`) && zoneType !== "Private",
  );
}

/** The name of a zone's record set in a parent zone: `blue` for `blue.example.com` in `example.com`. */
export function nameInParent(child: string, parent: string): string {
  return child.slice(0, -parent.length - 1);
}

/** "A", "CNAME": the last part of the type of a record set. */
export function recordKind({ id = "" }: { readonly id?: string | undefined }): string {
  return parseResourceId(id).type.split("/").at(-1)?.toUpperCase() ?? "";
}

/** A name server's name for comparison: lower case, without the trailing dot. */
export function plainServer(server: string): string {
  return server.toLowerCase().replace(/\.$/, "");
}

const serversKey = "aro-hcp-name-servers";

/** Recorded in the metadata of a delegation: they show whose it is after the zone is gone. */
export function serversMetadata(nameServers: readonly string[]): Record<string, string> {
  return { [serversKey]: nameServers.map(plainServer).join(",") };
}

/** The name servers that a create wrote; undefined if none are recorded. */
export function recordedServers(metadata: Tags): string[] | undefined {
  return tagValue(metadata, serversKey)?.split(",");
}

/** Whether both lists have the same name servers, in any order and spelling. */
export function sameServers(one: readonly string[], other: readonly string[]): boolean {
  const plain = new Set(other.map(plainServer));
  return one.length === other.length && one.every((server) => plain.has(plainServer(server)));
}
