/** Finds what other tools made: listed so that nobody takes it for garbage, never changed. */
import { ccoctlTag } from "../../domain/ccoctl.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Finding, Kind, Origin } from "../domain/finding.js";
import { isType, type Entry, type Estate } from "../domain/estate.js";
import { grouped } from "./grouped.js";

/** `known`: infra IDs of clusters that are found already: Cluster API and the cloud provider tag their machines, too. */
export function otherFindings({ entries }: Estate, known: ReadonlySet<string>): Finding[] {
  return [
    ...byTag(entries, ccoctlTag, "ccoctl", (own) => [
      ...(own.some((entry) => isType(entry, resourceTypes.storageAccount)) ? ["oidc-issuers" as const] : []),
      ...(own.some((entry) => isType(entry, resourceTypes.managedIdentity)) ? ["identities" as const] : []),
    ]),
    ...byTag(groupsOf(entries), installerTag, "openshift-install", () => ["clusters"]),
    ...byTag(groupsOf(entries), clusterApiTag, "Cluster API", () => ["clusters"]),
    ...services(entries),
  ].filter(({ name, origin }) => !(known.has(name.toLowerCase()) && (origin === "openshift-install" || origin === "Cluster API")));
}

const installerTag = "kubernetes.io_cluster.";
const clusterApiTag = "sigs.k8s.io_cluster-api-provider-azure_cluster_";

function groupsOf(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => isType(entry, resourceTypes.resourceGroup));
}

/** The tag's name ends with the name of the owner. */
function byTag(entries: readonly Entry[], prefix: string, origin: Origin, kindsOf: (own: readonly Entry[]) => readonly Kind[]): Finding[] {
  const owned = grouped(entries, ({ tags }) => {
    const [tag] = Object.entries(tags).find(([key, value]) => key.toLowerCase().startsWith(prefix) && value === "owned") ?? [];
    return tag === undefined ? undefined : { name: tag.slice(prefix.length) };
  });
  return owned.flatMap(([{ name }, own]) => kindsOf(own).map((kind) => finding(kind, origin, name, own)));
}

const serviceTypes: Readonly<Record<string, Origin>> = {
  "microsoft.redhatopenshift/openshiftclusters": "ARO",
  "microsoft.redhatopenshift/hcpopenshiftclusters": "ARO HCP service",
};

function services(entries: readonly Entry[]): Finding[] {
  return entries.flatMap((entry) => {
    const origin = serviceTypes[entry.type];
    return origin === undefined ? [] : [finding("clusters", origin, entry.name, [entry])];
  });
}

function finding(kind: Kind, origin: Origin, name: string, entries: readonly Entry[]): Finding {
  return { kind, origin, name, subscriptionId: entries[0]?.subscriptionId ?? "", entries, assignments: [], missing: [] };
}
