/** The record sets that delegate a DNS zone, and which of them a destroy may delete. */
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { nameInParent, plainServer, recordedServers, sameServers, zonesAbove, type DnsZonePlace } from "../domain/dns-zone.js";
import { ownedBy } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { advise, shell } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { delegationKept, type FoundRecord, type ZoneContents } from "../removal/dns-records.js";
import type { Kept } from "../removal/owned.js";

/** A record set that somebody else wrote or changed, and that names servers of the zone. */
export interface ForeignDelegation {
  readonly id: string;
  /** The name servers of the zone. */
  readonly servers: readonly string[];
}

interface Delegations {
  readonly found: readonly FoundRecord[];
  readonly foreign: readonly ForeignDelegation[];
  readonly kept: readonly Kept[];
  /** Whether a zone that the caller cannot read may delegate it. */
  readonly isHandedOver: boolean;
}

/** `listed`: all zones of the subscription; undefined if the caller may not list them. `deletesRecords`: those in the zone go with it. */
export async function delegationsOf(
  azure: Azure,
  { zoneName }: DnsZonePlace,
  {
    live,
    listed,
    deletesRecords,
  }: {
    readonly live: (ZoneContents & { readonly zone: Zone }) | undefined;
    readonly listed: readonly Zone[] | undefined;
    readonly deletesRecords: boolean;
  },
): Promise<Delegations> {
  const { recordSets } = await azure.dns();
  const title = titleOf(resourceTypes.nameServerRecord, zoneName);
  if (listed === undefined) {
    return { found: [], foreign: [], kept: [unread(title, "list the DNS zones of the subscription")], isHandedOver: true };
  }
  const above = zonesAbove(listed, zoneName);
  const sets = await Promise.all(
    above.map(async ({ id = "", name = "" }) => {
      const { resourceGroup = "" } = parseResourceId(id);
      const asked = await orRefused(
        found(recordSets.get(resourceGroup, name, nameInParent(zoneName, name), "NS")).then((set) => ({ set })),
      );
      if (asked === undefined) return { unread: [unread(title, `read the records of zone ${name}`)], sets: [] };
      const { set } = asked;
      return { unread: [], sets: set ? [{ set, why: keptFor(set, name) }] : [] };
    }),
  );
  const decided = sets.flatMap((one) => one.sets);
  const staying = decided.filter(({ why }) => why !== undefined);
  const ownServers = (live?.zone.nameServers ?? []).map(plainServer);
  return {
    found: decided.flatMap(({ set: { id = "", etag }, why }) => (why === undefined ? [{ id, title, etag }] : [])),
    foreign: staying.flatMap(({ set }) => {
      const servers = serversOf(set).filter((server) => ownServers.includes(plainServer(server)));
      return servers.length === 0 ? [] : [{ id: set.id ?? "", servers }];
    }),
    kept: [
      ...sets.flatMap((one) => one.unread),
      ...staying.flatMap(({ set, why = "" }) => (isOurs(set) ? [{ id: set.id ?? "", title, why }] : [])),
    ],
    isHandedOver: above.length === 0 || sets.some((one) => one.unread.length > 0),
  };

  function isOurs({ metadata }: RecordSet): boolean {
    return ownedBy(metadata, { dnsZone: zoneName }) === "ours";
  }

  function keptFor(set: RecordSet, parent: string): string | undefined {
    if (!isOurs(set)) return "create dns-zone did not create it";
    if (live !== undefined) return delegationKept(set, parent, [live], () => deletesRecords);
    const servers = serversOf(set);
    // A zone of others with this name, in another group, may have the records by now.
    const others = listed?.filter(({ name }) => sameText(name, zoneName)) ?? [];
    if (others.some(({ nameServers = [] }) => sameServers(servers, nameServers))) return "it delegates to another zone of this name";
    const isUnchanged = sameServers(servers, recordedServers(set.metadata) ?? []);
    return isUnchanged ? undefined : "the zone is gone, and somebody changed the name servers since";
  }
}

/** Azure gives the name servers of a deleted zone to others, who could then answer for its name. */
export function delegatedStill({ zoneName }: DnsZonePlace, { id, servers }: ForeignDelegation): Failure {
  const { resourceGroup = "", names } = parseResourceId(id);
  const [parent = "", relative = ""] = names;
  const flags = ["--resource-group", resourceGroup, "--zone-name", parent, "--record-set-name", relative];
  return new Failure("ARO-DNS-006", `zone ${parent} still delegates ${quotedTitleOf(resourceTypes.publicDnsZone, zoneName)}`, {
    because: "this record set is not of create dns-zone, and whoever gets the name servers next could answer for the zone",
    next: [
      advise`remove the zone's name servers from it: ${servers.map((server) => shell`az network dns record-set ns remove-record ${flags} --nsdname ${server}`)}`,
    ],
  });
}

function serversOf({ nsRecords = [] }: RecordSet): string[] {
  return nsRecords.map(({ nsdname = "" }) => nsdname);
}

/** A delegation that outlives its zone could be taken over, so it is not left out silently. */
function unread(title: string, permission: string): Kept {
  return { id: title, title, why: `it may exist, but the signed-in principal has no permission to ${permission}` };
}
