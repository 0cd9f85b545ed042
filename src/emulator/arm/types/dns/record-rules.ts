/** The rules that a record set must keep, beyond the form of its body. */
import type { AzureState, StoredResource } from "../../../state/state.js";
import { apex } from "../../../state/zone-apex.js";
import { resourcesByCollection } from "../../indexes.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import { recordTypes, type RecordType, type ZoneKind } from "./record-types.js";
import { badRequest, conflict } from "./refusals.js";

const longestTtl = 2_147_483_647;
const recordsPerSet = 20;

export function recordSetLimit({ knobs }: AzureState, kind: ZoneKind): number {
  return knobs?.recordSetLimit ?? (kind === "public" ? 10_000 : 25_000);
}

export function recordSetsOf(state: AzureState, zoneId: string, kind: ZoneKind): StoredResource[] {
  return recordTypes(kind).flatMap(({ name }) => childrenOf(state, zoneId, name));
}

export function countRecordSets({ resources }: AzureState, zoneId: string, kind: ZoneKind): number {
  return recordTypes(kind).reduce((sum, { name }) => sum + resourcesByCollection.count(resources, keyOf(`${zoneId}/${name}`)), 0);
}

export function checkTtl(call: ArmCall, ttl: unknown): void {
  if (typeof ttl !== "number" || ttl < 0 || ttl > longestTtl) throw badRequest(call);
}

/** @throws ApiError if there are too many records, or one leads to what is no domain name */
export function checkRecords(call: ArmCall, { domain, member }: RecordType, records: readonly Readonly<Record<string, unknown>>[]): void {
  if (records.length > recordsPerSet) {
    const message = `The record set has ${String(records.length)} ${member} of ${String(recordsPerSet)} allowed.`;
    throw conflict(call, "MaximumNumberOfRecordsReached", message);
  }
  if (domain === undefined) return;
  const wrong = records.map((record) => String(record[domain])).find((name) => !isDomain(name));
  if (wrong !== undefined) throw badRequest(call, `The domain name '${wrong}' is invalid.`);
}

/** Also "." alone, which stands for no host at all. */
function isDomain(name: string): boolean {
  return (
    name === "." ||
    (name.length <= 254 &&
      name
        .replace(/\.$/, "")
        .split(".")
        .every((label) => /^[^\s"']{1,63}$/.test(label)))
  );
}

/** No other record set has the name of an alias, so there is no alias at the apex, which always has a record set. */
export function checkAlias(call: ArmCall, kind: ZoneKind, zone: StoredResource, { name: type }: RecordType, name: string): void {
  const has = (other: string) => keyOf(`${zone.id}/${other}/${name}`) in call.state.resources;
  if (type === "CNAME" && recordTypes(kind).some((other) => has(other.name))) {
    throw namingConflict(
      call,
      "The CNAME record could not be created because another record with the same name already exists in this zone.",
    );
  }
  if (type !== "CNAME" && has("CNAME")) {
    throw namingConflict(call, "The record could not be created because a CNAME record with the same name already exists in this zone.");
  }
}

function namingConflict(call: ArmCall, message: string) {
  return conflict(call, "CannotCreateRecordDueToCNameNamingRestriction", message);
}

export function checkSetCount(call: ArmCall, kind: ZoneKind, zone: StoredResource): void {
  const held = countRecordSets(call.state, zone.id, kind);
  const limit = recordSetLimit(call.state, kind);
  if (held < limit) return;
  const problem = `You have reached or exceeded the maximum number of record resources in zone '${zone.name}'.`;
  throw conflict(
    call,
    "MaximumNumberOfRecordSetsReached",
    `${problem} You have ${String(held)} record resources of ${String(limit)} allowed.`,
  );
}

/** SOA is at the apex alone, and the apex keeps name servers of Azure DNS. */
export function checkApex(
  call: ArmCall,
  { name: type }: RecordType,
  name: string,
  records: readonly Readonly<Record<string, unknown>>[],
): void {
  if (type === "SOA" && name !== apex) throw badRequest(call, `A record set of type 'SOA' must have the name '${apex}'.`);
  if (type !== "NS" || name !== apex || records.filter(({ nsdname }) => isOfAzureDns(nsdname)).length >= 4) return;
  throw badRequest(call, `The name servers of Azure DNS cannot be removed from the record set '${apex}' of type 'NS'.`);
}

/** "ns1-01.azure-dns.com." */
export function isOfAzureDns(server: unknown): boolean {
  return typeof server === "string" && /\.azure-dns\.(?:com|net|org|info)\.?$/i.test(server);
}

/** Whether it is created and deleted with its zone only. */
export function isKept(kind: ZoneKind, recordType: string, name: string): boolean {
  return recordType === "SOA" || (kind === "public" && recordType === "NS" && name === apex);
}
