/** `destroy dns-zone`: deletes the identities of ExternalDNS, the delegation, the zone, and its group if that is empty. */
import { dnsZoneIds, dnsZoneRemovals, recordsRefusal, takeDnsZone } from "../../removal/dns-zone.js";
import { noSuchDnsZone } from "../../removal/nothing-found.js";
import { recoverableApplications } from "../../removal/recoverable.js";
import { zoneInUse, zoneUsers } from "../../removal/zone-users.js";
import type { Resolved } from "../../settings/settings.js";
import { dnsZonePlace } from "../inputs/dns-zone.js";
import type { ProcessPort } from "../process-port.js";
import { applyRemovals } from "../run/destroy.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";

const command = "destroy dns-zone";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { baseDomain: name } = settings;
  return withConnection({ ...settings, command, consentTo: `destroying ${name}`, deletes: true }, notices, port, async (azure, context) => {
    const place = dnsZonePlace(settings, azure);
    const take = () => takeDnsZone(azure, place, settings);
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
      refusal: (dnsZoneIds(inventory, settings).length > 0 ? used : undefined) ?? recordsRefusal(inventory, settings),
      usedByOthers,
      nothingFound: () => (dnsZoneIds(inventory, settings).length === 0 ? noSuchDnsZone(azure, place) : undefined),
      leftovers: async () => dnsZoneIds((inventory = await take()), settings),
      ...(application && {
        softDeleted: "a deleted application for 30 days, with its name; --purge deletes it permanently",
        // The last read, when nothing was left.
        recoverable: () => Promise.resolve(recoverableApplications(inventory.deletedApplications, "rerun the original create dns-zone")),
      }),
    });
  });
}
