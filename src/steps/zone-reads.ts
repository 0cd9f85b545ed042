/** What a create reads of the public zone and its group. If flags name both, it can start before the record of the cluster is read. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { readAhead, type ReadAhead } from "../azure/read-ahead.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { resourceGroupId } from "../domain/resource-id.js";
import { listedAssignments, type AssignmentLists } from "./assignment-lists.js";
import { readPublicZones } from "./dns.js";

export interface ZoneReads {
  readonly zones: ReadAhead<Zone[] | undefined>;
  /** Of all scopes with roles; only that of the zone's group is known early. */
  readonly assignments: AssignmentLists;
}

export function zoneReads(azure: Azure): ZoneReads {
  return { zones: readAhead(), assignments: listedAssignments(azure) };
}

/** `hasRole`: whether an existing identity gets a role on the group. A failure is that of the step that needs the result. */
export function startZoneReads(
  azure: Azure,
  spec: Pick<InfraSpec, "baseDomain" | "subscriptionId"> & { readonly dnsZoneGroup: string },
  hasRole: boolean,
): ZoneReads {
  const { early } = azure.connection;
  const reads = zoneReads(azure);
  void early.start(() => reads.zones.start(() => readPublicZones(azure, spec)));
  if (hasRole) void early.start(() => reads.assignments.on(resourceGroupId(spec.subscriptionId, spec.dnsZoneGroup)));
  return reads;
}
