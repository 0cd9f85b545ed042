/** `destroy dns-zone`: deletes the identities of ExternalDNS, the delegation, the zone, and its group if that is empty. */
import { advise, type Advice } from "../../errors/advice.js";
import { noSuchDnsZone } from "../not-found.js";
import { findDnsZone, type FoundDnsZone } from "../removal.js";
import { leftOf } from "../../removal/owned.js";
import { zoneInUse } from "../zone-users.js";
import type { Resolved } from "../../settings/settings.js";
import { dnsZonePlace } from "../inputs.js";
import { earlierExternalDns } from "../earlier-external-dns.js";
import type { ProcessPort } from "../../run/process-port.js";
import { destroy } from "../../run/destroy.js";
import type { DnsZonePlace } from "../../domain/dns-zone.js";

const command = "destroy dns-zone";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { baseDomain: name } = settings;
  return destroy({ settings, notices, port, command, subject: name, names: { dnsZone: name } }, async (azure) => {
    const place = dnsZonePlace(settings, azure);
    const files = earlierExternalDns(settings);
    const usedByOthers = () => zoneInUse(azure, place);
    const [found, used] = await Promise.all([findDnsZone(azure, place, settings, { files }), usedByOthers()]);
    return {
      found,
      findAgain: () => findDnsZone(azure, place, settings, { files, before: found }),
      refusal: (leftOf(found).length > 0 ? used : undefined) ?? found.refusal,
      usedByOthers,
      nothingFound: () => noSuchDnsZone(azure, place),
      next: handedOver(place, found),
    };
  });
}

/** Whoever gets the name servers next could answer for the zone, as long as a zone elsewhere delegates to them. */
function handedOver({ zoneName }: DnsZonePlace, { handedOver: servers }: FoundDnsZone): readonly Advice[] {
  if (servers.length === 0) return [];
  return [advise`if a DNS zone elsewhere delegates ${zoneName}, have its NS records removed: ${servers.join(", ")}`];
}
