/** The settings that an AKS cluster was created with: what exists of it shows them, and its output file records them. */
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { resourcesWithTag } from "../../azure/tagged-resources.js";
import type { AksClusterKey, ClusterKind } from "../../domain/cluster-kind.js";
import { aksClusterOwns, formerSecurityGroup } from "../domain/cluster-resource.js";
import { ownershipTags } from "../../domain/ownership.js";
import { isInGroup } from "../../domain/resource-id.js";
import type { OwnCommand } from "../../errors/advice.js";
import type { ClusterOptions } from "../../files/aks-cluster-output.js";
import { optionsOf, type CommandName, type CommandOption } from "../../settings/commands.js";
import { isExplicit, requireComplete } from "../../settings/resolve.js";
import type { Resolved, SettingKey, Values } from "../../settings/settings.js";
import { clusterGroupName } from "../removal/cluster-group-name.js";
import { sameText } from "../../text/same-text.js";
import { derivedClusterOptions } from "./aks-derived-options.js";
import { completed, recordIn, recordOf } from "../../run/option-record.js";

/** The settings of a run or of this machine, and those in the name of the cluster. */
const notRecorded: ReadonlySet<string> = new Set([
  ...(["name", "subscription", "cloud", "azureCreds", "config", "color", "plain", "debug", "output", "timeout", "concurrency"] as const),
  ...([
    "dryRun",
    "exitCode",
    "fullPlan",
    "yes",
    "outputEvents",
    "outputReport",
    "roleCommands",
    "outputTimings",
    "outputFile",
    "outputKubeconfig",
  ] as const),
  // The vault itself has it, and a create never turns it on by a record.
  "purgeProtection",
]);

/** Every option that determines the resources of a cluster of that kind. */
export function recordedClusterOptions(kind: ClusterKind): readonly CommandOption[] {
  return optionsOf(`create ${kind}`).filter(({ key }) => !notRecorded.has(key));
}

/** The settings that differ from their defaults, and the location. */
export function recordOfCluster(kind: ClusterKind, values: Values): ClusterOptions {
  return recordOf(recordedClusterOptions(kind), values, ["location"]) as ClusterOptions;
}

/** @throws ARO-FILE-003 that names the file and each invalid key */
export async function validClusterOptions(
  kind: ClusterKind,
  options: ClusterOptions | undefined,
  path: string,
): Promise<ClusterOptions | undefined> {
  return options && recordIn(`create ${kind}`, recordedClusterOptions(kind), options, path);
}

export interface ClusterRecord {
  /** Whether Azure has a group or a resource of the cluster. */
  readonly exists: boolean;
  /** What exists of the cluster shows these settings; undefined if nothing exists. */
  readonly record: ClusterOptions | undefined;
  /** The security group of the nodes, if an earlier version named it. */
  readonly securityGroupName?: string | undefined;
}

/** `groupName` is that of the settings: of two clusters with one name, it selects one. `access`: also who has access to what. */
export async function clusterAsFound(
  azure: Azure,
  cluster: AksClusterKey,
  groupName: string | undefined,
  { access }: { readonly access: boolean },
): Promise<ClusterRecord> {
  const { subscriptionId } = azure.connection;
  const [[tag, value]] = Object.entries(ownershipTags(cluster)) as [[string, string]];
  const { resourceGroups } = await azure.resources();
  const filter = `tagName eq '${tag}' and tagValue eq '${value}'`;
  const [groups = [], tagged = []] = await Promise.all([
    orRefused(all(resourceGroups.list({ filter }))),
    orRefused(resourcesWithTag(azure, tag, value)),
  ]);
  const group = groupName ?? clusterGroupName({ cluster, subscriptionId, groupName }, groups, tagged);
  if (group === undefined) return { exists: false, record: undefined };
  const places = { cluster, subscriptionId, existingGroups: [group] };
  const ownGroup = groups.find((one) => sameText(one.name, group) && aksClusterOwns(places, one));
  const resources = tagged.filter((one) => isInGroup(one.id, group) && aksClusterOwns(places, one));
  if (ownGroup === undefined && resources.length === 0) return { exists: false, record: undefined };
  const own = resources.flatMap(({ id }) => id ?? []);
  const location = (ownGroup ?? resources.find((one) => one.location !== undefined))?.location;
  const securityGroupName = formerSecurityGroup(cluster, own);
  const place = { group, isExisting: ownGroup === undefined, location, own, securityGroupName, access };
  return { exists: true, record: await derivedClusterOptions(azure, cluster, place), securityGroupName };
}

/**
 * The settings with recorded values for unset options. `existing`: that Azure shows.
 * @throws ARO-USAGE-001 if a setting requires another one that neither the user nor the record has set
 */
export async function withClusterRecord<C extends CommandName>(
  resolved: Resolved<C>,
  kind: ClusterKind,
  record: ClusterOptions = {},
  existing?: ClusterOptions,
): Promise<Resolved<C>> {
  const merged = completed(resolved, recordedClusterOptions(kind), record, existing);
  await requireComplete(`create ${kind}`, merged);
  return merged;
}

/** The create of the cluster with these settings, for advice. `isRecorded`: Azure shows its settings. `outputFile` has more of them. */
export function createClusterAdvice(
  { kind, name }: AksClusterKey,
  { settings, origins }: Pick<Resolved<CommandName>, "settings" | "origins">,
  isRecorded: boolean,
  outputFile: string | undefined,
): OwnCommand {
  const values: Readonly<Record<string, unknown>> = settings;
  const differing = recordOfCluster(kind, settings);
  const named = recordedClusterOptions(kind).flatMap(({ key }) => {
    const value = isExplicit(origins[key as SettingKey]) ? values[key] : isRecorded ? undefined : differing[key];
    return value === undefined ? [] : [[key, value as OwnCommand["settings"][string]] as const];
  });
  return { run: `create ${kind}`, settings: { name, ...Object.fromEntries(named), outputFile } };
}
