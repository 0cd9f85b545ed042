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
import { isWithin } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { findNamedApplications, namedApplicationKind, type NamedApplications } from "../removal/applications.js";
import { grantsOfPrincipal } from "../removal/assignments.js";
import { grantRemoval, managedIdentityRemoval } from "../removal/azure-removals.js";
import { recordRemoval, type ZoneContents } from "../removal/dns-records.js";
import { decideGroup, groupReads, withGroup } from "../removal/emptied-group.js";
import { withLateAssignments } from "../removal/late-assignments.js";
import { requireNothingNew } from "../removal/new-resources.js";
import { foundIn, resourceRemovalOf, type Found, type Kept, type OwnedRemoval } from "../removal/owned.js";
import { requireOneOwner } from "../removal/second-owner.js";
import type { RemovalMode } from "../removal/selection.js";
import { delegatedStill, delegationsOf, type ForeignDelegation } from "./zone-delegations.js";

export interface FoundDnsZone extends Found {
  /** Why the zone may not be deleted: it has records, or a record set of others delegates to it. */
  readonly refusal: Failure | undefined;
  /** The name servers of the deleted zone, if a zone that the caller cannot read may delegate to them. */
  readonly handedOver: readonly string[];
  /** Undefined if the caller may not read them. */
  readonly applications: NamedApplications | undefined;
}

export interface DnsZoneMode extends RemovalMode {
  /** Whether the zone is deleted with records of others. */
  readonly deleteRecords: boolean;
}

const { publicDnsZone, managedIdentity } = resourceTypes;

/** Only reads. `files`: those of the operator that name the application. `before`: what an earlier read of the same run found. */
export async function findDnsZone(
  azure: Azure,
  place: DnsZonePlace,
  { purge, deleteRecords }: DnsZoneMode,
  { files, before }: { readonly files?: EarlierFiles; readonly before?: FoundDnsZone | undefined } = {},
): Promise<FoundDnsZone> {
  const { zoneName, subscriptionId } = place;
  const owner = { dnsZone: zoneName };
  const { uniqueName } = externalDnsApplication(place);
  const [live, listed, identity, applications] = await Promise.all([
    readZone(azure, place),
    azure.dns().then(({ zones }) => orRefused(all(zones.list()))),
    identityOf(azure, place),
    orRefused(findNamedApplications(azure, uniqueName, { files, before: before?.applications })),
  ]);
  const own = live !== undefined && ownedBy(live.zone.tags, owner) === "ours" ? live : undefined;
  requireOneOwner(owner, own ? [own.zone] : []);
  const principals = [
    ...(identity ? [{ principalId: identity.principalId, holder: titleOf(managedIdentity, identity.name) }] : []),
    ...(applications?.application ? [{ ...applications.application, holder: `application ${applications.application.displayName}` }] : []),
  ];
  const [delegations, grants] = await Promise.all([
    delegationsOf(azure, place, { live, listed, deletesRecords: own !== undefined && deleteRecords }),
    Promise.all(principals.map((one) => grantsOfPrincipal(azure, subscriptionId, one))),
  ]);
  const zoneId = own?.zone.id;
  const records = othersIn(own?.sets ?? []);
  const isDeleted = (id: string) => [zoneId, identity?.id].some((one) => one !== undefined && isWithin(id, one));
  const home = await decideGroup(groupReads(azure), place.groupName, owner, isDeleted);
  const others = own ? undefined : live?.zone;
  const lateIn = [subscriptionId];
  // Azure keeps the roles of a deleted principal. The delegation goes before the zone, so that it never refers to nothing.
  const found = foundIn({
    roles: { removals: grants.flat().map((grant) => grantRemoval(azure, grant)) },
    delegations: { removals: delegations.found.map((one) => recordRemoval(azure, one)), kept: delegations.kept },
    zone: {
      removals: zoneId === undefined ? [] : [zoneRemoval(azure, place, zoneId, records)],
      after: ["roles", "delegations"],
      kept: others ? [{ id: others.id ?? "", title: titleOf(publicDnsZone, zoneName), why: "create dns-zone did not create it" }] : [],
    },
    identity: {
      removals: identity ? [withLateAssignments(azure, managedIdentityRemoval(azure, identity), [identity.principalId], lateIn)] : [],
      after: ["roles"],
    },
    applications: {
      ...(applications
        ? namedApplicationKind(azure, applications, { purge, rerun: "rerun the original create dns-zone", lateIn })
        : { kept: [unreadApplication(place)] }),
      after: ["roles"],
    },
  });
  return {
    ...withGroup(azure, found, home),
    refusal: zoneRefusal(place, { zoneId, records: deleteRecords ? [] : records, foreign: delegations.foreign }),
    handedOver: zoneId !== undefined && delegations.isHandedOver ? (live?.zone.nameServers ?? []) : [],
    applications,
  };
}

interface Obstacles {
  readonly zoneId: string | undefined;
  readonly records: readonly string[];
  /** Record sets that stay and name servers of the zone. */
  readonly foreign: readonly ForeignDelegation[];
}

function zoneRefusal(place: DnsZonePlace, { zoneId, records, foreign: [foreign] }: Obstacles): Failure | undefined {
  if (records.length > 0) {
    return new Failure("ARO-OWN-009", `${quotedTitleOf(publicDnsZone, place.zoneName)} contains ${plural(records.length, "record set")}`, {
      because: records.join(", "),
    });
  }
  return zoneId === undefined || foreign === undefined ? undefined : delegatedStill(place, foreign);
}

/** `records`: the record sets in it, without those that each zone has: `A api`. */
function zoneRemoval(azure: Azure, place: DnsZonePlace, id: string, records: readonly string[]): OwnedRemoval {
  const { groupName, zoneName } = place;
  const expected = expectedDuration("DELETE", publicDnsZone.type);
  const remove = async () => {
    const { zones } = await azure.dns();
    // Deleting a zone deletes its records, and somebody may have added some since.
    const sets = (await readZone(azure, place))?.sets ?? [];
    requireNothingNew(quotedTitleOf(publicDnsZone, zoneName), records, othersIn(sets));
    await found(finish(azure, expected, (options) => zones.beginDelete(groupName, zoneName, options)));
  };
  return { ...resourceRemovalOf(publicDnsZone, id, remove), seconds: expected.spread[1] };
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

/** The identity of ExternalDNS. */
async function identityOf(azure: Azure, place: DnsZonePlace) {
  const { userAssignedIdentities } = await azure.identities();
  const name = externalDnsName(place);
  const live = await found(userAssignedIdentities.get(place.groupName, name));
  if (live?.id === undefined || ownedBy(live.tags, { dnsZone: place.zoneName }) !== "ours") return undefined;
  requireOneOwner({ dnsZone: place.zoneName }, [live]);
  return { id: live.id, name, principalId: live.principalId };
}

/** A zone with workload identity needs no permission on the directory, so its destroy does not either. */
function unreadApplication(place: DnsZonePlace): Kept {
  const { uniqueName, displayName } = externalDnsApplication(place);
  const why = "it may exist, but the signed-in principal has no permission to read the directory";
  return { id: `application ${uniqueName}`, title: `application ${displayName}`, why };
}
