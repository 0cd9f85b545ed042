/** Which clusters use a public DNS zone, also before they publish records in it. */
import type { Azure } from "../azure/azure.js";
import type { DnsZonePlace } from "../domain/dns-zone.js";
import { assignedComponents } from "../domain/components.js";
import { infraNames } from "../domain/names.js";
import { infraIdTag } from "../domain/ownership.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { resourceGroupId, sameId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { tagValue } from "../domain/tags.js";
import type { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { assignmentsOf } from "../removal/assignments.js";
import { clustersIn, nameOf, type NamedCluster } from "../removal/existing-clusters.js";
import { usedByClusters } from "../removal/set-in-use.js";
import { readSubscriptionLists } from "../removal/subscription-lists.js";

const zoneComponents = assignedComponents.filter(({ assigned }) => assigned.scopes.includes("dns")).map(({ key }) => key);

type User = Pick<NamedCluster, "infraId" | "name">;

/** The name of its private zone shows a cluster's base domain. One of hypershift has no tags: a role assignment on the group of the zone shows it. */
async function zoneUsers(azure: Azure, { subscriptionId, groupName, zoneName }: DnsZonePlace): Promise<User[]> {
  const lists = await readSubscriptionLists(azure);
  const group = resourceGroupId(subscriptionId, groupName);
  const onGroup = lists.assignments.filter(({ scope = "" }) => sameId(scope, group));
  const uses = (infraId: string) => {
    const own = lists.tagged.filter(({ tags }) => tagValue(tags, infraIdTag) === infraId);
    const zones = own.filter(({ type = "" }) => sameType(type, resourceTypes.privateDnsZone.type)).map(({ name }) => name);
    if (zones.length === 0) return assignmentsOf(infraId, onGroup).some(({ component }) => zoneComponents.includes(component));
    const name = nameOf(infraId, lists) ?? "";
    const namings = ["documented", "hypershift"] as const;
    const names = namings.map((naming) => infraNames(naming, { name, infraId, baseDomain: zoneName }).privateZone);
    return zones.some((zone) => names.some((one) => sameText(one, zone)));
  };
  return clustersIn(lists)
    .filter(({ infraId }) => uses(infraId))
    .map(({ infraId }) => ({ infraId, name: nameOf(infraId, lists) }));
}

/** Undefined if no cluster uses the zone. */
export async function zoneInUse(azure: Azure, place: DnsZonePlace): Promise<Failure | undefined> {
  const because = "it is the base domain of these clusters, or their ingress has a role on its resource group";
  return usedByClusters(`${quotedTitleOf(resourceTypes.publicDnsZone, place.zoneName)} is used`, await zoneUsers(azure, place), because);
}
