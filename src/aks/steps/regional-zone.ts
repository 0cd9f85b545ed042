/** The existing public DNS zone of the region, which has the hostnames of a cluster's ingress. */
import type { Azure } from "../../azure/azure.js";
import type { IngressDomain } from "../domain/cluster-spec.js";
import { groupNameOf } from "../../domain/resource-id.js";
import type { Step } from "../../engine/step.js";
import { existingZone } from "../../steps/existing-zone.js";
import type { ZoneList } from "../../steps/listed-zones.js";

export interface RegionalZoneOutput {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly nameServers: readonly string[];
}

export function regionalZone(azure: Azure, { zone: name, zoneGroup: group }: IngressDomain, listed: ZoneList): Step<RegionalZoneOutput> {
  const because = "the hostnames of the ingress are published in the zone of the region";
  return existingZone(azure, { name, group, flag: "--regional-zone", because }, listed, (zone) => ({
    id: zone?.id ?? "",
    group: groupNameOf(zone?.id) ?? "",
    name,
    nameServers: zone?.nameServers ?? [],
  }));
}
