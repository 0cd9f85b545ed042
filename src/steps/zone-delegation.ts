/** The delegation of a public DNS zone: the NS records in its parent zone. */
import type { RecordSet, Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { readGroup } from "../azure/group-contents.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { permissionsReader } from "../azure/permissions.js";
import { allows } from "../domain/allowed-actions.js";
import { delegationTtl, nameInParent, parentZonesOf, plainServer, sameServers, serversMetadata } from "../domain/dns-zone.js";
import { ownedBy, ownershipTags, type Owner } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { parseResourceId, resourceGroupId, sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { createdGroupTags } from "../domain/set-ownership.js";
import { defineStep, type Change, type Decision, type Step } from "../engine/step.js";
import { advise, blank, shell } from "../errors/advice.js";
import { sameText } from "../text/same-text.js";
import type { ZoneList } from "./listed-zones.js";
import { ifStillThere, unlessChanged } from "./conditional-write.js";
import { hiddenText, recordsAround, type HiddenRecord } from "./hidden-records.js";
import { refuse } from "./ownership-decision.js";

export interface DelegatedZone {
  readonly id: string;
  /** Empty while the zone is only planned. */
  readonly nameServers: readonly string[];
}

export interface DelegationOutput {
  /** The parent zone; undefined if this subscription has none, or several of one name. */
  readonly parentZone: string | undefined;
  /** Why the owner of the parent zone must write the records; undefined if they are right. */
  readonly handOver: string | undefined;
}

interface LiveDelegation {
  /** Undefined if there is no parent zone that could be written. */
  readonly parent: Zone | undefined;
  /** Why there is none. */
  readonly noParent?: string;
  readonly set: RecordSet | undefined;
  /** Whether the caller may write the records; true if they are right already. */
  readonly isWritable: boolean;
  /** Another zone of the same name that the records delegate to. */
  readonly otherZone?: string;
  /** The records that a new delegation would hide; undefined without the permission to list them. */
  readonly hidden: readonly HiddenRecord[] | undefined;
  /** The delegation in the parent zone that would hide a new one. */
  readonly delegatedAbove?: string | undefined;
  /** Whether the group of a planned zone is only planned too. Read only if a new delegation would hide records. */
  readonly hasNoGroup?: boolean;
}

interface Delegation<Zoned extends DelegatedZone> {
  /** Marks the records in their metadata. Records of others stay as they are. */
  readonly owner: Owner;
  readonly zoneName: string;
  readonly needs: { readonly zone: Step<Zoned> } & Readonly<Record<string, Step<unknown>>>;
  readonly listed: ZoneList;
}

const row = resourceTypes.nameServerRecord;

export function zoneDelegation<Zoned extends DelegatedZone>(
  azure: Azure,
  { owner, zoneName, needs, listed }: Delegation<Zoned>,
): Step<DelegationOutput> {
  return defineStep({
    id: row.use.step,
    title: titleOf(row, zoneName),
    subject: { kind: "resource", type: row.type },
    needs,
    within: "zone",
    // The records may be there before the zone, and whether the caller may write them is part of the plan.
    hasGlobalName: true,
    async read({ zone }): Promise<LiveDelegation> {
      const zones = await orRefused(listed());
      const [parent, ...others] = parentZonesOf(zones ?? [], zoneName);
      if (parent?.name === undefined || others.length > 0) {
        return { ...nothing, noParent: noParent(zones, [parent, ...others]) };
      }
      const { recordSets } = await azure.dns();
      const set = await found(recordSets.get(groupOf(parent), parent.name, nameInParent(zoneName, parent.name), "NS"));
      if (set?.ttl === delegationTtl && sameServers(serversOf(set), zone.nameServers)) return { parent, set, isWritable: true, hidden: [] };
      const otherZone = zones?.find(
        ({ id = "", name, nameServers = [] }) =>
          sameText(name, zoneName) && !sameId(id, zone.id) && set !== undefined && sameServers(serversOf(set), nameServers),
      );
      const isWritable = await mayWrite(azure, parent);
      // Records beside an existing delegation are hidden already.
      const { hidden, delegatedAbove } =
        set === undefined && isWritable ? ((await recordsAround(azure, parent, zoneName)) ?? unlisted) : noRecords;
      const needsZone = (hidden?.length ?? 0) > 0 && zone.nameServers.length === 0;
      const hasNoGroup = needsZone && (await readGroup(azure, groupOf(zone))) === undefined;
      return {
        parent,
        set,
        isWritable,
        hidden,
        delegatedAbove,
        hasNoGroup,
        ...(otherZone?.id !== undefined && { otherZone: otherZone.id }),
      };
    },
    wanted: ({ zone: { nameServers } }) => ({ ttl: delegationTtl, nsRecords: nameServers }),
    decide(live, { zone }) {
      const { nameServers } = zone;
      const { parent, set, hidden = [] } = live ?? nothing;
      const handOver = handOverOf(live ?? nothing, owner, nameServers);
      if (handOver !== undefined) return { act: "keep", why: handOver };
      if (hidden.length > 0)
        return hidesRecords(hidden, zone, { owner, name: zoneName, parent: parent?.name ?? "", hasNoGroup: live?.hasNoGroup === true });
      if (set === undefined) return { act: "create" };
      if (ownedBy(set.metadata, owner) !== "ours") return { act: "use" };
      const changes: Change[] = [
        // Whoever may not write the records need not change a delegation that works.
        ...(set.ttl === delegationTtl || live?.isWritable !== true ? [] : [{ path: "ttl", from: set.ttl, to: delegationTtl }]),
        ...(sameServers(serversOf(set), nameServers) ? [] : [{ path: "nsRecords", from: serversOf(set), to: nameServers }]),
      ];
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes };
    },
    async apply(live, { zone }): Promise<LiveDelegation> {
      const { parent, set } = live ?? nothing;
      if (parent?.name === undefined) return nothing;
      const { recordSets } = await azure.dns();
      const body = {
        ttl: delegationTtl,
        nsRecords: zone.nameServers.map((nsdname) => ({ nsdname })),
        metadata: { ...set?.metadata, ...ownershipTags(owner), ...serversMetadata(zone.nameServers) },
      };
      const name = nameInParent(zoneName, parent.name);
      const write = recordSets.createOrUpdate(groupOf(parent), parent.name, name, "NS", body, ifStillThere(set?.etag));
      return { parent, set: await unlessChanged(write), isWritable: true, hidden: [] };
    },
    output: (live, { zone: { nameServers } }) => ({ parentZone: live.parent?.name, handOver: handOverOf(live, owner, nameServers) }),
  });
}

const noRecords = { hidden: [], delegatedAbove: undefined };
const unlisted = { hidden: undefined, delegatedAbove: undefined };

const nothing: LiveDelegation = { parent: undefined, set: undefined, isWritable: false, hidden: [] };

interface RefusedDelegation {
  readonly owner: Owner;
  readonly name: string;
  readonly parent: string;
  readonly hasNoGroup: boolean;
}

/** Azure accepts NS records beside others, except for a CNAME of the same name. */
function hidesRecords(
  hidden: readonly HiddenRecord[],
  { id, nameServers }: DelegatedZone,
  { owner, name, parent, hasNoGroup }: RefusedDelegation,
): Decision {
  const move = `copy the records to zone ${name}, delete them from zone ${parent}, and rerun the command`;
  const group = groupOf({ id });
  // With these tags, a destroy deletes both.
  const create = shell`az network dns zone create --name ${name} --resource-group ${group} --tags ${tagWords(ownershipTags(owner))}`;
  const groupTags = tagWords(createdGroupTags(owner, group));
  const createGroup = shell`az group create --name ${group} --location ${blank("location")} --tags ${groupTags}`;
  return refuse("ARO-DNS-004", `${quotedTitleOf(row, name)} would hide records of zone ${parent}: ${hiddenText(hidden)}`, {
    because: `resolvers would ask the name servers of zone ${name} for these names`,
    next: [
      ...(hasNoGroup ? [advise`create the resource group of the zone: ${createGroup}`] : []),
      nameServers.length > 0 ? move : advise`create the zone without its delegation: ${create}; then ${move}`,
      "or choose another name for the zone",
    ],
  });
}

function tagWords(tags: Readonly<Record<string, string>>): string[] {
  return Object.entries(tags).map(([tag, value]) => `${tag}=${value}`);
}

function noParent(zones: readonly Zone[] | undefined, [parent]: readonly (Zone | undefined)[]): string {
  if (zones === undefined) return "the signed-in principal has no permission to list the DNS zones of the subscription";
  return parent === undefined
    ? "the subscription has no parent zone"
    : `the subscription has several zones ${parent.name ?? ""}, and it is unknown which of them is delegated`;
}

function handOverOf(live: LiveDelegation, owner: Owner, nameServers: readonly string[]): string | undefined {
  const { parent, set, isWritable, otherZone, hidden } = live;
  const ask = nameServers.length === 0 ? "" : `; its owner must delegate to ${nameServers.join(", ")}`;
  if (parent === undefined) return `${live.noParent ?? "there is no parent zone"}${ask}`;
  if (live.delegatedAbove !== undefined) return `${live.delegatedAbove}, where resolvers look for it${ask}`;
  const servers = set && serversOf(set);
  if (servers !== undefined && sameServers(servers, nameServers)) return undefined;
  if (servers !== undefined && otherZone !== undefined) return `it delegates to another zone of this name: ${otherZone}`;
  if (servers !== undefined && ownedBy(set?.metadata, owner) !== "ours")
    return `it delegates to ${servers.join(", ")}, and its metadata do not name this owner`;
  if (isWritable && hidden === undefined)
    return `the signed-in principal has no permission to list the records of zone ${parent.name ?? ""}, which the delegation may hide${ask}`;
  return isWritable ? undefined : `the signed-in principal has no permission to write to zone ${parent.name ?? ""}${ask}`;
}

/** A role may be on the zone alone. Permissions that cannot be read count as granted: Azure's own refusal reports what is missing. */
async function mayWrite(azure: Azure, { id = "" }: Zone): Promise<boolean> {
  const { subscriptionId, resourceGroup = "" } = parseResourceId(id);
  const permissions = permissionsReader(azure);
  for (const scope of [resourceGroupId(subscriptionId, resourceGroup), id]) {
    const given = await orRefused(permissions(scope));
    if (given === undefined || allows(given, `${row.type}/write`)) return true;
  }
  return false;
}

function groupOf({ id = "" }: Pick<Zone, "id">): string {
  return parseResourceId(id).resourceGroup ?? "";
}

function serversOf({ nsRecords = [] }: RecordSet): string[] {
  return nsRecords.map(({ nsdname = "" }) => plainServer(nsdname));
}
