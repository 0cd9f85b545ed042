/** Public DNS zones and their record sets. */
import { z } from "zod";
import { versionsOf } from "../../api-versions.js";
import { childNotFound } from "../../errors.js";
import { defineType, type ResourceType } from "../../resource-type.js";
import { isWithin, keyOf } from "../../resource-id.js";
import { known, oneOf, reference } from "../body-schema.js";
import { recordSetName, zoneName } from "./names.js";
import { parentResource } from "../uses.js";

const versions = versionsOf("Microsoft.Network/dnsZones", { from: "2017-09-01", preview: ["2018-03-01-preview", "2023-07-01-preview"] });
const readOnly = ["id", "name", "type", "etag"];

/** In the casing of Azure's answers. */
const zoneType = "Microsoft.Network/dnszones";

const zoneBody = known(
  {
    location: z.string(),
    tags: z.record(z.string(), z.string()).optional(),
    properties: known({ zoneType: oneOf("Public").optional() }, [
      "maxNumberOfRecordSets",
      "maxNumberOfRecordsPerRecordSet",
      "numberOfRecordSets",
      "nameServers",
    ]).optional(),
  },
  readOnly,
);

export const dnsZones = defineType<z.output<typeof zoneBody>>({
  name: zoneType,
  apiVersions: versions,
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  onlyLocation: "global",
  namePattern: zoneName(2),
  nameRule: "It must have 2 to 34 labels of 1 to 63 letters, digits, '_' or '-', divided by dots.",
  body: zoneBody,
  etag: "plain",
  latency: { put: "dnsZone.put", delete: "dnsZone.delete" },
  store: () => ({ maxNumberOfRecordSets: 10000, nameServers: nameServers(1), zoneType: "Public" }),
  present(state, { id, properties }) {
    const held = Object.keys(state.resources).filter((key) => key !== keyOf(id) && isWithin(key, id));
    // In addition to the created ones: SOA and NS at the apex.
    return { ...properties, numberOfRecordSets: held.length + 2 };
  },
});

function nameServers(shard: number): string[] {
  const number = String(shard).padStart(2, "0");
  return ["com", "net", "org", "info"].map((suffix, index) => `ns${String(index + 1)}-${number}.azure-dns.${suffix}.`);
}

/** The content of each type of record set: the member of its properties, and the schema of that member. */
const recordMembers = {
  A: { ARecords: z.array(known({ ipv4Address: z.ipv4() })) },
  AAAA: { AAAARecords: z.array(known({ ipv6Address: z.ipv6() })) },
  CAA: { caaRecords: z.array(known({ flags: z.int(), tag: z.string(), value: z.string() })) },
  CNAME: { CNAMERecord: known({ cname: z.string() }) },
  MX: { MXRecords: z.array(known({ preference: z.int(), exchange: z.string() })) },
  NS: { NSRecords: z.array(known({ nsdname: z.string() })) },
  PTR: { PTRRecords: z.array(known({ ptrdname: z.string() })) },
  SRV: { SRVRecords: z.array(known({ priority: z.int(), weight: z.int(), port: z.int(), target: z.string() })) },
  TXT: { TXTRecords: z.array(known({ value: z.array(z.string()) })) },
} satisfies Record<string, z.ZodRawShape>;

export const recordSets: readonly ResourceType[] = Object.entries(recordMembers).map(([type, member]) => recordSet(type, member));

function recordSet(type: string, member: z.ZodRawShape): ResourceType {
  const [memberName = ""] = Object.keys(member);
  const optional = Object.fromEntries(Object.entries(member).map(([name, schema]) => [name, (schema as z.ZodType).optional()]));
  const body = known(
    {
      properties: known(
        {
          ...optional,
          TTL: z.int().min(1).max(2_147_483_647),
          metadata: z.record(z.string(), z.string()).optional(),
          targetResource: reference.optional(),
        },
        ["fqdn", "provisioningState"],
      ),
    },
    readOnly,
  );
  return defineType<z.output<typeof body>>({
    name: `${zoneType}/${type}`,
    apiVersions: versions,
    verbs: ["read", "write", "delete"],
    kind: "proxy",
    namePattern: recordSetName,
    nameRule: "It must be '@', '*', or labels of letters, digits, '_' or '-', divided by dots.",
    body,
    etag: "plain",
    latency: { put: "recordSet.put", delete: "recordSet.delete" },
    missing: childNotFound,
    store: ({ state, id, name, body: { properties } }) => ({
      [memberName]: type === "CNAME" ? undefined : [],
      ...properties,
      fqdn: `${name === "@" ? "" : `${name}.`}${parentResource(state, id).name}.`,
      targetResource: properties["targetResource"] ?? {},
      provisioningState: "Succeeded",
    }),
  });
}
