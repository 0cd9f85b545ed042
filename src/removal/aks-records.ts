/** The record sets of an AKS cluster in DNS zones of others: those that its create marked, as long as nothing but the cluster depends on them. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import type { AksClusterKey } from "../domain/aks/cluster-kind.js";
import { ownedBy } from "../domain/ownership.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { idKey, parseResourceId, sameId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Removal } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import { sameText } from "../text/same-text.js";
import type { Kept } from "./inventory.js";

/** A public zone with its record sets. */
export interface ZoneContents {
  readonly zone: Pick<Zone, "id" | "name" | "nameServers">;
  readonly sets: readonly RecordSet[];
}

export interface FoundRecord {
  readonly id: string;
  readonly title: string;
  /** As it was when it was found: a record that somebody changed since is not deleted. */
  readonly etag: string | undefined;
}

/** An address of the cluster. */
export interface OwnAddress {
  readonly id: string;
  readonly ipAddress: string | undefined;
}

export interface RecordDecision {
  readonly records: readonly FoundRecord[];
  readonly kept: readonly Kept[];
}

/** All public zones of the subscription that the caller may read: the cluster does not say which of them it uses. */
export async function readZones(azure: Azure): Promise<ZoneContents[]> {
  const { zones, recordSets } = await azure.dns();
  const listed = ((await orRefused(all(zones.list()))) ?? []).filter(({ zoneType }) => zoneType !== "Private");
  const read = await Promise.all(
    listed.map(async (zone) => {
      const { resourceGroup = "", name } = parseResourceId(zone.id ?? "");
      const sets = await orRefused(found(all(recordSets.listByDnsZone(resourceGroup, name))));
      return sets === undefined ? [] : [{ zone, sets }];
    }),
  );
  return read.flat();
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

/** Why the delegation of a zone is kept: it is another zone's by now, or the zone serves others too. Undefined if it is deleted. */
function delegationKept(
  { name = "", nsRecords = [] }: RecordSet,
  parent: string,
  zones: readonly ZoneContents[],
  isOwn: (id: string) => boolean,
): string | undefined {
  const child = zones.find(({ zone }) => sameText(zone.name, `${name}.${parent}`));
  if (child === undefined) return "the zone that it delegates cannot be read";
  const servers = (child.zone.nameServers ?? []).map(plainName);
  if (!nsRecords.every(({ nsdname = "" }) => servers.includes(plainName(nsdname)))) return "it delegates to other name servers";
  const others = child.sets.filter((set) => set.name !== "@" && !isOwn(set.id ?? ""));
  return others.length === 0 ? undefined : `zone ${child.zone.name ?? ""} also contains ${others.map((set) => set.name ?? "").join(", ")}`;
}

function plainName(server: string): string {
  return server.toLowerCase().replace(/\.$/, "");
}

export function recordRemoval(azure: Azure, { id, title, etag }: FoundRecord): Removal {
  return {
    id: idKey(id),
    title,
    resourceId: id,
    after: [],
    async remove({ note }) {
      const { recordSets } = await azure.dns();
      const { resourceGroup = "", type, names } = parseResourceId(id);
      const [zone = "", name = ""] = names;
      const kind = sameType(type, addressRecord.type) ? "A" : "NS";
      try {
        await found(recordSets.delete(resourceGroup, zone, name, kind, etag === undefined ? {} : { ifMatch: etag }));
      } catch (error) {
        if (!isRestError(error) || error.statusCode !== 412) throw error;
        // The last read decides again whether it is the cluster's.
        note("another client changed it");
        return;
      }
      // Once the address is deleted too, nothing shows any more that the record was the cluster's.
      const left = await found(recordSets.get(resourceGroup, zone, name, kind));
      if (left !== undefined && left.etag === etag) throw new Stale("Azure still has it after its deletion");
    },
  };
}
