/** The files of `create dns-zone`: the zone with its delegation, and the azure.json of ExternalDNS. */
import { z } from "zod";
import { delegationTtl, externalDnsIdentities } from "../../domain/dns-zone.js";
import { sameText } from "../../text/same-text.js";
import { uuid } from "../../files/fields.js";
import { documentOwner, type OutputFile } from "../../files/output-file.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

/** Incremented when a key changes its meaning or is removed; new keys do not increment it. */
const version = 1;

const record = z.strictObject({
  name: z.string(),
  type: z.literal("NS"),
  /** Seconds. */
  ttl: z.number(),
  /** A name server. */
  value: z.string(),
});

export const delegationSchema = z.strictObject({
  /** The parent zone, if this subscription has it. */
  parentZone: z.string().nullable(),
  isDelegated: z.boolean(),
  /** Why the owner of the parent zone must write the records; null if they are there. */
  reason: z.string().nullable(),
  recordsToHandOver: z.array(record),
});

const externalDns = z.strictObject({
  identityKind: z.enum(externalDnsIdentities),
  /** "" until it is created. */
  clientID: z.string(),
  /** The issuer whose tokens the identity trusts; null if none was passed. */
  oidcIssuerURL: z.string().nullable(),
  /** Set for workload identity, otherwise null. */
  namespace: z.string().nullable(),
  serviceAccountName: z.string().nullable(),
});

export const dnsZoneSchema = z.strictObject({
  schemaVersion: z.literal(version),
  kind: z.literal("dns-zone"),
  name: z.string(),
  cloud: z.string(),
  subscriptionID: uuid,
  tenantID: uuid,
  resourceGroupName: z.string(),
  /** "" until it is created. */
  zoneID: z.string(),
  nameServers: z.array(z.string()),
  /** Null until the zone exists. */
  delegation: delegationSchema.nullable(),
  externalDNS: externalDns.nullable(),
});

export type DnsZoneOutputFile = z.output<typeof dnsZoneSchema>;

export type KnownDnsZone = Omit<DnsZoneOutputFile, "schemaVersion" | "kind">;

export function dnsZoneOutput(known: KnownDnsZone): DnsZoneOutputFile {
  return { schemaVersion: version, kind: "dns-zone", ...known };
}

/** Earlier versions of this program wrote fewer keys, and later ones may write more. */
const earlierOutput = z
  .looseObject(dnsZoneSchema.shape)
  .partial()
  .required({ schemaVersion: true, kind: true, name: true, subscriptionID: true, resourceGroupName: true });

/** The file at the path; one of another zone, or of another program, is not replaced. */
export function dnsZoneFile(path: string, zone: Pick<KnownDnsZone, "name" | "subscriptionID" | "resourceGroupName">): OutputFile {
  return {
    path,
    otherOwner: documentOwner(earlierOutput, (found) => {
      const keys = ["name", "subscriptionID", "resourceGroupName"] as const;
      if (keys.every((key) => sameText(found[key], zone[key]))) return undefined;
      return `the file of zone ${found.name} in resource group ${found.resourceGroupName} of subscription ${found.subscriptionID}`;
    }),
  };
}

/** @throws ARO-FILE-001, 002 or 003 */
export async function readExternalDnsClient(path: string): Promise<string | undefined> {
  return validate(await readDocument(path), earlierOutput, "an output file of create dns-zone").externalDNS?.clientID;
}

/** `handOver`: why the owner of the parent zone must write them. */
export function delegationOutput(
  { name, nameServers }: Pick<KnownDnsZone, "name" | "nameServers">,
  { parentZone, handOver }: { readonly parentZone: string | undefined; readonly handOver: string | undefined },
): NonNullable<KnownDnsZone["delegation"]> {
  const records = nameServers.map((value) => ({ name, type: "NS" as const, ttl: delegationTtl, value }));
  return {
    parentZone: parentZone ?? null,
    isDelegated: handOver === undefined,
    reason: handOver ?? null,
    recordsToHandOver: handOver === undefined ? [] : records,
  };
}

/** One line for each record, as in a zone file. */
export function recordLines({ recordsToHandOver }: NonNullable<KnownDnsZone["delegation"]>): string[] {
  return recordsToHandOver.map(({ name, type, ttl, value }) => `${name}. ${String(ttl)} IN ${type} ${value}`);
}
