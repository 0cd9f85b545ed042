/** The types of record sets, with their members, records and names. */
import { z } from "zod";
import { known } from "../../body-schema.js";

/** Private zones spell the members of a record set `aRecords` and `ttl`, public ones `ARecords` and `TTL`. */
export type ZoneKind = "public" | "private";

export interface RecordType {
  /** "A": the last segment of the resource type. */
  readonly name: string;
  /** "ARecords", "caaRecords", "cnameRecord". */
  readonly member: string;
  /** The schema of the member's value. */
  readonly schema: z.ZodType;
  /** A set with a single record, not a list of them. */
  readonly single: boolean;
  /** The member of a record that must be a domain name. */
  readonly domain?: string;
  /** Those of the zone by default. */
  readonly apiVersions?: readonly string[];
}

interface Content extends Pick<RecordType, "domain" | "apiVersions"> {
  readonly schema: z.ZodType;
  readonly single?: true;
  /** Only in zones of this kind. */
  readonly only?: ZoneKind;
}

const byte = z.int().min(0).max(255);
const short = z.int().min(0).max(65_535);
const seconds = z.int().min(0).max(2_147_483_647);
const text = z.string();
const newest = { only: "public", apiVersions: ["2023-07-01-preview"] } as const;

/** All but SOA, whose members are not the same in both kinds of zones. */
const contents: Readonly<Record<string, Content>> = {
  A: { schema: known({ ipv4Address: z.ipv4() }) },
  AAAA: { schema: known({ ipv6Address: z.ipv6() }) },
  CAA: { schema: known({ flags: byte, tag: text, value: text }), only: "public" },
  CNAME: { schema: known({ cname: text }), single: true, domain: "cname" },
  DS: {
    schema: known({ keyTag: short, algorithm: byte, digest: known({ algorithmType: byte, value: text }) }),
    ...newest,
  },
  MX: { schema: known({ preference: short, exchange: text }), domain: "exchange" },
  NAPTR: {
    schema: known({ order: short, preference: short, flags: text, services: text, regexp: text, replacement: text }),
    ...newest,
  },
  NS: { schema: known({ nsdname: text }), domain: "nsdname", only: "public" },
  PTR: { schema: known({ ptrdname: text }), domain: "ptrdname" },
  SRV: { schema: known({ priority: short, weight: short, port: short, target: text }), domain: "target" },
  TLSA: { schema: known({ usage: byte, selector: byte, matchingType: byte, certAssociationData: text }), ...newest },
  TXT: { schema: known({ value: z.array(text) }) },
};

/** What is not sent keeps its value. */
function soa(kind: ZoneKind): z.ZodType {
  const minimum = kind === "public" ? "minimumTTL" : "minimumTtl";
  const times = { refreshTime: seconds, retryTime: seconds, expireTime: seconds, [minimum]: seconds };
  const members: Record<string, z.ZodType> = { host: text, email: text, serialNumber: z.int(), ...times };
  return known(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, schema.optional()])));
}

const types = { public: typesOf("public"), private: typesOf("private") };

export function recordTypes(kind: ZoneKind): readonly RecordType[] {
  return types[kind];
}

function typesOf(kind: ZoneKind): RecordType[] {
  return Object.entries({ ...contents, SOA: { schema: soa(kind), single: true } satisfies Content })
    .filter(([, { only = kind }]: [string, Content]) => only === kind)
    .map(([name, { schema, single, domain, apiVersions }]: [string, Content]) => ({
      name,
      member: `${spelled(name, kind)}${single ? "Record" : "Records"}`,
      schema: single ? schema : z.array(schema),
      single: single === true,
      ...(domain !== undefined && { domain }),
      ...(apiVersions !== undefined && { apiVersions }),
    }));
}

/** CAA is the newer one of the public types, which are otherwise in upper case. */
function spelled(name: string, kind: ZoneKind): string {
  return kind === "private" || name === "CAA" ? name.toLowerCase() : name;
}

/** The names of DNS zones and record sets that Azure allows. */
const label = "[a-zA-Z0-9_](?:[\\w-]{0,61}[a-zA-Z0-9_])?";

/** A zone of `labels` to 34 labels. */
export function zoneName(labels: number): RegExp {
  return new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label}){${String(labels - 1)},33}$`);
}

/** A record set's name relative to its zone: "@", "*", "api.demo", "*.apps.demo". */
export const recordSetName = new RegExp(`^(?:@|\\*|(?:\\*\\.)?${label}(?:\\.${label})*)$`);
