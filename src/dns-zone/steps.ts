/** A public DNS zone, its delegation, and the identity of ExternalDNS with its roles, as a graph. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { externalDnsApplication, externalDnsName, type DnsZoneSpec } from "../domain/dns-zone.js";
import { furtherFederatedCredentialName } from "../domain/identity-names.js";
import { ownedBy, ownershipTags } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { formatResourceId, groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { dnsZoneContributor, reader } from "../domain/roles.js";
import { defineStep, type Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { roleOnResource } from "../steps/role-on-resource.js";
import { listedAssignments } from "../steps/assignment-lists.js";
import type { ApplicationProof } from "../azure/application-ownership.js";
import type { CredentialStore } from "../steps/client-secret.js";
import { ifStillThere, unlessChanged } from "../steps/conditional-write.js";
import { idBelow } from "../steps/in-group.js";
import { listedZones, type ZoneList } from "../steps/listed-zones.js";
import { refuse } from "../steps/ownership-decision.js";
import { managedPodIdentity, podApplication, type PodApplication, type PodIdentity } from "../steps/pod-identity.js";
import { ownGroup, type GroupOutput } from "../steps/resource-groups.js";
import { tagChanges } from "../steps/tag-changes.js";
import { writeTags } from "../steps/write-tags.js";
import { zoneDelegation, type DelegationOutput } from "../steps/zone-delegation.js";

export interface DnsZoneOutput {
  readonly id: string;
  /** Empty while the zone is only planned: Azure chooses them. */
  readonly nameServers: readonly string[];
}

export interface DnsZoneGraph {
  readonly steps: readonly Step<unknown>[];
  readonly zone: Step<DnsZoneOutput>;
  readonly delegation: Step<DelegationOutput>;
  /** Undefined without ExternalDNS. */
  readonly externalDns: PodIdentity | undefined;
  /** The zones that it read. */
  readonly listed: ZoneList;
}

const row = resourceTypes.publicDnsZone;

/** `store` is for the client secret of a service principal. `proof` is undefined for a command that changes nothing. */
export function dnsZoneGraph(azure: Azure, spec: DnsZoneSpec, store: CredentialStore, proof?: ApplicationProof): DnsZoneGraph {
  const { subscriptionId, location, groupName, zoneName } = spec;
  const owner = { dnsZone: zoneName };
  const group = ownGroup(azure, { subscriptionId, location, owner, tags: {} }, "dns-group", groupName);
  const listed = listedZones(azure);
  const zone = publicZone(azure, zoneName, group, listed);
  const delegation = zoneDelegation(azure, { owner, zoneName, needs: { zone }, listed });
  const externalDns = externalDnsIdentity(azure, spec, group, (application) => podApplication(azure, application, store, proof));
  if (externalDns === undefined) return { steps: [group, zone, delegation], zone, delegation, externalDns, listed };
  const { holder, steps } = externalDns;
  const context = { azure, assignments: listedAssignments(azure) };
  const inGroup = { title: group.title, step: group, idIn: ({ id }: GroupOutput) => id };
  const onZone = { title: zone.title, step: zone, idIn: ({ id }: DnsZoneOutput) => id };
  const roles = [
    roleOnResource(context, { id: "role-zone", role: dnsZoneContributor, holder, scope: onZone }),
    roleOnResource(context, { id: "role-group", role: reader, holder, scope: inGroup }),
  ];
  return { steps: [group, zone, delegation, ...steps, ...roles], zone, delegation, externalDns, listed };
}

/** An existing zone without the tag is somebody's: it is used as it is, and never deleted. */
function publicZone(azure: Azure, name: string, group: Step<GroupOutput>, listed: ZoneList): Step<DnsZoneOutput> {
  const owner = { dnsZone: name };
  const wanted: Zone = { location: "global", tags: ownershipTags(owner) };
  // Earlier versions recorded settings in tags, which nothing reads any more.
  const tagsOn = (live: Zone) => tagChanges(live.tags ?? {}, ownershipTags(owner), quotedTitleOf(row, name));
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, name),
    needs: { group },
    within: "group",
    // A zone of the same name in another group counts too.
    hasGlobalName: true,
    async read({ group: { name: groupName } }) {
      const live = await found((await azure.dns()).zones.get(groupName, name));
      if (live === undefined) await requireOnlyZone(listed, name, groupName);
      return live;
    },
    wanted: () => wanted,
    decide(live) {
      if (live === undefined) return { act: "create" };
      if (live.zoneType === "Private") {
        return refuse("ARO-OWN-003", `${quotedTitleOf(row, name)} is not public`, {
          because: "it is a private zone of the time before private DNS zones had a type of their own",
          next: ["choose another --dns-zone-rg-name"],
        });
      }
      if (ownedBy(live.tags, owner) !== "ours") return { act: "use" };
      const found = tagsOn(live);
      if (found instanceof Failure) return { act: "refuse", failure: found };
      const { changes } = found;
      return changes.length === 0 ? { act: "keep" } : { act: "update", why: "it has tags of an earlier version", changes };
    },
    async apply(live, { group: { id, name: groupName } }): Promise<Zone> {
      if (live === undefined)
        return unlessChanged((await azure.dns()).zones.createOrUpdate(groupName, name, wanted, ifStillThere(undefined)));
      const found = tagsOn(live);
      if (found instanceof Failure) throw found;
      await writeTags(azure, formatResourceId(id, row.type, name), found);
      return live;
    },
    predict: ({ group: { id } }) => ({ id: formatResourceId(id, row.type, name), nameServers: [] }),
    output: ({ nameServers = [] }, { group: { id } }) => ({ id: formatResourceId(id, row.type, name), nameServers }),
  });
}

/**
 * Azure accepts a second zone of the same name, but only one of them is delegated, and nobody sees which.
 * @throws ARO-DNS-005 if another group has a public zone of the name. Without the permission to list zones, none is known.
 */
async function requireOnlyZone(listed: ZoneList, name: string, groupName: string): Promise<void> {
  const zones = (await orRefused(listed())) ?? [];
  const others = zones.filter((zone) => sameText(zone.name, name) && zone.zoneType !== "Private");
  const [first, ...more] = others.flatMap(({ id = "" }) => groupNameOf(id) ?? []).filter((group) => !sameText(group, groupName));
  if (first === undefined) return;
  const where = more.length === 0 ? `resource group ${first}` : `resource groups ${[first, ...more].join(", ")}`;
  throw new Failure("ARO-DNS-005", `${quotedTitleOf(row, name)} exists in ${where}, not in ${groupName}`, {
    because: others.map(({ id = "" }) => id).join(", "),
    next: [
      more.length === 0 ? `to use it, pass --dns-zone-rg-name ${first}` : "to use one of them, pass its group as --dns-zone-rg-name",
      "or choose another --base-domain",
    ],
  });
}

function externalDnsIdentity(
  azure: Azure,
  spec: DnsZoneSpec,
  group: Step<GroupOutput>,
  asApplication: (application: PodApplication) => PodIdentity,
): PodIdentity | undefined {
  const { externalDns: access, location, zoneName } = spec;
  if (access.kind === "none") return undefined;
  if (access.kind === "service-principal") return asApplication({ ...externalDnsApplication(spec), key: "external-dns" });
  const { issuerUrl, ...account } = access;
  // Each issuer has a credential of its own: several management clusters may share the zone.
  const tokens =
    issuerUrl === undefined
      ? undefined
      : { ...account, issuerUrl, credentialName: furtherFederatedCredentialName("external-dns", issuerUrl) };
  return managedPodIdentity(azure, { name: externalDnsName(spec), owner: { dnsZone: zoneName }, location }, group, tokens);
}
