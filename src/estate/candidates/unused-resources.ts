/** Single resources without use: private zones and soft-deleted vaults. */
import { defaultVaultName } from "../../domain/identity-names.js";
import { identitySetTag } from "../../domain/ownership.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { tagValue } from "../../domain/tags.js";
import { rfc3339 } from "../../text/rfc3339.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../domain/candidate.js";
import { isType, type Entry } from "../domain/estate.js";
import type { Evidence } from "../reading/evidence.js";
import { doubtsAbout, unreadIn } from "./objections.js";
import { isSetEmpty } from "./sets.js";

export function resourceCandidates(evidence: Evidence): Candidate[] {
  return [...zones(evidence), ...deletedVaults(evidence)];
}

/** A zone without its cluster and without a link resolves for nobody. */
function zones(evidence: Evidence): Candidate[] {
  const { estate, findings } = evidence;
  const links = estate.entries.filter((entry) => isType(entry, resourceTypes.virtualNetworkLink));
  return findings.flatMap((finding) => {
    const [zone, ...others] = finding.entries;
    if (finding.kind !== "clusters" || finding.origin !== "aro-hcp" || zone === undefined || !isType(zone, resourceTypes.privateDnsZone))
      return [];
    const linked = links.filter(({ id }) => id.toLowerCase().startsWith(`${zone.id.toLowerCase()}/`));
    const doubts = doubtsAbout(evidence, { ...zone, changedAt: zone.createdAt });
    const objections = [
      ...linked.map(({ name }) => `a network link uses it: ${name}`),
      ...others.map(({ name }) => `its cluster has more, and a create may go on: ${name}`),
      ...(finding.assignments.length > 0 ? ["identities have roles of the cluster"] : []),
      ...doubts.objections,
    ];
    return [
      {
        kind: "dns-zones",
        ...common(zone),
        title: titleOf(resourceTypes.privateDnsZone, zone.name),
        madeBy: `its tags and its name are those of cluster ${finding.name}/${finding.infraId ?? ""}`,
        unused: objections.length === 0 ? "no network is linked to it, and nothing else of the cluster is left" : undefined,
        takes: "private DNS zones",
        owner: finding.infraId ?? finding.name,
        ...(finding.infraId !== undefined && { cluster: { name: finding.name, infraId: finding.infraId } }),
        objections,
        unknown: doubts.unknown,
      },
    ];
  });
}

function common({ id, subscriptionId, createdAt }: Entry) {
  return { id, subscriptionId, changedAt: createdAt };
}

/** Those of sets that are gone: their name contains a hash of their place. What is in them goes with them, so the caller must name each. */
function deletedVaults(evidence: Evidence): Candidate[] {
  return evidence.estate.subscriptions.flatMap(({ id: subscriptionId }) =>
    (evidence.deletedVaults(subscriptionId) ?? []).flatMap((vault) => {
      const { id, name, properties: { tags, vaultId, deletionDate, purgeProtectionEnabled, scheduledPurgeDate } = {} } = vault;
      const set = tagValue(tags, identitySetTag);
      if (id === undefined || name === undefined || vaultId === undefined || set === undefined) return [];
      const { resourceGroup = "" } = parseResourceId(vaultId);
      const place = { subscriptionId, groupName: resourceGroup, name: set };
      const isOurs = sameText(name, defaultVaultName(place));
      const isGone = isSetEmpty(evidence, place);
      // The set is there: its own commands recover or purge the vault.
      if (!isGone && unreadIn(evidence, subscriptionId).length === 0 && evidence.applications !== undefined) return [];
      const doubts = doubtsAbout(evidence, { id: vaultId, subscriptionId, changedAt: deletionDate, tags });
      return [
        {
          kind: "deleted-vaults" as const,
          id,
          title: `deleted ${titleOf(resourceTypes.keyVault, name)}`,
          subscriptionId,
          changedAt: deletionDate,
          madeBy: isOurs ? `its name and its tag are those of identity set ${set}` : undefined,
          unused: isGone ? `nothing of the set is in resource group ${resourceGroup}` : undefined,
          takes: undefined,
          owner: set,
          purgeAs: name,
          objections: [
            ...(purgeProtectionEnabled === true
              ? [
                  `it has purge protection, and Azure purges it by itself: ${scheduledPurgeDate === undefined ? "" : rfc3339(scheduledPurgeDate)}`,
                ]
              : []),
            ...doubts.objections,
          ],
          unknown: [...(evidence.applications === undefined ? ["the directory could not be read"] : []), ...doubts.unknown],
        },
      ];
    }),
  );
}
