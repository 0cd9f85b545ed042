/** What a create of infrastructure reads of the public zone, its group and the identities. It can start before the record of the cluster is read. */
import type { Zone } from "@azure/arm-dns";
import type { ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import type { Principal } from "../azure/directory.js";
import { readAhead, type ReadAhead } from "../azure/read-ahead.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { resourceGroupId } from "../domain/resource-id.js";
import { listedAssignments, type AssignmentLists } from "./assignment-lists.js";
import { readPublicZones } from "./dns.js";
import { readGroup } from "./resource-groups.js";

export interface EarlyReads {
  readonly zones: ReadAhead<Zone[] | undefined>;
  readonly zoneGroup: ReadAhead<ResourceGroup | undefined>;
  /** Of all scopes with roles; only that of the zone's group is known early. */
  readonly assignments: AssignmentLists;
  /** The service principals with these client IDs. */
  readonly principals: ReadAhead<Principal[], readonly string[]>;
}

export function earlyReads(azure: Azure): EarlyReads {
  return { zones: readAhead(), zoneGroup: readAhead(), assignments: listedAssignments(azure), principals: readAhead() };
}

/** `clientIds`: of the existing identities that get roles. If a read fails, the step that needs its result fails. */
export function startEarlyReads(
  azure: Azure,
  spec: Pick<InfraSpec, "baseDomain" | "subscriptionId"> & { readonly dnsZoneGroup: string },
  clientIds: readonly string[],
): EarlyReads {
  const { early } = azure.connection;
  const { subscriptionId, dnsZoneGroup } = spec;
  const reads = earlyReads(azure);
  void early.start(() => reads.zones.start(() => readPublicZones(azure, spec)));
  if (clientIds.length === 0) return reads;
  void early.start(() => reads.assignments.on(resourceGroupId(subscriptionId, dnsZoneGroup)));
  void early.start(() => reads.zoneGroup.start(() => readGroup(azure, subscriptionId, dnsZoneGroup)));
  void early.start(() => reads.principals.start(async () => (await azure.directory()).servicePrincipals(clientIds), clientIds));
  return reads;
}
