/** A public DNS zone, its delegation, and the identity of ExternalDNS with its roles, as a graph. */
import type { Zone } from "@azure/arm-dns";
import type { DeletedApplication } from "../azure/applications.js";
import type { Azure } from "../azure/azure.js";
import { oncePerKey } from "../azure/concurrency.js";
import { found } from "../azure/long-running.js";
import { externalDnsApplication, externalDnsName, type DnsZoneSpec } from "../domain/dns-zone.js";
import { furtherFederatedCredentialName } from "../domain/identity-names.js";
import { ownedBy, ownershipTags } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { formatResourceId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { dnsZoneContributor, reader } from "../domain/roles.js";
import { defineStep, type Step } from "../engine/step.js";
import { roleOf, type Holder } from "./aks/roles.js";
import { ownApplication, servicePrincipal } from "./applications.js";
import { listedAssignments } from "./assignment-lists.js";
import { clientSecret, type CredentialStore } from "./client-secret.js";
import { ifStillThere, unlessChanged } from "./conditional-write.js";
import { idBelow } from "./in-group.js";
import { listedZones } from "./listed-zones.js";
import { managedIdentity, type ManagedIdentityOutput } from "./managed-identity.js";
import { refuse } from "./ownership-decision.js";
import { ownGroup, type GroupOutput } from "./resource-groups.js";
import { workloadFederation } from "./workload-federation.js";
import { zoneDelegation, type DelegationOutput } from "./zone-delegation.js";

export interface DnsZoneOutput {
  readonly id: string;
  /** Empty while the zone is only planned: Azure chooses them. */
  readonly nameServers: readonly string[];
}

export interface ExternalDnsOutput {
  readonly clientId: string;
}

export interface DnsZoneGraph {
  readonly steps: readonly Step<unknown>[];
  readonly zone: Step<DnsZoneOutput>;
  readonly delegation: Step<DelegationOutput>;
  /** Undefined without ExternalDNS. */
  readonly identity: Step<ExternalDnsOutput> | undefined;
}

const row = resourceTypes.publicDnsZone;

/** `store` is for the client secret of a service principal. */
export function dnsZoneGraph(azure: Azure, spec: DnsZoneSpec, store: CredentialStore): DnsZoneGraph {
  const { subscriptionId, location, groupName, zoneName } = spec;
  const owner = { dnsZone: zoneName };
  const group = ownGroup(azure, { subscriptionId, location, owner, tags: {} }, "dns-group", groupName);
  const zone = publicZone(azure, zoneName, group);
  const delegation = zoneDelegation(azure, { owner, zoneName, needs: { zone }, listed: listedZones(azure) });
  const externalDns = externalDnsSteps(azure, spec, group, store);
  if (externalDns === undefined) return { steps: [group, zone, delegation], zone, delegation, identity: undefined };
  const { identity, holder, steps } = externalDns;
  const context = { azure, assignments: listedAssignments(azure) };
  const inGroup = { title: group.title, step: group, idIn: ({ id }: GroupOutput) => id };
  const onZone = { title: zone.title, step: zone, idIn: ({ id }: DnsZoneOutput) => id };
  const roles = [
    roleOf(context, { id: "role-zone", role: dnsZoneContributor, holder, scope: onZone }),
    roleOf(context, { id: "role-group", role: reader, holder, scope: inGroup }),
  ];
  return { steps: [group, zone, delegation, ...steps, ...roles], zone, delegation, identity };
}

/** An existing zone without the tag is somebody's: it is used as it is, and never deleted. */
function publicZone(azure: Azure, name: string, group: Step<GroupOutput>): Step<DnsZoneOutput> {
  const owner = { dnsZone: name };
  const wanted: Zone = { location: "global", tags: ownershipTags(owner) };
  return defineStep({
    id: row.use.step,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type },
    resourceId: idBelow(group, row.type, name),
    needs: { group },
    within: "group",
    read: async ({ group: { name: groupName } }) => found((await azure.dns()).zones.get(groupName, name)),
    wanted: () => wanted,
    decide(live) {
      if (live === undefined) return { act: "create" };
      if (live.zoneType === "Private") {
        return refuse("ARO-OWN-003", `${quotedTitleOf(row, name)} is not public`, {
          because: "it is a private zone of the time before private DNS zones had a type of their own",
          next: ["choose another --dns-zone-rg-name"],
        });
      }
      return { act: ownedBy(live.tags, owner) === "ours" ? "keep" : "adopt" };
    },
    apply: async (_live, { group: { name: groupName } }): Promise<Zone> =>
      unlessChanged((await azure.dns()).zones.createOrUpdate(groupName, name, wanted, ifStillThere(undefined))),
    predict: ({ group: { id } }) => ({ id: formatResourceId(id, row.type, name), nameServers: [] }),
    output: ({ nameServers = [] }, { group: { id } }) => ({ id: formatResourceId(id, row.type, name), nameServers }),
  });
}

interface ExternalDnsSteps {
  readonly identity: Step<ExternalDnsOutput>;
  readonly holder: Holder<unknown>;
  readonly steps: readonly Step<unknown>[];
}

function externalDnsSteps(azure: Azure, spec: DnsZoneSpec, group: Step<GroupOutput>, store: CredentialStore): ExternalDnsSteps | undefined {
  const { externalDns: access, location, zoneName } = spec;
  if (access.kind === "none") return undefined;
  if (access.kind === "workload-identity") {
    const name = externalDnsName(spec);
    const identity = managedIdentity(azure, { name, owner: { dnsZone: zoneName }, location }, group);
    const { issuerUrl } = access;
    // Each issuer has a credential of its own: several management clusters may share the zone.
    const federation =
      issuerUrl === undefined
        ? []
        : [
            workloadFederation(
              azure,
              { ...access, issuerUrl, identityName: name, name: furtherFederatedCredentialName("external-dns", issuerUrl) },
              group,
              identity,
            ),
          ];
    const objectIdIn = (output: unknown) => (output as ManagedIdentityOutput).principalId;
    return { identity, holder: { name: identity.title, step: identity, objectIdIn }, steps: [identity, ...federation] };
  }
  const wanted = externalDnsApplication(spec);
  const deleted = oncePerKey<readonly DeletedApplication[]>();
  const deletedOnes = () => deleted.get("", async () => (await azure.directory()).deletedApplications([wanted.uniqueName]));
  const identity = ownApplication(azure, { id: "application", ...wanted }, deletedOnes);
  const principal = servicePrincipal(azure, { key: "external-dns" }, identity);
  const holder = { name: identity.title, step: principal, objectIdIn: String };
  return { identity, holder, steps: [identity, principal, clientSecret(azure, identity, store)] };
}
