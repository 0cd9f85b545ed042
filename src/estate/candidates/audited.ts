/** What an audit shows and a sweep never takes: only a person can know that nobody needs it. */
import { namedResponse } from "../../azure/arm-responses.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import { groupNameOf, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../domain/candidate.js";
import type { Finding } from "../domain/finding.js";
import { readCredentialEnds } from "../reading/credential-ends.js";
import { isType, type Entry, type Unread } from "../domain/estate.js";
import type { Evidence } from "../reading/evidence.js";

export interface Audited {
  readonly candidates: readonly Candidate[];
  readonly unread: readonly Unread[];
}

/** Reads more than a sweep does: the credentials of each managed identity and the delegations of each zone. */
export async function auditedCandidates(azure: Azure, evidence: Evidence, signal: AbortSignal): Promise<Audited> {
  const parts = await Promise.all([issuers(azure, evidence), credentials(azure, evidence, signal), delegations(azure, evidence)]);
  signal.throwIfAborted();
  return { candidates: parts.flatMap((one) => one.candidates), unread: parts.flatMap((one) => one.unread) };
}

const nothing: Audited = { candidates: [], unread: [] };

/** Issuers whose URL no federated credential has. A credential in a subscription or tenant that the caller does not see may have it. */
async function issuers(azure: Azure, { estate, findings }: Evidence): Promise<Audited> {
  const own = findings.filter(({ kind }) => kind === "oidc-issuers");
  if (own.length === 0) return nothing;
  const unread: Unread[] = [];
  const identities = estate.entries.filter((entry) => isType(entry, resourceTypes.managedIdentity));
  const trusted = await Promise.all(
    identities.map(async ({ id, subscriptionId, name }) => {
      try {
        const { federatedIdentityCredentials } = await azure.identities(subscriptionId);
        const listed = (await found(all(federatedIdentityCredentials.list(groupNameOf(id) ?? "", name)))) ?? [];
        return listed.flatMap(({ issuer = "" }) => (URL.canParse(issuer) ? [new URL(issuer).hostname.split(".")[0]] : []));
      } catch (error) {
        unread.push({ subscriptionId, failure: toFailure(error, `reading the federated credentials of managed identity ${name}`) });
        return [];
      }
    }),
  );
  const accounts = new Set(trusted.flat());
  const candidates = own.flatMap((finding) => {
    const account = finding.entries.find((entry) => isType(entry, resourceTypes.storageAccount));
    if (account === undefined || accounts.has(account.name.toLowerCase())) return [];
    return [audited("oidc-issuers", finding, account, `OIDC issuer ${finding.name}`, "no managed identity that you can see trusts it")];
  });
  return { candidates, unread };
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

function audited(kind: Candidate["kind"], { origin, name }: Finding, entry: Entry, title: string, objection: string): Candidate {
  return { ...bare(entry), kind, title, madeBy: `its tags and its name are those of ${origin}`, owner: name, objections: [objection] };
}

function bare({ id, createdAt }: Entry) {
  const subscriptionId = parseResourceId(id).subscriptionId.toLowerCase();
  return { id, subscriptionId, changedAt: createdAt, madeBy: undefined, unused: undefined, unknown: [], takes: undefined };
}
