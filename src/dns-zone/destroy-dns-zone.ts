/** `destroy dns-zone`: deletes the identities of ExternalDNS, the delegation, the zone, and its group if that is empty. */
import { advise, type Advice } from "../errors/advice.js";
import { dnsZoneIds, dnsZoneRemovals, takeDnsZone, zoneRefusal, type DnsZoneInventory } from "./removal.js";
import { recoverableApplications } from "../removal/recoverable.js";
import { zoneInUse, zoneUsers } from "./zone-users.js";
import type { Resolved } from "../settings/settings.js";
import { dnsZonePlace } from "./inputs.js";
import { earlierExternalDns } from "./earlier-clients.js";
import type { ProcessPort } from "../run/process-port.js";
import { applyRemovals } from "../run/destroy.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import type { Azure } from "../azure/azure.js";
import { type DnsZonePlace, dnsZoneTag } from "../domain/dns-zone.js";
import { ownedBy } from "../domain/ownership.js";
import { sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { noSuchOwner } from "../removal/nothing-found.js";
import { sameText } from "../text/same-text.js";

const command = "destroy dns-zone";

/** Whoever gets the name servers next could answer for the zone, as long as a zone elsewhere delegates to them. */
function handedOver({ place, zoneId, handedOver: servers }: DnsZoneInventory): readonly Advice[] {
  if (zoneId === undefined || servers.length === 0) return [];
  return [advise`if a DNS zone elsewhere delegates ${place.zoneName}, have its NS records removed: ${servers.join(", ")}`];
}

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { baseDomain: name } = settings;
  return withConnection({ ...settings, command, consentTo: `destroying ${name}`, deletes: true }, notices, port, async (azure, context) => {
    const place = dnsZonePlace(settings, azure);
    const files = earlierExternalDns(settings);
    const take = (before?: DnsZoneInventory) => takeDnsZone(azure, place, settings, { files, ...(before && { before }) });
    const usedByOthers = async () => zoneInUse(place, await zoneUsers(azure, place));
    const [first, used] = await Promise.all([take(), usedByOthers()]);
    let inventory = first;
    const { kept, application } = inventory;
    return applyRemovals(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { dnsZone: name }),
      removals: dnsZoneRemovals(azure, inventory, settings),
      kept,
      refusal: (dnsZoneIds(inventory, settings).length > 0 ? used : undefined) ?? zoneRefusal(inventory, settings),
      usedByOthers,
      nothingFound: () => (dnsZoneIds(inventory, settings).length === 0 ? noSuchDnsZone(azure, place) : undefined),
      next: handedOver(inventory),
      leftovers: async () => dnsZoneIds((inventory = await take(first)), settings),
      ...(application && {
        // The last read, when nothing was left.
        recoverable: () => Promise.resolve(recoverableApplications(inventory.deletedApplications, "rerun the original create dns-zone")),
      }),
    });
  });
}

/** What a destroy says if there is no such DNS zone. */
function noSuchDnsZone(azure: Azure, { zoneName: name, groupName }: DnsZonePlace): Promise<string> {
  const { type: zoneType } = resourceTypes.publicDnsZone;
  return noSuchOwner(azure, {
    ...{ what: "DNS zone", plural: "DNS zones", tag: dnsZoneTag, name, groupName, flag: "--dns-zone-rg-name" },
    isIts: ({ type = "", tags, ...one }) =>
      sameType(type, zoneType) && ownedBy(tags, { dnsZone: name }) === "ours" && sameText(one.name, name),
  });
}
