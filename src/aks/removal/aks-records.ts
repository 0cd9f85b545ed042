/** The record sets that the create of an AKS cluster marked in DNS zones of others. */
import type { RecordSet } from "@azure/arm-dns";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import { ownedBy } from "../../domain/ownership.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { delegationKept, type FoundRecord, type ZoneContents } from "../../removal/dns-records.js";
import type { Kept } from "../../removal/owned.js";

/** An address of the cluster. */
export interface OwnAddress {
  readonly id: string;
  readonly ipAddress: string | undefined;
}

export interface RecordDecision {
  readonly records: readonly FoundRecord[];
  readonly kept: readonly Kept[];
}

const { addressRecord, nameServerRecord } = resourceTypes;

/** Somebody may have reused the name of a marked record for something else, which is then kept. */
export function decideRecords(cluster: AksClusterKey, addresses: readonly OwnAddress[], zones: readonly ZoneContents[]): RecordDecision {
  const marked = zones.flatMap(({ zone, sets }) =>
    sets.filter(({ metadata }) => ownedBy(metadata, cluster) === "ours").map((set) => ({ zone, set, id: set.id ?? "" })),
  );
  const addressRecords = marked.filter(({ id }) => sameType(parseResourceId(id).type, addressRecord.type));
  const own = addressRecords.filter(({ set }) => pointsTo(set, addresses));
  const isOwn = (id: string) => own.some((one) => sameId(one.id, id));
  const delegations = marked.filter(({ id }) => sameType(parseResourceId(id).type, nameServerRecord.type));
  const decided = delegations.map((one) => ({ ...one, why: delegationKept(one.set, one.zone.name ?? "", zones, isOwn) }));
  const titled = ({ id, set, zone }: (typeof marked)[number], row: typeof addressRecord | typeof nameServerRecord) => ({
    id,
    title: titleOf(row, `${set.name ?? ""}.${zone.name ?? ""}`),
    etag: set.etag,
  });
  const keptFor = (one: (typeof marked)[number], row: typeof addressRecord | typeof nameServerRecord, why: string) => {
    const { id, title } = titled(one, row);
    return { id, title, why };
  };
  return {
    records: [
      ...own.map((one) => titled(one, addressRecord)),
      ...decided.flatMap((one) => (one.why === undefined ? [titled(one, nameServerRecord)] : [])),
    ],
    kept: [
      ...addressRecords
        .filter(({ id }) => !isOwn(id))
        .map((one) => keptFor(one, addressRecord, "points to an address that is not deleted with this cluster")),
      ...decided.flatMap((one) => (one.why === undefined ? [] : [keptFor(one, nameServerRecord, one.why)])),
    ],
  };
}

/** Whether it has addresses of the cluster and no others. */
function pointsTo({ aRecords = [], targetResource }: RecordSet, addresses: readonly OwnAddress[]): boolean {
  if (targetResource?.id !== undefined) return addresses.some(({ id }) => sameId(id, targetResource.id ?? ""));
  return aRecords.length > 0 && aRecords.every(({ ipv4Address }) => addresses.some(({ ipAddress }) => ipAddress === ipv4Address));
}
