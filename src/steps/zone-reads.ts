/** What a command for a public DNS zone reads before it knows the zone's settings, which the tags of the zone record. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { readAhead, type ReadAhead } from "../azure/read-ahead.js";
import type { DnsZonePlace } from "../domain/dns-zone.js";
import { listedZones, type ZoneList } from "./listed-zones.js";

export interface ZoneReads {
  readonly zone: Pick<ReadAhead<Zone | undefined>, "take">;
  /** The DNS zones of the subscription. */
  readonly listed: ZoneList;
}

/** Reads nothing ahead. */
export function zoneReads(azure: Azure): ZoneReads {
  return { zone: readAhead(), listed: listedZones(azure) };
}

/** `live` is the zone, which the graph of these reads does not read a second time. */
export function startZoneReads(azure: Azure, place: DnsZonePlace): { readonly reads: ZoneReads; readonly live: Promise<Zone | undefined> } {
  const zone = readAhead<Zone | undefined>();
  return { reads: { zone, listed: listedZones(azure) }, live: zone.start(() => readZone(azure, place)) };
}

export async function readZone(
  azure: Azure,
  { groupName, zoneName }: Pick<DnsZonePlace, "groupName" | "zoneName">,
): Promise<Zone | undefined> {
  return found((await azure.dns()).zones.get(groupName, zoneName));
}
