/** The record sets of public and private zones: a resource type for each type of record. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { nameOf } from "../../resource-id.js";
import { defineType, type Put, type ResourceBody, type ResourceType } from "../../resource-type.js";
import { known } from "../../body-schema.js";
import { parentResource } from "../../uses.js";
import { recordSetName, recordTypes, type RecordType, type ZoneKind } from "./record-types.js";
import { arranged } from "./record-lists.js";
import { checkAlias, checkApex, checkRecords, checkSetCount, checkTtl, isKept, isOfAzureDns } from "./record-rules.js";
import { doesNotExist, unmetCondition } from "./refusals.js";

export function recordSets(kind: ZoneKind, zoneType: string, apiVersions: readonly string[]): readonly ResourceType[] {
  return recordTypes(kind).map((type) => recordSet(kind, zoneType, type, type.apiVersions ?? apiVersions));
}

interface RecordBody extends ResourceBody {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

function recordSet(kind: ZoneKind, zoneType: string, type: RecordType, apiVersions: readonly string[]): ResourceType {
  const ttl = kind === "public" ? "TTL" : "ttl";
  return defineType<RecordBody>({
    name: `${zoneType}/${type.name}`,
    apiVersions,
    verbs: ["read", "write", "tags", "delete"],
    kind: "proxy",
    ...(kind === "private" ? { lowerCaseNames: true } : { missingParent: "by name" }),
    namePattern: recordSetName,
    nameRule: "It must be '@', '*', or labels of letters, digits, '_' or '-', divided by dots.",
    body: bodyOf(kind, type, ttl),
    patchLikePut: true,
    etag: "plain",
    latency: { put: "recordSet.put", delete: "recordSet.delete" },
    selectListed: (query, sets) => arranged(kind, query, sets),
    missingRefusal: (id, call) => doesNotExist(call, kind, id, `The resource record '${nameOf(id)}'`),
    conditionRefusal: (call, id, condition) => unmetCondition(call, `Record set ${nameOf(id)}`, condition),
    checkPut(put) {
      const { call, state, id, name, body, existing } = put;
      const zone = parentResource(state, id);
      const records = recordsIn(type, body);
      checkTtl(call, body.properties?.[ttl]);
      checkRecords(call, type, records);
      checkApex(call, type, name, records);
      if (existing !== undefined) return;
      checkAlias(call, kind, zone, type, name);
      checkSetCount(call, kind, zone);
    },
    storedProperties: (put) => stored(kind, type, ttl, put),
    checkDelete(_state, { name }) {
      if (!isKept(kind, type.name, name)) return;
      throw new ApiError(400, "BadRequest", `The record set '${name}' of type '${type.name}' is deleted with its zone only.`);
    },
  });
}

/** Built when it is needed: there are many types, and a run needs few of them. */
function bodyOf(kind: ZoneKind, { member, schema }: RecordType, ttl: string): z.ZodType<RecordBody> {
  return z.lazy(() => {
    const shape: Record<string, z.ZodType> = {
      [ttl]: z.int().optional(),
      [member]: schema.optional(),
      metadata: z.record(z.string(), z.string()).optional(),
      // Answered as `{}` without an alias, and sent back so.
      ...(kind === "public" && { targetResource: z.looseObject({ id: z.string().optional() }).optional() }),
    };
    const properties = known(shape, ["fqdn", "provisioningState", "isAutoRegistered"]);
    return known({ properties: properties.optional() }, ["id", "name", "type", "etag"]);
  });
}

type Records = readonly Readonly<Record<string, unknown>>[];

function recordsIn({ member }: RecordType, { properties }: RecordBody): Records {
  const sent = properties?.[member] ?? [];
  const records: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  return records as Records;
}

function stored(kind: ZoneKind, type: RecordType, ttl: string, put: Put<RecordBody>): Record<string, unknown> {
  const { metadata, [ttl]: seconds, targetResource = {} } = put.body.properties ?? {};
  const fqdn = fullName(put.name, parentResource(put.state, put.id).name);
  const common = { ...(metadata !== undefined && { metadata }), [ttl]: seconds };
  return kind === "public"
    ? { ...common, fqdn, ...contentOf(type, put, ["host"]), targetResource, provisioningState: "Succeeded" }
    : { ...common, fqdn: fqdn.toLowerCase(), ...contentOf(type, put, ["host", "serialNumber"]), isAutoRegistered: false };
}

function fullName(name: string, zone: string): string {
  return `${name === "@" ? "" : `${name}.`}${zone}.`;
}

/** A list is empty if none is sent. No client changes the `fixed` members of a SOA record, except for a public host within Azure DNS. */
function contentOf({ name, member, single }: RecordType, { body, existing }: Put<RecordBody>, fixed: readonly string[]) {
  const sent = body.properties?.[member] as Readonly<Record<string, unknown>> | undefined;
  if (name !== "SOA") return sent === undefined && single ? {} : { [member]: sent ?? [] };
  const held = (existing?.properties[member] ?? {}) as Readonly<Record<string, unknown>>;
  const kept = Object.entries(held).filter(([key]) => fixed.includes(key) && !isOfAzureDns(sent?.[key]));
  return { [member]: { ...held, ...sent, ...Object.fromEntries(kept) } };
}
