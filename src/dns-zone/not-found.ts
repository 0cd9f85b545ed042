/** What a command says if there is no such DNS zone. */
import type { Azure } from "../azure/azure.js";
import { type DnsZonePlace, dnsZoneTag } from "../domain/dns-zone.js";
import { ownedBy } from "../domain/ownership.js";
import { sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { noSuchOwner } from "../removal/nothing-found.js";
import { sameText } from "../text/same-text.js";

export function noSuchDnsZone(azure: Azure, { zoneName: name, groupName }: DnsZonePlace): Promise<string> {
  const { type: zoneType } = resourceTypes.publicDnsZone;
  return noSuchOwner(azure, {
    what: "DNS zone",
    plural: "DNS zones",
    tag: dnsZoneTag,
    name,
    groupName,
    flag: "--dns-zone-rg-name",
    isIts: ({ type = "", tags, ...one }) =>
      sameType(type, zoneType) && ownedBy(tags, { dnsZone: name }) === "ours" && sameText(one.name, name),
  });
}
