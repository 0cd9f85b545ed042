/** What an audit shows and a sweep never takes: only a person can know that nobody needs it. */
import { namedResponse } from "../../azure/arm-responses.js";
import type { Azure } from "../../azure/azure.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import { ccoctlOwners } from "../../domain/ccoctl.js";
import { parseResourceId, subscriptionScope } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../domain/candidate.js";
import type { Finding } from "../domain/finding.js";
import { readCredentialEnds } from "../reading/credential-ends.js";
import { isType, type Entry, type Unread } from "../domain/estate.js";
import type { Evidence } from "../reading/evidence.js";
import { doubtsAbout } from "./objections.js";
import { readFederations, type Federations } from "../reading/federations.js";

export interface Audited {
  readonly candidates: readonly Candidate[];
  readonly unread: readonly Unread[];
}

/** Reads more than a sweep does: the credentials of each managed identity, the delegations of each zone, and custom roles. */
export async function auditedCandidates(azure: Azure, evidence: Evidence, signal: AbortSignal): Promise<Audited> {
  const federations = await readFederations(azure, evidence.estate);
  const candidates = [
    ...issuers(evidence, federations),
    ...federatedCredentials(evidence, federations),
    ...managedIdentities(evidence, federations),
    ...installationGroups(evidence),
  ];
  const parts = await Promise.all([credentials(azure, evidence, signal), delegations(azure, evidence), customRoles(azure, evidence)]);
  signal.throwIfAborted();
  return {
    candidates: [...candidates, ...parts.flatMap((one) => one.candidates)],
    unread: [...federations.unread, ...parts.flatMap((one) => one.unread)],
  };
}

/** Issuers whose URL no federated credential has. A credential in a subscription or tenant that the caller does not see may have it. */
function issuers(evidence: Evidence, { federations, unread }: Federations): readonly Candidate[] {
  const trusted = new Set(federations.map(({ account }) => account));
  return evidence.findings.flatMap((finding) => {
    const account = finding.entries.find((entry) => isType(entry, resourceTypes.storageAccount));
    if (finding.kind !== "oidc-issuers" || account === undefined || trusted.has(account.name.toLowerCase())) return [];
    const candidate = audited(
      "oidc-issuers",
      finding,
      account,
      `OIDC issuer ${finding.name}`,
      "no managed identity that you can see trusts it",
    );
    return [{ ...candidate, unknown: unseen(evidence, unread) }];
  });
}

/** Those that trust an issuer in a storage account that is in no subscription of the caller. */
function federatedCredentials(evidence: Evidence, { federations }: Federations): readonly Candidate[] {
  return federations
    .filter((one) => one.isGone)
    .map(({ id, name, identity, account }) => {
      const maker = evidence.findings.find(({ entries }) => entries.includes(identity));
      const { objections, unknown } = doubtsAbout(evidence, { ...identity, changedAt: identity.createdAt });
      return {
        ...bare(identity),
        ...{ kind: "federated-credentials", id, title: `federated credential ${name} of managed identity ${identity.name}` },
        madeBy: maker && madeBy(maker),
        objections: [`its issuer's storage account is in no subscription that you can see: ${account}`, ...objections],
        unknown: [...unknown, ...unseen(evidence)],
      };
    });
}

/** Of sets: those without a role, that trust no issuer that exists. */
function managedIdentities(evidence: Evidence, { federations, read }: Federations): readonly Candidate[] {
  const trusting = new Set(federations.filter((one) => !one.isGone).map(({ identity }) => identity));
  const withRoles = new Set(evidence.estate.assignments.map(({ principalId }) => principalId.toLowerCase()));
  return evidence.findings
    .filter(({ kind }) => kind === "identities")
    .flatMap((set) =>
      set.entries
        .filter((entry) => read.has(entry) && !trusting.has(entry))
        .filter(({ principalId }) => principalId !== undefined && !withRoles.has(principalId.toLowerCase()))
        .map((entry): Candidate => {
          const { objections, unknown } = doubtsAbout(evidence, { ...entry, changedAt: entry.createdAt });
          const mayBeUsed = "a virtual machine, a management group or another subscription may use it";
          const candidate = audited("managed-identities", set, entry, `managed identity ${entry.name}`, mayBeUsed);
          return {
            ...candidate,
            unused: "it has no role in a subscription that you can see, and trusts no issuer there",
            objections: [...candidate.objections, ...objections],
            unknown: [...unknown, ...unseen(evidence)],
          };
        }),
    );
}

/** What could show a use elsewhere, and was not read. */
function unseen({ isWhole }: Evidence, more: readonly Unread[] = []): readonly string[] {
  return isWhole && more.length === 0 ? [] : ["not all subscriptions were read"];
}

/** `ccoctl azure delete` leaves the group for the installation. */
function installationGroups(evidence: Evidence): readonly Candidate[] {
  const { entries } = evidence.estate;
  return entries
    .filter((entry) => isType(entry, resourceTypes.resourceGroup))
    .flatMap((group): readonly Candidate[] => {
      const [owner] = ccoctlOwners(group.tags);
      if (owner === undefined || sameText(group.name, `${owner}-oidc`)) return [];
      const isIn = (one: Entry) => one !== group && one.group === group.group && one.subscriptionId === group.subscriptionId;
      if (entries.some(isIn)) return [];
      const { objections, unknown } = doubtsAbout(evidence, { ...group, changedAt: group.createdAt });
      return [
        {
          ...bare(group),
          ...{ kind: "resource-groups", title: `resource group ${group.name}`, owner, madeBy: "its tag is that of ccoctl" },
          unused: "nothing is in it",
          objections: ["an installation may be about to use it", ...objections],
          unknown,
          takes: "resource groups",
        },
      ];
    });
}

/** ccoctl writes its name into the description of each custom role that it makes. */
const ccoctlDescription = /^Custom role for OpenShift\. Owned by: (.+)$/;

async function customRoles(azure: Azure, evidence: Evidence): Promise<Audited> {
  const { estate } = evidence;
  const unread: Unread[] = [];
  const used = new Set(estate.assignments.map(({ roleDefinitionId = "" }) => roleGuid(roleDefinitionId)));
  const listed = await Promise.all(
    estate.subscriptions.map(async ({ id: subscriptionId }): Promise<readonly Candidate[]> => {
      try {
        const { roleDefinitions } = await azure.authorization(subscriptionId);
        const roles = await all(roleDefinitions.list(subscriptionScope(subscriptionId), { filter: "type eq 'CustomRole'" }));
        return roles.flatMap(({ id = "", roleName = "", description = "", updatedOn }) => {
          const [, owner] = ccoctlDescription.exec(description) ?? [];
          if (owner === undefined || used.has(roleGuid(id))) return [];
          return [
            {
              ...{ kind: "role-definitions" as const, id, title: `custom role ${roleName}`, subscriptionId, owner },
              ...{ changedAt: updatedOn, madeBy: "its description is that of ccoctl", unknown: unseen(evidence), takes: undefined },
              unused: "no role assignment that you can see has it",
              objections: ["a management group or another subscription may use it"],
            },
          ];
        });
      } catch (error) {
        unread.push({ subscriptionId, failure: toFailure(error, `reading the custom roles of subscription ${subscriptionId}`) });
        return [];
      }
    }),
  );
  // A role is in the list of each subscription that it can be assigned in.
  return { candidates: [...new Map(listed.flat().map((one) => [roleGuid(one.id), one])).values()], unread };
}

/** Of the ID of a role, which some answers have without a subscription. */
function roleGuid(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1).toLowerCase();
}

/** Sets with a certificate that has ended or ends soon. */
async function credentials(azure: Azure, evidence: Evidence, signal: AbortSignal): Promise<Audited> {
  const { findings, now } = evidence;
  const sets = findings.filter(({ kind, origin }) => kind === "identities" && origin === "aro-hcp");
  const ends = await readCredentialEnds(azure, sets, signal);
  const candidates = sets.flatMap((finding) => {
    const end = ends.of(finding);
    const [entry] = finding.entries;
    if (entry === undefined || end === undefined || end.getTime() - now.getTime() > soonMs) return [];
    const isOver = end <= now;
    const objection = isOver ? "its certificate has ended, and the cluster needs a new one" : "its certificate is in use, and ends soon";
    return [audited("credentials", finding, entry, `credentials of identity set ${finding.name}`, objection)];
  });
  return { candidates, unread: ends.unread };
}

const soonMs = 30 * 86_400_000;

/** Delegations to a zone that is in no subscription of the caller. Another tenant may have it, or another provider. */
async function delegations(azure: Azure, { estate }: Evidence): Promise<Audited> {
  const zones = estate.entries.filter((entry) => isType(entry, resourceTypes.publicDnsZone));
  const unread: Unread[] = [];
  const listed = await Promise.all(
    zones.map(async (zone) => {
      try {
        const sets = await (await azure.manager()).list(`${zone.id}/NS`, "2018-05-01", namedResponse);
        return sets.flatMap(({ name }) => {
          const child = `${name}.${zone.name}`;
          // A zone has an NS record of its own.
          if (name === "@" || zones.some((one) => sameText(one.name, child))) return [];
          const id = `${zone.id}/NS/${name}`;
          return [{ ...bare(zone), id, title: `delegation of ${child}`, objections: ["its zone is in no subscription that you can see"] }];
        });
      } catch (error) {
        unread.push({ subscriptionId: zone.subscriptionId, failure: toFailure(error, `reading the delegations of DNS zone ${zone.name}`) });
        return [];
      }
    }),
  );
  return { candidates: listed.flat().map((one) => ({ kind: "delegations" as const, ...one })), unread };
}

function audited(kind: Candidate["kind"], finding: Finding, entry: Entry, title: string, objection: string): Candidate {
  return { ...bare(entry), kind, title, madeBy: madeBy(finding), owner: finding.name, objections: [objection] };
}

function madeBy({ origin }: Finding): string {
  return `its tags and its name are those of ${origin}`;
}

function bare({ id, createdAt }: Entry) {
  const subscriptionId = parseResourceId(id).subscriptionId.toLowerCase();
  return { id, subscriptionId, changedAt: createdAt, madeBy: undefined, unused: undefined, unknown: [], takes: undefined };
}
