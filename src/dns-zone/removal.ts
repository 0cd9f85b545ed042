/** What `create dns-zone` created, found by tag and name together, and its removals. */
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { EarlierFiles } from "../azure/application-ownership.js";
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish, found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { externalDnsApplication, externalDnsName, recordKind, type DnsZonePlace } from "../domain/dns-zone.js";
import { ownedBy } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { idKey, isWithin, parseResourceId, sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { liveAssignmentTitle } from "../domain/role-assignment-title.js";
import type { Removal } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { grantsOfPrincipal, type FoundGrant } from "../removal/assignments.js";
import { assignmentRemoval } from "../removal/azure-removals.js";
import { recordRemoval, type FoundRecord, type ZoneContents } from "../removal/dns-records.js";
import {
  earlierRead,
  findDeletedApplications,
  keptDeleted,
  provenOf,
  type DeletedProof,
  type FoundDeleted,
} from "../removal/deleted-applications.js";
import { decideGroup, emptiedGroupRemoval, groupReads, type EmptiedGroup } from "../removal/emptied-group.js";
import type { RemovalMode } from "../removal/selection.js";
import { purgedApplication } from "../removal/deleted-applications.js";
import type { Kept } from "../removal/inventory.js";
import { withLateAssignments } from "../removal/late-assignments.js";
import { requireNothingNew } from "../removal/new-resources.js";
import { ownApplication } from "../removal/own-application.js";
import { requireOneOwner } from "../removal/second-owner.js";
import { removalOf } from "../removal/vault-removals.js";
import { delegatedStill, delegationsOf, type ForeignDelegation } from "./zone-delegations.js";

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
  /** Record sets that stay and name servers of the zone. */
  readonly foreignDelegations: readonly ForeignDelegation[];
  /** The zone's name servers, if a zone that the caller cannot read may delegate to them. */
  readonly handedOver: readonly string[];
  readonly managedIdentity: FoundIdentity | undefined;
  readonly application: FoundIdentity | undefined;
  readonly deletedApplications: readonly FoundDeleted[];
  readonly grants: readonly FoundGrant[];
  readonly group: EmptiedGroup | undefined;
  readonly kept: readonly Kept[];
}

export interface DnsZoneMode extends RemovalMode {
  /** Whether the zone is deleted with records of others. */
  readonly deleteRecords: boolean;
}

const { publicDnsZone, managedIdentity } = resourceTypes;

/** Only reads. `files`: those of the operator that name the application. `before`: what an earlier read of the same run found. */
export async function takeDnsZone(
  azure: Azure,
  place: DnsZonePlace,
  mode: DnsZoneMode,
  { files, before }: { readonly files?: EarlierFiles; readonly before?: DnsZoneInventory } = {},
): Promise<DnsZoneInventory> {
  const [live, listed, identity, inDirectory] = await Promise.all([
    readZone(azure, place),
    azure.dns().then(({ zones }) => orRefused(all(zones.list()))),
    identityOf(azure, place),
    orRefused(applicationsOf(azure, place, { files, before: before && earlierRead(before) })),
  ]);
  const { application, deletedApplications } = inDirectory ?? { application: undefined, deletedApplications: [] };
  const isOwn = live !== undefined && ownedBy(live.zone.tags, { dnsZone: place.zoneName }) === "ours";
  requireOneOwner({ dnsZone: place.zoneName }, isOwn ? [live.zone] : []);
  const [delegations, grants] = await Promise.all([
    delegationsOf(azure, place, { live, listed, deletesRecords: isOwn && mode.deleteRecords }),
    Promise.all([identity, application].map((one) => grantsOf(azure, place, one))),
  ]);
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
    ...{ foreignDelegations: delegations.foreign, handedOver: delegations.isHandedOver ? (live?.zone.nameServers ?? []) : [] },
    ...{ managedIdentity: identity, application, deletedApplications, grants: grants.flat(), group: home.group },
    kept: [
      ...others,
      ...delegations.kept,
      ...(home.kept ? [home.kept] : []),
      ...(inDirectory?.kept ?? [unreadApplication(place)]),
      ...keptDeleted(deletedApplications, mode.purge),
    ],
  };
}

/** The failure that blocks the removal of a zone with records, or of one to which a record set of others delegates. */
export function zoneRefusal(
  { place, zoneId, records, foreignDelegations }: Pick<DnsZoneInventory, "place" | "zoneId" | "records" | "foreignDelegations">,
  { deleteRecords }: DnsZoneMode,
): Failure | undefined {
  if (records.length > 0 && !deleteRecords) {
    return new Failure("ARO-OWN-009", `${quotedTitleOf(publicDnsZone, place.zoneName)} contains ${plural(records.length, "record set")}`, {
      because: records.join(", "),
    });
  }
  const [foreign] = foreignDelegations;
  return zoneId === undefined || foreign === undefined ? undefined : delegatedStill(place, foreign);
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
        ...provenOf(deletedApplications).map(({ id, displayName }) => purgedApplication(azure, id, displayName, [])),
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
    ...(purge ? provenOf(deletedApplications).map(({ displayName }) => `deleted application ${displayName}`) : []),
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

async function identityOf(azure: Azure, place: DnsZonePlace): Promise<FoundIdentity | undefined> {
  const { userAssignedIdentities } = await azure.identities();
  const name = externalDnsName(place);
  const live = await found(userAssignedIdentities.get(place.groupName, name));
  if (live?.id === undefined || ownedBy(live.tags, { dnsZone: place.zoneName }) !== "ours") return undefined;
  requireOneOwner({ dnsZone: place.zoneName }, [live]);
  return { id: live.id, name, title: titleOf(managedIdentity, name), principalId: live.principalId };
}

async function applicationsOf(azure: Azure, place: DnsZonePlace, proof: DeletedProof) {
  const { uniqueName } = externalDnsApplication(place);
  const [{ application: live, kept }, deletedApplications] = await Promise.all([
    ownApplication(azure, uniqueName, proof.files),
    findDeletedApplications(azure, [uniqueName], proof),
  ]);
  const application = live && { ...live, name: live.displayName, title: `application ${live.displayName}` };
  return { application, kept, deletedApplications };
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
