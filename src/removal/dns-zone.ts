/** What `create dns-zone` created, found by tag and name together, and its removals. */
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { DeletedApplication } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish, found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import {
  externalDnsApplication,
  externalDnsName,
  nameInParent,
  recordKind,
  recordedServers,
  sameServers,
  zonesAbove,
  type DnsZonePlace,
} from "../domain/dns-zone.js";
import { ownedBy } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { idKey, isWithin, parseResourceId, sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { liveAssignmentTitle } from "../domain/role-assignment-title.js";
import type { Removal } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";
import { grantsOfPrincipal, type FoundGrant } from "./assignments.js";
import { assignmentRemoval } from "./azure-removals.js";
import { delegationKept, recordRemoval, type FoundRecord, type ZoneContents } from "./dns-records.js";
import { decideGroup, emptiedGroupRemoval, groupReads, type EmptiedGroup } from "./emptied-group.js";
import type { RemovalMode } from "./identities.js";
import { purgedApplication } from "./identity-removals.js";
import type { Kept } from "./inventory.js";
import { withLateAssignments } from "./late-assignments.js";
import { requireNothingNew } from "./new-resources.js";
import { removalOf } from "./vault-removals.js";

/** An identity of ExternalDNS. */
interface FoundIdentity {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly principalId: string | undefined;
}

export interface DnsZoneInventory {
  readonly place: DnsZonePlace;
  /** The ID of the zone, if this create made it. */
  readonly zoneId: string | undefined;
  /** The record sets in that zone, without those that each zone has: `A api`. */
  readonly records: readonly string[];
  readonly delegations: readonly FoundRecord[];
  readonly managedIdentity: FoundIdentity | undefined;
  readonly application: FoundIdentity | undefined;
  readonly deletedApplications: readonly DeletedApplication[];
  readonly grants: readonly FoundGrant[];
  readonly group: EmptiedGroup | undefined;
  readonly kept: readonly Kept[];
}

export interface DnsZoneMode extends RemovalMode {
  /** Whether the zone is deleted with records of others. */
  readonly deleteRecords: boolean;
}

const { publicDnsZone, nameServerRecord, managedIdentity } = resourceTypes;

/** Only reads. */
export async function takeDnsZone(azure: Azure, place: DnsZonePlace, mode: DnsZoneMode): Promise<DnsZoneInventory> {
  const [live, listed, identity, inDirectory] = await Promise.all([
    readZone(azure, place),
    azure.dns().then(({ zones }) => orRefused(all(zones.list()))),
    identityOf(azure, place),
    orRefused(applicationsOf(azure, place)),
  ]);
  const { application, deletedApplications } = inDirectory ?? { application: undefined, deletedApplications: [] };
  const [delegations, grants] = await Promise.all([
    delegationsOf(azure, place, { live, listed }, mode),
    Promise.all([identity, application].map((one) => grantsOf(azure, place, one))),
  ]);
  const isOwn = live !== undefined && ownedBy(live.zone.tags, { dnsZone: place.zoneName }) === "ours";
  const zoneId = isOwn ? live.zone.id : undefined;
  const deleted = [zoneId, identity?.id].filter((id) => id !== undefined);
  const isDeleted = (id: string) => deleted.some((one) => sameId(one, id) || isWithin(id, one));
  const home = await decideGroup(groupReads(azure), place.groupName, { dnsZone: place.zoneName }, isDeleted);
  const others: Kept[] =
    live === undefined || isOwn
      ? []
      : [{ id: live.zone.id ?? "", title: titleOf(publicDnsZone, place.zoneName), why: "create dns-zone did not create it" }];
  return {
    ...{ place, zoneId, records: isOwn ? othersIn(live.sets) : [] },
    delegations: delegations.found,
    ...{ managedIdentity: identity, application, deletedApplications, grants: grants.flat(), group: home.group },
    kept: [...others, ...delegations.kept, ...(home.kept ? [home.kept] : []), ...(inDirectory ? [] : [unreadApplication(place)])],
  };
}

/** The failure that blocks the removal of a zone with records. */
export function recordsRefusal(
  { place, records }: Pick<DnsZoneInventory, "place" | "records">,
  { deleteRecords }: DnsZoneMode,
): Failure | undefined {
  if (records.length === 0 || deleteRecords) return undefined;
  return new Failure("ARO-OWN-009", `${quotedTitleOf(publicDnsZone, place.zoneName)} contains ${plural(records.length, "record set")}`, {
    because: records.join(", "),
  });
}

/** Roles first, because Azure keeps those of a deleted principal; the delegation before the zone, so that it never refers to nothing. */
export function dnsZoneRemovals(azure: Azure, inventory: DnsZoneInventory, mode: DnsZoneMode): Removal[] {
  const { place, zoneId, delegations, managedIdentity: identity, application, deletedApplications, grants, group } = inventory;
  const roles = grants.map((grant) => assignmentRemoval(azure, liveAssignmentTitle(grant, grant.holder), grant));
  const records = delegations.map((one) => recordRemoval(azure, one));
  const zones = zoneId === undefined ? [] : [zoneRemoval(azure, inventory, zoneId, idsOf([...roles, ...records]))];
  const rolesGone = (removal: Removal, { principalId }: FoundIdentity) =>
    withLateAssignments(azure, removal, principalId === undefined ? [] : [principalId], [place.subscriptionId]);
  const identities = [
    ...(identity ? [rolesGone(identityRemoval(azure, identity, idsOf(roles)), identity)] : []),
    ...(application ? [rolesGone(applicationRemoval(azure, application, idsOf(roles)), application)] : []),
  ];
  const purged = mode.purge
    ? [
        ...(application ? [purgedApplication(azure, application.id, application.name, idsOf(identities))] : []),
        ...deletedApplications.map(({ id, displayName }) => purgedApplication(azure, id, displayName, [])),
      ]
    : [];
  const removals = [...roles, ...records, ...zones, ...identities, ...purged];
  return group ? [...removals, emptiedGroupRemoval(azure, group, removals)] : removals;
}

/** The IDs of everything that is deleted. */
export function dnsZoneIds(inventory: DnsZoneInventory, { purge }: RemovalMode): string[] {
  const { zoneId, delegations, managedIdentity: identity, application, deletedApplications, grants, group } = inventory;
  const found = [...delegations, ...grants, ...[identity, application, group].filter((one) => one !== undefined)];
  return [
    ...(zoneId === undefined ? [] : [zoneId]),
    ...found.map(({ id }) => id),
    ...(purge ? deletedApplications.map(({ displayName }) => `deleted application ${displayName}`) : []),
  ];
}

function zoneRemoval(azure: Azure, { place, records }: DnsZoneInventory, id: string, after: readonly string[]): Removal {
  const { groupName, zoneName } = place;
  const expected = expectedDuration("DELETE", publicDnsZone.type);
  return {
    ...removalOf(idKey(id), titleOf(publicDnsZone, zoneName), after, async () => {
      const { zones } = await azure.dns();
      // Deleting a zone deletes its records, and somebody may have added some since.
      const sets = (await readZone(azure, place))?.sets ?? [];
      requireNothingNew(quotedTitleOf(publicDnsZone, zoneName), records, othersIn(sets));
      await found(finish(azure, expected, (options) => zones.beginDelete(groupName, zoneName, options)));
    }),
    resourceId: id,
    seconds: expected.spread[1],
  };
}

function identityRemoval(azure: Azure, { id, title }: FoundIdentity, after: readonly string[]): Removal {
  return {
    ...removalOf(idKey(id), title, after, async () => {
      const { resourceGroup = "", name } = parseResourceId(id);
      await found((await azure.identities()).userAssignedIdentities.delete(resourceGroup, name));
    }),
    resourceId: id,
  };
}

function applicationRemoval(azure: Azure, { id, title }: FoundIdentity, after: readonly string[]): Removal {
  return removalOf(`application ${id}`, title, after, async () => (await azure.directory()).deleteApplication(id));
}

interface LiveZone extends ZoneContents {
  readonly zone: Zone;
}

async function readZone(azure: Azure, { groupName, zoneName }: DnsZonePlace): Promise<LiveZone | undefined> {
  const { zones, recordSets } = await azure.dns();
  const zone = await found(zones.get(groupName, zoneName));
  if (zone === undefined || zone.zoneType === "Private") return undefined;
  return { zone, sets: (await found(all(recordSets.listByDnsZone(groupName, zoneName)))) ?? [] };
}

/** Each zone has these two. */
const ofEveryZone = ["NS", "SOA"];

function othersIn(sets: readonly RecordSet[]): string[] {
  return sets.flatMap((set) => {
    const { name = "" } = set;
    const kind = recordKind(set);
    return name === "@" && ofEveryZone.includes(kind) ? [] : [`${kind} ${name}`];
  });
}

async function delegationsOf(
  azure: Azure,
  { zoneName }: DnsZonePlace,
  { live, listed }: { readonly live: LiveZone | undefined; readonly listed: readonly Zone[] | undefined },
  { deleteRecords }: DnsZoneMode,
) {
  const { recordSets } = await azure.dns();
  const title = titleOf(nameServerRecord, zoneName);
  if (listed === undefined) return { found: [], kept: [unread(title, "list the DNS zones of the subscription")] };
  // A zone of others with this name, in another group, may have the records by now.
  const others = listed.filter(({ id = "", name }) => sameText(name, zoneName) && !sameId(id, live?.zone.id ?? ""));
  const sets = await Promise.all(
    zonesAbove(listed, zoneName).map(async ({ id = "", name = "" }) => {
      const { resourceGroup = "" } = parseResourceId(id);
      const asked = await orRefused(
        found(recordSets.get(resourceGroup, name, nameInParent(zoneName, name), "NS")).then((set) => ({ set })),
      );
      if (asked === undefined) return { unread: [unread(title, `read the records of zone ${name}`)], own: [] };
      const { set } = asked;
      return { unread: [], own: set && ownedBy(set.metadata, { dnsZone: zoneName }) === "ours" ? [{ set, parent: name }] : [] };
    }),
  );
  const decided = sets.flatMap(({ own }) => own).map(({ set, parent }) => ({ set, why: keptFor(set, parent) }));
  return {
    found: decided.flatMap(({ set: { id = "", etag }, why }) => (why === undefined ? [{ id, title, etag }] : [])),
    kept: [
      ...sets.flatMap((one) => one.unread),
      ...decided.flatMap(({ set: { id = "" }, why }) => (why === undefined ? [] : [{ id, title, why }])),
    ],
  };

  function keptFor(set: RecordSet, parent: string): string | undefined {
    const servers = (set.nsRecords ?? []).map(({ nsdname = "" }) => nsdname);
    if (live !== undefined) {
      const isOwn = ownedBy(live.zone.tags, { dnsZone: zoneName }) === "ours";
      return delegationKept(set, parent, [live], () => isOwn && deleteRecords);
    }
    if (others.some(({ nameServers = [] }) => sameServers(servers, nameServers))) return "it delegates to another zone of this name";
    const isUnchanged = sameServers(servers, recordedServers(set.metadata) ?? []);
    return isUnchanged ? undefined : "the zone is gone, and somebody changed the name servers since";
  }
}

/** A delegation that outlives its zone could be taken over, so it is not left out silently. */
function unread(title: string, permission: string): Kept {
  return { id: title, title, why: `it may exist, but the signed-in principal has no permission to ${permission}` };
}

async function identityOf(azure: Azure, place: DnsZonePlace): Promise<FoundIdentity | undefined> {
  const { userAssignedIdentities } = await azure.identities();
  const name = externalDnsName(place);
  const live = await found(userAssignedIdentities.get(place.groupName, name));
  if (live?.id === undefined || ownedBy(live.tags, { dnsZone: place.zoneName }) !== "ours") return undefined;
  return { id: live.id, name, title: titleOf(managedIdentity, name), principalId: live.principalId };
}

/** Only a create derives the unique name, which proves the ownership. */
async function applicationsOf(azure: Azure, place: DnsZonePlace): Promise<Pick<DnsZoneInventory, "application" | "deletedApplications">> {
  const directory = await azure.directory();
  const { uniqueName } = externalDnsApplication(place);
  const [live, deletedApplications] = await Promise.all([directory.application(uniqueName), directory.deletedApplications([uniqueName])]);
  if (live === undefined) return { application: undefined, deletedApplications };
  const { id, appId, displayName: name } = live;
  const principalId = await directory.servicePrincipalOf(appId);
  return { application: { id, name, title: `application ${name}`, principalId }, deletedApplications };
}

/** A zone with workload identity needs no permission on the directory, so its destroy does not either. */
function unreadApplication(place: DnsZonePlace): Kept {
  const { uniqueName, displayName } = externalDnsApplication(place);
  const why = "it may exist, but the signed-in principal has no permission to read the directory";
  return { id: `application ${uniqueName}`, title: `application ${displayName}`, why };
}

async function grantsOf(azure: Azure, { subscriptionId }: DnsZonePlace, identity: FoundIdentity | undefined): Promise<FoundGrant[]> {
  if (identity?.principalId === undefined) return [];
  return grantsOfPrincipal(azure, subscriptionId, { principalId: identity.principalId, holder: identity.title });
}

function idsOf(removals: readonly Removal[]): string[] {
  return removals.map(({ id }) => id);
}
