/** The public DNS zone of the region, which has the hostnames of a cluster's ingress: an existing one, whose other records stay. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { advise, blank, shell } from "../../errors/advice.js";
import type { IngressDomain } from "../../domain/aks/cluster-spec.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import type { ZoneList } from "../listed-zones.js";
import { refuse } from "../ownership-decision.js";

const row = resourceTypes.publicDnsZone;

export interface RegionalZoneOutput {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly nameServers: readonly string[];
}

/** The zone of `--regional-zone`: in the specified group, otherwise the only one of the subscription. */
export function regionalZone(azure: Azure, { zone: name, zoneGroup }: IngressDomain, listed: ZoneList): Step<RegionalZoneOutput> {
  return defineLookup({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true },
    needs: {},
    async read(): Promise<Zone[] | undefined> {
      if (zoneGroup !== undefined) {
        const zone = await found((await azure.dns()).zones.get(zoneGroup, name));
        return zone && [zone];
      }
      const matching = (await listed()).filter((zone) => sameText(zone.name, name) && zone.zoneType !== "Private");
      return matching.length === 0 ? undefined : matching;
    },
    decide(live = []) {
      if (live.length === 1) return { act: "adopt" };
      const where = zoneGroup === undefined ? "the subscription" : `resource group "${zoneGroup}"`;
      if (live.length === 0) {
        return refuse("ARO-DNS-001", `public DNS zone "${name}" not found in ${where}`, {
          because: "the hostnames of the ingress are published in the zone of the region",
          next: [
            "correct --regional-zone or --dns-zone-rg-name",
            advise`or create it: ${shell`az network dns zone create --name ${name} --resource-group ${zoneGroup ?? blank("group")}`}`,
          ],
        });
      }
      return refuse("ARO-DNS-002", `${plural(live.length, "public DNS zone")} "${name}" found in ${where}`, {
        because: live.map((zone) => zone.id ?? "").join(", "),
        next: ["pass the resource group of the delegated zone as --dns-zone-rg-name"],
      });
    },
    output([zone]) {
      const id = zone?.id ?? "";
      return { id, group: parseResourceId(id).resourceGroup ?? "", name, nameServers: zone?.nameServers ?? [] };
    },
  });
}
