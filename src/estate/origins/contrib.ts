/** Finds what hypershift's scripts in `contrib` made, which set no tags: by names that begin or end with one prefix. */
import { dataPlaneComponents } from "../../domain/components.js";
import { managedIdentityName } from "../../domain/identity-names.js";
import { hasOwner } from "../../domain/ownership.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import type { Finding, Kind } from "../domain/finding.js";
import { isType, type Entry, type Estate } from "../domain/estate.js";
import { grouped } from "./grouped.js";

/** The groups of a hosted cluster, after its prefix. */
const clusterGroups = ["managed-rg", "customer-vnet-rg", "customer-nsg-rg"];
const aksGroup = "aks-rg";

export function contribFindings({ entries }: Estate): Finding[] {
  const untagged = entries.filter(({ tags }) => !hasOwner(tags));
  const sets = identitySets(untagged);
  return [...sets, ...clusters(untagged, sets)];
}

function clusters(entries: readonly Entry[], sets: readonly Finding[]): Finding[] {
  const groups = entries.filter((entry) => isType(entry, resourceTypes.resourceGroup));
  const prefixed = grouped(groups, ({ name }) => {
    const ending = [...clusterGroups, aksGroup].find((one) => name.toLowerCase().endsWith(`-${one}`));
    return ending === undefined ? undefined : { prefix: name.slice(0, -ending.length - 1) };
  });
  return prefixed.flatMap(([{ prefix }, own]) => {
    const inGroups = (endings: readonly string[]) => {
      const names = endings.map((ending) => `${prefix}-${ending}`.toLowerCase());
      return entries.filter((entry) => names.includes(entry.group) && entry.subscriptionId === own[0]?.subscriptionId);
    };
    const missing = clusterGroups.map((ending) => `${prefix}-${ending}`).filter((group) => !own.some(({ name }) => sameText(name, group)));
    const hasSet = sets.some(({ name, subscriptionId }) => sameText(name, prefix) && subscriptionId === own[0]?.subscriptionId);
    // One group of such a name may be anybody's, unless there are identities of that prefix.
    const least = hasSet ? 1 : 2;
    const ofAks = inGroups([aksGroup]);
    return [
      ...(clusterGroups.length - missing.length >= least
        ? [
            finding(
              "clusters",
              prefix,
              inGroups(clusterGroups),
              missing.map((group) => `resource group ${group}`),
            ),
          ]
        : []),
      ...(ofAks.some((one) => isType(one, resourceTypes.managedCluster) && sameText(one.name, `${prefix}-aks-cluster`))
        ? [finding("management-clusters", prefix, ofAks)]
        : []),
    ];
  });
}

/** In one group: a vault with the prefix as its name, and managed identities that end with it. */
function identitySets(entries: readonly Entry[]): Finding[] {
  const vaults = entries.filter((entry) => isType(entry, resourceTypes.keyVault));
  return vaults.flatMap((vault) => {
    const { name } = vault;
    const names = dataPlaneComponents.map((component) => managedIdentityName({ name }, component));
    const identities = entries.filter(
      (entry) =>
        isType(entry, resourceTypes.managedIdentity) &&
        entry.group === vault.group &&
        entry.subscriptionId === vault.subscriptionId &&
        names.some((one) => sameText(one, entry.name)),
    );
    if (identities.length === 0) return [];
    const missing = names.filter((one) => !identities.some((identity) => sameText(identity.name, one)));
    return [
      finding(
        "identities",
        name,
        [vault, ...identities],
        missing.map((one) => `managed identity ${one}`),
      ),
    ];
  });
}

function finding(kind: Kind, name: string, entries: readonly Entry[], missing: readonly string[] = []): Finding {
  return { kind, origin: "contrib scripts", name, subscriptionId: entries[0]?.subscriptionId ?? "", entries, assignments: [], missing };
}
