/** The settings that an AKS cluster was created with: create records them, and every command about the cluster uses them where no other is set. */
import { isDeepStrictEqual } from "node:util";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { resourcesWithTag } from "../../azure/tagged-resources.js";
import type { AksClusterKey, ClusterKind } from "../../domain/aks/cluster-kind.js";
import { aksClusterOwns } from "../../domain/aks/cluster-resource.js";
import { ownershipTags } from "../../domain/ownership.js";
import { isInGroup, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { OwnCommand } from "../../errors/advice.js";
import type { ClusterOptions } from "../../files/aks-cluster-output.js";
import { settingArguments } from "../../settings/command-line.js";
import type { CommandName, CommandOption } from "../../settings/commands.js";
import { defaultOf } from "../../settings/parse-value.js";
import { isExplicit, requireComplete } from "../../settings/resolve.js";
import type { Resolved, SettingKey, Values } from "../../settings/settings.js";
import { clusterRecordInTags, recordedClusterOptions } from "./aks-valid-record.js";

/** The settings that differ from their defaults, and the location. */
export function recordOfCluster(kind: ClusterKind, values: Values): ClusterOptions {
  const found: Readonly<Record<string, unknown>> = values;
  return Object.fromEntries(
    recordedClusterOptions(kind).flatMap((option) => {
      const value = found[option.key];
      return option.key !== "location" && isDefault(option, value) ? [] : [[option.key, value] as const];
    }),
  ) as ClusterOptions;
}

function isDefault(option: CommandOption, value: unknown): boolean {
  if (value === undefined || value === false) return true;
  if (isSame(defaultOf(option), value)) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** As a function without a type guard. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

export interface ClusterRecord {
  /** Whether Azure has a group or a resource of the cluster. */
  readonly exists: boolean;
  /** Undefined if it is not recorded, or invalid. */
  readonly record: ClusterOptions | undefined;
}

/**
 * The record is in the tags of the cluster's group, which is written first; with an existing group, in those of resources. `groupName` is that of
 * the settings: of two clusters with one name, it selects one.
 */
export async function recordInAzure(
  azure: Azure,
  cluster: AksClusterKey,
  groupName: string | undefined,
  say: (text: string) => void,
): Promise<ClusterRecord> {
  const [tag = "", value = ""] = Object.entries(ownershipTags(cluster))[0] ?? [];
  const { resourceGroups } = await azure.resources();
  const filter = `tagName eq '${tag}' and tagValue eq '${value}'`;
  const groups = (await orRefused(all(resourceGroups.list({ filter })))) ?? [];
  const places = { cluster, subscriptionId: azure.connection.subscriptionId, existingGroups: undefined };
  const own = groups.filter((group) => aksClusterOwns(places, group));
  const recordIn = (tagged: readonly { readonly tags?: Record<string, string> }[]) =>
    tagged.map(({ tags }) => clusterRecordInTags(cluster.kind, tags, say)).find((one) => one !== undefined);
  const isSelected = ({ id }: { readonly id?: string }) => groupName === undefined || isInGroup(id, groupName);
  const inGroup = own.every(isSelected) ? recordIn(own) : undefined;
  if (inGroup !== undefined) return { exists: true, record: inGroup };
  const resources = ((await orRefused(resourcesWithTag(azure, tag, value))) ?? []).filter((one) => aksClusterOwns(places, one));
  // The AKS cluster has the latest record. Before it exists, another resource has it.
  const isCluster = ({ type }: (typeof resources)[number]) => sameType(type ?? "", resourceTypes.managedCluster.type);
  const ordered = [...resources.filter(isCluster), ...resources.filter((one) => !isCluster(one))];
  const found = [...ordered.filter(isSelected), ...own, ...ordered.filter((one) => !isSelected(one))];
  return { exists: found.length > 0, record: recordIn(found) };
}

/**
 * The settings with recorded values for unset options.
 * @throws ARO-USAGE-001 if a setting requires another one that neither the user nor the record has set
 */
export function withClusterRecord<C extends CommandName>(
  resolved: Resolved<C>,
  kind: ClusterKind,
  record: ClusterOptions | undefined,
): Resolved<C> {
  const merged = record === undefined ? resolved : mergedWithRecord(resolved, kind, record);
  requireComplete(`create ${kind}`, merged);
  return merged;
}

function mergedWithRecord<C extends CommandName>(resolved: Resolved<C>, kind: ClusterKind, record: ClusterOptions): Resolved<C> {
  const settings: Record<string, unknown> = { ...resolved.settings };
  const origins = { ...resolved.origins };
  for (const { key, flag } of recordedClusterOptions(kind)) {
    const value = record[key];
    if (value === undefined || !(key in settings) || isExplicit(origins[key as SettingKey])) continue;
    settings[key] = value;
    origins[key as SettingKey] = { source: "record", label: `recorded ${flag}` };
  }
  return { ...resolved, settings: settings as Resolved<C>["settings"], origins };
}

/** The flags whose values differ between the output file and the tags of the cluster. */
export function differingFlags(kind: ClusterKind, file: ClusterOptions, recorded: ClusterOptions): readonly string[] {
  return recordedClusterOptions(kind).flatMap(({ key, flag }) => (isSame(file[key], recorded[key]) ? [] : [flag]));
}

/** A setting with a different value than the cluster was created with. */
export interface ChangedClusterOption {
  readonly option: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

/** The settings of this run that differ from the record. */
export function changedClusterOptions(
  { settings, origins }: Resolved<CommandName>,
  kind: ClusterKind,
  record: ClusterOptions | undefined,
): readonly ChangedClusterOption[] {
  if (record === undefined) return [];
  const values: Readonly<Record<string, unknown>> = settings;
  return recordedClusterOptions(kind).flatMap((option) => {
    const { key, flag } = option;
    if (!isExplicit(origins[key as SettingKey])) return [];
    const now = values[key];
    const recorded: unknown = record[key];
    const isUnchanged = recorded === undefined ? isDefault(option, now) : isSame(recorded, now);
    const off = option.kind === "switch" ? false : undefined;
    return isUnchanged ? [] : [{ option: flag, recorded: recorded ?? defaultOf(option) ?? off, now }];
  });
}

/** The kept settings as flags; empty if they are what unset options have anyway. */
export function keptClusterFlags({ settings, origins }: Resolved<CommandName>, kind: ClusterKind): string {
  const values: Readonly<Record<string, unknown>> = settings;
  return recordedClusterOptions(kind)
    .filter((option) => origins[option.key as SettingKey]?.source === "record" && !isDefault(option, values[option.key]))
    .map(({ key }) => settingArguments(key as SettingKey, values[key] as Parameters<typeof settingArguments>[1]))
    .join(" ");
}

/**
 * The create of the cluster with these settings, for advice. `isRecorded`: Azure has the settings that it was created with, and a create keeps
 * them.
 */
export function createClusterAdvice(
  { kind, name }: AksClusterKey,
  { settings, origins }: Pick<Resolved<CommandName>, "settings" | "origins">,
  isRecorded: boolean,
): OwnCommand {
  const values: Readonly<Record<string, unknown>> = settings;
  const differing = recordOfCluster(kind, settings);
  const named = recordedClusterOptions(kind).flatMap(({ key }) => {
    const value = isExplicit(origins[key as SettingKey]) ? values[key] : isRecorded ? undefined : differing[key];
    return value === undefined ? [] : [[key, value as OwnCommand["settings"][string]] as const];
  });
  return { run: `create ${kind}`, settings: { name, ...Object.fromEntries(named) } };
}
