/** The settings that a cluster was created with, from its resources and from the output file of its create. */
import type { Azure } from "../../azure/azure.js";
import type { ClusterKey } from "../../domain/names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import type { RecordedOptions } from "../../files/recorded-options.js";
import { egressOptions, recordedNames } from "../../settings/infrastructure-options.js";
import { optionsOf, type CommandName } from "../../settings/commands.js";
import type { Resolved, Values } from "../../settings/settings.js";
import { clusterInAzure, type ClusterInAzure } from "./cluster-in-azure.js";
import { derivedOptions, type DerivedOptions } from "./derived-options.js";
import { completed, isGiven, recordIn, recordOf } from "../../run/option-record.js";

/** What the schema of the output file must have. */
const recordedKeys: readonly (keyof RecordedOptions)[] = ["identitiesName", "baseDomain", "location", ...recordedNames];

/** Each option of a record. A create of the infrastructure alone takes no name of a set. */
export const recordedOptions = recordedKeys.flatMap((key) => {
  const commands = ["create infra", "create all"] as const;
  return commands.flatMap((command) => optionsOf(command).filter((option) => option.key === key)).slice(0, 1);
});

/** The settings that differ from their defaults, and base domain and location. */
export function recordOfInfra({ settings }: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings">): RecordedOptions {
  return recordOf(recordedOptions, settings, ["baseDomain", "location"]);
}

/** The settings with these values for unset options: flags, variables and configuration files override them. */
export function withRecord<C extends CommandName>(
  resolved: Resolved<C>,
  record: RecordedOptions = {},
  existing?: RecordedOptions,
): Resolved<C> {
  return completed(resolved, recordedOptions, record, existing, (key) => isTurnedOff(resolved, key, record));
}

/** The same with the record of a file. @throws ARO-FILE-003 for an invalid one */
export async function withFileRecord<C extends CommandName>(
  resolved: Resolved<C>,
  record: RecordedOptions | undefined,
  path: string | undefined,
): Promise<Resolved<C>> {
  return withRecord(resolved, path === undefined ? undefined : await requireValidRecord(record, path));
}

/** A recorded role assignment needs no identity files: the output file has the identities. */
export const allowedWithoutIdentities: ReadonlySet<string> = new Set(["assignIdentityRoles", "assignCustomHcpRoles"]);

/** @throws ARO-FILE-003 that names the file and each invalid key */
export async function requireValidRecord<R extends RecordedOptions | undefined>(record: R, path: string): Promise<R> {
  return record && recordIn("create infra", recordedOptions, record, path, allowedWithoutIdentities);
}

/** Options about a way out end with it. */
const ofEgress: ReadonlySet<string> = new Set(egressOptions.filter((key) => key !== "egress"));

/** Custom roles imply role assignment, so they end with it. New addresses and prefixes replace each other. */
function isTurnedOff(resolved: Resolved<CommandName>, key: string, record: RecordedOptions): boolean {
  const values: Values = resolved.settings;
  if (ofEgress.has(key) && isGiven(resolved, "egress") && values.egress !== (record.egress ?? "load-balancer")) return true;
  if (key === "outboundAddresses") return isGiven(resolved, "publicIpPrefixId") || isGiven(resolved, "natGatewayId");
  if (key === "publicIpPrefixId") return isGiven(resolved, "outboundAddresses") || isGiven(resolved, "natGatewayId");
  if (key === "natGatewayId") return isGiven(resolved, "outboundAddresses") || isGiven(resolved, "publicIpPrefixId");
  return key === "assignCustomHcpRoles" && values.assignIdentityRoles === false && isGiven(resolved, "assignIdentityRoles");
}

/** The settings of an existing cluster, as its resources show them. `say` reports groups that may be its existing group. */
export async function settingsAsFound(
  azure: Azure,
  cluster: ClusterKey,
  inAzure: ClusterInAzure,
  resolved: Resolved<CommandName>,
  say: (text: string) => void,
): Promise<DerivedOptions> {
  const values: Values = resolved.settings;
  const existingGroup = isGiven(resolved, "resourceGroupName") ? values.resourceGroupName : undefined;
  const { baseDomain, subnetId, egress, expectedNodes } = values;
  const given: RecordedOptions = { baseDomain, subnetId, egress, expectedNodes };
  const derived = await derivedOptions(azure, cluster, inAzure, { existingGroup, given });
  for (const group of derived.possibleGroups) {
    say(
      `notice: resource group ${group} contains resources with the tags and names of ${cluster.infraId}; if it is this cluster's existing group, pass --resource-group-name ${group} to the infra commands`,
    );
  }
  return derived;
}

export interface Recalled<C extends CommandName> {
  readonly resolved: Resolved<C>;
  /** Whether a file recorded the settings. If not, unset options may have values derived from IDs in it. */
  readonly isRecorded: boolean;
  /** Whether Azure has a resource group or a resource of the cluster. */
  readonly exists: boolean;
  /** Undefined if neither a file nor Azure shows any. */
  readonly record: RecordedOptions | undefined;
}

/**
 * The settings that the cluster was created with: flags override the file, and the file overrides what exists.
 * @throws ARO-OWN-001 if only a cluster with another name has the infra ID
 */
export async function recall<C extends CommandName>(
  azure: Azure,
  resolved: Resolved<C>,
  cluster: ClusterKey | undefined,
  file: RecordedOptions | undefined,
  say: (text: string) => void,
): Promise<Recalled<C>> {
  const inAzure = cluster && (await clusterInAzure(azure, cluster));
  const exists = inAzure?.exists === true;
  if (!exists && inAzure?.taken) throw inAzure.taken;
  if (!exists || file !== undefined) return { resolved: withRecord(resolved, file), isRecorded: file !== undefined, exists, record: file };
  const { options: record } = await settingsAsFound(azure, cluster as ClusterKey, inAzure, resolved, say);
  return { resolved: withRecord(resolved, record, record), isRecorded: false, exists, record };
}

/** The subscriptions of the existing resources that the cluster was created with. */
export function existingSubscriptions(record: RecordedOptions | undefined): string[] {
  const ids = [record?.vnetId, record?.subnetId, record?.networkSecurityGroupId].filter((id) => id !== undefined);
  return ids.map((id) => parseResourceId(id).subscriptionId);
}
