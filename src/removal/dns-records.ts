/** Record sets in DNS zones that a create marked in their metadata, and their removal. */
import { isRestError } from "@azure/core-rest-pipeline";
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { plainServer } from "../domain/dns-zone.js";
import { idKey, parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { StepIo } from "../engine/step.js";
import { Stale } from "../errors/stale.js";
import { sameText } from "../text/same-text.js";
import { removalOf, type OwnedRemoval } from "./owned.js";

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

/** Why the delegation of a zone is kept: it is another zone's by now, or the zone serves others too. Undefined if it is deleted. */
export function delegationKept(
  { name = "", nsRecords = [] }: RecordSet,
  parent: string,
  zones: readonly ZoneContents[],
  isOwn: (id: string) => boolean,
): string | undefined {
  const child = zones.find(({ zone }) => sameText(zone.name, `${name}.${parent}`));
  if (child === undefined) return "the zone that it delegates cannot be read";
  const servers = (child.zone.nameServers ?? []).map(plainServer);
  if (!nsRecords.every(({ nsdname = "" }) => servers.includes(plainServer(nsdname)))) return "it delegates to other name servers";
  const others = child.sets.filter((set) => set.name !== "@" && !isOwn(set.id ?? ""));
  return others.length === 0 ? undefined : `zone ${child.zone.name ?? ""} also contains ${others.map((set) => set.name ?? "").join(", ")}`;
}

export function recordRemoval(azure: Azure, { id, title, etag }: FoundRecord): OwnedRemoval {
  const { resourceGroup = "", type, names } = parseResourceId(id);
  const [zone = "", name = ""] = names;
  const kind = sameType(type, resourceTypes.addressRecord.type) ? "A" : "NS";
  const remove = async ({ note }: StepIo) => {
    const { recordSets } = await azure.dns();
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
  };
  return { ...removalOf(idKey(id), title, remove), resourceId: id };
}
