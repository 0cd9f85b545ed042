/** Finds what other tools made: listed so that nobody takes it for garbage, never changed. */
import { resourceTypes } from "../../domain/resource-types.js";
import type { Finding, Kind, Origin } from "../finding.js";
import { isType, type Entry, type Estate } from "../reading/estate.js";
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
    ...scripted(entries),
  ].filter(({ name, origin }) => !(known.has(name.toLowerCase()) && (origin === "openshift-install" || origin === "Cluster API")));
}

const ccoctlTag = "openshift.io_cloud-credential-operator_";
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

/** The groups of a hosted cluster in the scripts of hypershift's `contrib`, after its prefix. */
const clusterGroups = ["managed-rg", "customer-vnet-rg", "customer-nsg-rg"];
const aksGroup = "aks-rg";

function scripted(entries: readonly Entry[]): Finding[] {
  const groups = groupsOf(entries);
  const prefixed = grouped(groups, ({ name }) => {
    const ending = [...clusterGroups, aksGroup].find((one) => name.toLowerCase().endsWith(`-${one}`));
    return ending === undefined ? undefined : { prefix: name.slice(0, -ending.length - 1) };
  });
  return prefixed.flatMap(([{ prefix }, own]) => {
    const has = (ending: string) => own.some(({ name }) => name.toLowerCase() === `${prefix}-${ending}`.toLowerCase());
    const inGroups = entries.filter(({ group, subscriptionId }) =>
      own.some((one) => one.group === group && one.subscriptionId === subscriptionId),
    );
    const ofGroup = (isOwn: (group: string) => boolean) => inGroups.filter(({ group }) => isOwn(group));
    const isAks = (group: string) => group === `${prefix}-${aksGroup}`.toLowerCase();
    const present = clusterGroups.filter(has);
    const missing = clusterGroups.filter((ending) => !has(ending)).map((ending) => `resource group ${prefix}-${ending}`);
    return [
      // One group of such a name may be anybody's.
      ...(present.length > 1
        ? [
            {
              ...finding(
                "clusters",
                "contrib scripts",
                prefix,
                ofGroup((group) => !isAks(group)),
              ),
              missing,
            },
          ]
        : []),
      ...(inGroups.some(
        (one) => isType(one, resourceTypes.managedCluster) && one.name.toLowerCase() === `${prefix}-aks-cluster`.toLowerCase(),
      )
        ? [finding("management-clusters", "contrib scripts", prefix, ofGroup(isAks))]
        : []),
    ];
  });
}

function finding(kind: Kind, origin: Origin, name: string, entries: readonly Entry[]): Finding {
  return { kind, origin, name, subscriptionId: entries[0]?.subscriptionId ?? "", entries, assignments: [], missing: [] };
}
