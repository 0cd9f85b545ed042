/** Finds the clusters of hypershift, which sets no tags, by names of several resources that agree. */
import { accountOf2022, clusterResource, type ClusterResource } from "../../domain/cluster-resource.js";
import { infraNames, type ClusterKey } from "../../domain/names.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Finding } from "../domain/finding.js";
import { isType, type Assignment, type Entry, type Estate } from "../domain/estate.js";
import { missingOfCluster } from "./cluster-parts.js";
import { grouped } from "./grouped.js";

type AssignmentsOf = (infraId: string) => readonly Assignment[];

interface Named {
  readonly entry: Entry;
  readonly as: ClusterResource;
}

/** `others`: entries that belong to somebody already. */
export function hypershiftFindings({ entries }: Estate, others: ReadonlySet<Entry>, assignmentsOf: AssignmentsOf): Finding[] {
  const free = entries.filter((entry) => !others.has(entry));
  return grouped(free, () => ({})).flatMap(([, own]) => inSubscription(own, assignmentsOf));
}

function inSubscription(entries: readonly Entry[], assignmentsOf: AssignmentsOf): Finding[] {
  const byName = new Map(grouped(entries, ({ name }) => ({ name })).map(([{ name }, same]) => [name.toLowerCase(), same]));
  const zones = entries.filter((entry) => isType(entry, resourceTypes.privateDnsZone));
  const taken = new Set<Entry>();
  return candidates(entries)
    .map((cluster) => ({ cluster, named: named(cluster, byName, zones) }))
    .toSorted((a, b) => b.named.length - a.named.length)
    .flatMap(({ cluster, named: all }) => {
      const parts = all.filter(({ entry }) => !taken.has(entry));
      const assignments = assignmentsOf(cluster.infraId);
      // Any split of "a-b-c" gives the same names to group and network: something must tell the cluster's name from its infra ID.
      if (parts.length < 2 || !(assignments.length > 0 || parts.some(tellsApart))) return [];
      for (const { entry } of parts) taken.add(entry);
      const own = parts.map(({ entry }) => entry);
      return [
        {
          kind: "clusters",
          origin: "hypershift",
          version: versionOf(cluster, own, assignments),
          ...cluster,
          subscriptionId: own[0]?.subscriptionId ?? "",
          entries: own,
          assignments,
          missing: missingOfCluster(own, assignments.length > 0),
        },
      ];
    });
}

/** Each way to read the name of a group or a network as name and infra ID: "a-b-c" may be cluster a with b-c, or a-b with c. */
function candidates(entries: readonly Entry[]): ClusterKey[] {
  const texts = entries
    .filter((entry) => isType(entry, resourceTypes.resourceGroup) || isType(entry, resourceTypes.virtualNetwork))
    .map(({ name }) => name);
  const found = [...new Set(texts)].flatMap((text) =>
    [...text.matchAll(/-(?:vnet-|nsg-)?/g)].flatMap(({ 0: joint, index }) => {
      const cluster = { name: text.slice(0, index), infraId: text.slice(index + joint.length) };
      return cluster.name === "" || cluster.infraId === "" ? [] : [cluster];
    }),
  );
  return [...new Map(found.map((one) => [`${one.name}/${one.infraId}`.toLowerCase(), one])).values()];
}

function named(cluster: ClusterKey, byName: ReadonlyMap<string, readonly Entry[]>, zones: readonly Entry[]): Named[] {
  const { groups, vnet, nsg, loadBalancer, natGateway } = infraNames("hypershift", { ...cluster, baseDomain: "" });
  const all = [groups.managed, groups.vnet, groups.nsg, vnet, nsg, loadBalancer, natGateway, accountOf2022(cluster.infraId)];
  const names = new Set(all.map((name) => name.toLowerCase()));
  const places = { cluster, existingGroups: undefined };
  const sameName = [...names].flatMap((name) => byName.get(name) ?? []);
  return [...sameName, ...zones].flatMap((entry) => {
    const as = clusterResource(places, entry.id);
    return as ? [{ entry, as }] : [];
  });
}

/** Whether the name contains the infra ID alone, the name alone, or both with something between them. */
function tellsApart({ entry, as: { group, namings } }: Named): boolean {
  const alone = [resourceTypes.loadBalancer, resourceTypes.publicIpAddress, resourceTypes.natGateway, resourceTypes.privateDnsZone];
  if (alone.some((type) => isType(entry, type))) return true;
  return isType(entry, resourceTypes.resourceGroup) && group !== "managed" && namings.includes("hypershift");
}

/** By what its creates of that time made: names of assignments since 2025-03, groups of its own for the network since 2024-06. */
function versionOf({ name }: ClusterKey, entries: readonly Entry[], assignments: readonly Assignment[]): string {
  const zone = entries.find((entry) => isType(entry, resourceTypes.privateDnsZone))?.name.toLowerCase();
  if (zone?.startsWith(`${name.toLowerCase()}.`) === true) return "2026-08 or later";
  if (assignments.length > 0) return "2025-03 or later";
  const groups = entries.filter((entry) => isType(entry, resourceTypes.resourceGroup));
  return groups.length > 1 ? "2024-06 to 2025-03" : "before 2024-06, or with a group of its own choice";
}
