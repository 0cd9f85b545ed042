/** The settings that a cluster was created with. Create records them; other commands read them from its output file or its tags as defaults. */
import { isDeepStrictEqual } from "node:util";
import type { Azure } from "../../azure/azure.js";
import { groupsWithInfraId, owned, resourcesWithInfraId, type Tagged } from "../../azure/own-resources.js";
import { optionTags } from "../../domain/option-tags.js";
import { infraIdOfOther } from "../../domain/infra-id-of-other.js";
import type { ClusterKey } from "../../domain/names.js";
import { parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Failure } from "../../errors/failure.js";
import { recordedKeys, type ClusterRecord, type RecordedOptions } from "../../files/recorded-options.js";
import { egressOptions } from "../../settings/commands/shared-options.js";
import type { CommandName } from "../../settings/commands.js";
import { settingArguments } from "../../settings/command-line.js";
import { allOptions } from "../../settings/options.js";
import { defaultOf } from "../../settings/parse-value.js";
import { isExplicit } from "../../settings/resolve.js";
import type { Resolved, SettingKey } from "../../settings/settings.js";
import { optionsWithoutRecord, type DerivedOptions } from "./derived-options.js";
import { recordInTags, requireValidRecord } from "./valid-record.js";

/** A record without one of these is of an adopted cluster whose resources do not show it. */
export const alwaysRecorded: ReadonlySet<string> = new Set(["baseDomain", "location"]);

/** The settings that differ from their defaults, and those that are always recorded. */
export function recordOf({ settings }: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings">): RecordedOptions {
  const values: Readonly<Record<string, unknown>> = settings;
  return Object.fromEntries(
    recordedKeys.flatMap((key) => (alwaysRecorded.has(key) || !isDefault(key, values[key]) ? [[key, values[key]] as const] : [])),
  );
}

/** As tags: the user's tags are on the groups anyway, and an existing subnet includes its network. `formerEgress`: see `ClusterRecord`. */
export function optionTagsOf(
  resolved: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings">,
  formerEgress?: readonly string[],
): Record<string, string> {
  const { resourceGroupTags: _tags, vnetId, ...record } = recordOf(resolved);
  const network = record.subnetId === undefined && vnetId !== undefined ? { vnetId } : {};
  return optionTags({ ...record, ...network, ...(formerEgress && { formerEgress }) });
}

function isDefault(key: string, value: unknown): boolean {
  if (value === undefined || value === false) return true;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  const option = allOptions.find((one) => one.key === key);
  return option !== undefined && defaultOf(option) === value;
}

/** The settings with recorded values for unset options: flags, variables and configuration files override the record. */
export function withRecord<C extends CommandName>(resolved: Resolved<C>, record: RecordedOptions | undefined): Resolved<C> {
  if (record === undefined) return resolved;
  const settings: Record<string, unknown> = { ...resolved.settings };
  const origins = { ...resolved.origins };
  for (const key of recordedKeys) {
    const value = record[key];
    // A create of the infrastructure alone takes no name of a set, and must not remove it from the record.
    const isKnown = key in settings || key === "identitiesName";
    if (value === undefined || !isKnown || isGiven(resolved, key) || isTurnedOff(resolved, key, record)) continue;
    settings[key] = value;
    origins[key] = { source: "record", label: `recorded ${flagOf(key)}` };
  }
  return { ...resolved, settings: settings as Resolved<C>["settings"], origins };
}

/** The same with the record of a file. @throws ARO-FILE-003 for an invalid one */
export function withFileRecord<C extends CommandName>(
  resolved: Resolved<C>,
  record: RecordedOptions | undefined,
  path: string | undefined,
): Resolved<C> {
  return withRecord(resolved, path === undefined ? undefined : requireValidRecord(record, path));
}

export function isGiven({ origins }: Pick<Resolved<CommandName>, "origins">, key: SettingKey): boolean {
  return isExplicit(origins[key]);
}

/** Options about a way out end with it. */
const ofEgress: ReadonlySet<SettingKey> = new Set(egressOptions.filter((key) => key !== "egress"));

/** Custom roles imply role assignment, so they end with it. New addresses and prefixes replace each other. */
function isTurnedOff(resolved: Resolved<CommandName>, key: SettingKey, record: RecordedOptions): boolean {
  const values: Readonly<Record<string, unknown>> = resolved.settings;
  if (ofEgress.has(key) && isGiven(resolved, "egress") && values["egress"] !== (record.egress ?? "load-balancer")) return true;
  if (key === "outboundAddresses") return isGiven(resolved, "publicIpPrefixId") || isGiven(resolved, "natGatewayId");
  if (key === "publicIpPrefixId") return isGiven(resolved, "outboundAddresses") || isGiven(resolved, "natGatewayId");
  if (key === "natGatewayId") return isGiven(resolved, "outboundAddresses") || isGiven(resolved, "publicIpPrefixId");
  return key === "assignCustomHcpRoles" && values["assignIdentityRoles"] === false && isGiven(resolved, "assignIdentityRoles");
}

export interface ClusterInAzure {
  /** Whether Azure has a resource group or a resource with the ownership tags. */
  readonly exists: boolean;
  /** The record in their tags; undefined if there is none, or if it is invalid. */
  readonly record: ClusterRecord | undefined;
  /** ID of the group or resource with the record. */
  readonly recordId?: string | undefined;
  /** Why the cluster cannot have this infra ID: one with another name has it. Neither could be destroyed. */
  readonly taken?: Failure | undefined;
}

/** The record is in the tags of the managed group, or of the load balancer or the first address if that group is an existing one. */
export async function clusterInAzure(azure: Azure, cluster: ClusterKey, say: (text: string) => void): Promise<ClusterInAzure> {
  const groups = await groupsWithInfraId(azure, cluster);
  const inGroups = foundIn(owned(groups, cluster), say);
  if (inGroups.record !== undefined) return { ...inGroups, taken: infraIdOfOther(cluster, groups) };
  const resources = await resourcesWithInfraId(azure, cluster);
  const inResources = foundIn(owned(resources, cluster), say);
  return {
    ...inResources,
    exists: inGroups.exists || inResources.exists,
    taken: infraIdOfOther(cluster, [...groups, ...resources]),
  };
}

/** The settings of a cluster without a record, as its resources show them. `say` reports them. */
export async function settingsAsFound(
  azure: Azure,
  cluster: ClusterKey,
  resolved: Resolved<CommandName>,
  say: (text: string) => void,
): Promise<DerivedOptions> {
  const derived = await optionsWithoutRecord(azure, { cluster, existingGroup: givenGroup(resolved) });
  const { options, possibleGroups } = derived;
  const flags = recordedKeys.flatMap((key) => (options[key] === undefined ? [] : settingArguments(key, options[key]))).join(" ");
  const shown = flags === "" ? "its resources show none of them" : `its resources show these: ${flags}`;
  say(`notice: there is no record of the settings that ${cluster.infraId} was created with; ${shown}`);
  for (const group of possibleGroups) {
    say(
      `notice: resource group ${group} contains resources with the tags and names of ${cluster.infraId}; if it is this cluster's existing group, pass --resource-group-name ${group} to the infra commands`,
    );
  }
  return derived;
}

/** The existing group that the user specifies. */
function givenGroup(resolved: Resolved<CommandName>): string | undefined {
  const settings: object = resolved.settings;
  const { resourceGroupName }: Partial<RecordedOptions> = settings;
  return isGiven(resolved, "resourceGroupName") ? resourceGroupName : undefined;
}

/** A change of the egress writes the record of the load balancer first. */
function foundIn(own: readonly Tagged[], say: (text: string) => void): ClusterInAzure {
  const isBalancer = ({ id = "" }: Tagged) => sameType(parseResourceId(id).type, resourceTypes.loadBalancer.type);
  const ordered = [...own.filter(isBalancer), ...own.filter((one) => !isBalancer(one))];
  for (const { id, tags } of ordered) {
    const record = recordInTags(tags, say);
    if (record !== undefined) return { exists: true, record, recordId: id };
  }
  return { exists: own.length > 0, record: undefined };
}

export interface Recalled<C extends CommandName> {
  readonly resolved: Resolved<C>;
  /** Whether a file or tags recorded the settings; if not, unset options have their defaults, or values derived from IDs in the file. */
  readonly isRecorded: boolean;
  /** Whether Azure has a resource group or a resource of the cluster. */
  readonly exists: boolean;
  /** Undefined if it is not recorded. */
  readonly record: RecordedOptions | undefined;
}

/** The settings that the cluster was created with: flags override the file, the file overrides the tags. `say` reports differences between them. */
export async function recall<C extends CommandName>(
  azure: Azure,
  resolved: Resolved<C>,
  cluster: ClusterKey | undefined,
  file: RecordedOptions | undefined,
  say: (text: string) => void,
): Promise<Recalled<C>> {
  const { exists, record: tags } = cluster === undefined ? { exists: false, record: undefined } : await clusterInAzure(azure, cluster, say);
  const flags = disagreement(file, tags);
  if (flags !== undefined)
    say(
      `notice: the file and the tags of the cluster record different values of ${flags}; the values of the file are used; to settle it, rerun the create that wrote the file: it uses the values of the tags and rewrites the file`,
    );
  const record =
    file ?? tags ?? (cluster !== undefined && exists ? (await settingsAsFound(azure, cluster, resolved, say)).options : undefined);
  return { resolved: withRecord(resolved, record), isRecorded: (file ?? tags) !== undefined, exists, record };
}

/** The subscriptions of the existing resources that the cluster was created with. */
export function existingSubscriptions(record: RecordedOptions | undefined): string[] {
  const ids = [record?.vnetId, record?.subnetId, record?.networkSecurityGroupId, record?.natGatewayId, record?.routeTableId].filter(
    (id) => id !== undefined,
  );
  return ids.map((id) => parseResourceId(id).subscriptionId);
}

/** The flags of these settings whose values differ between file and tags; undefined if there are none. */
export function disagreement(
  file: RecordedOptions | undefined,
  inTags: RecordedOptions | undefined,
  isMeant: (key: SettingKey) => boolean = () => true,
): string | undefined {
  if (file === undefined || inTags === undefined) return undefined;
  const keys = recordedKeys.filter(
    (key) =>
      isMeant(key) &&
      key !== "resourceGroupTags" &&
      !(key === "vnetId" && file.subnetId !== undefined) &&
      !isDeepStrictEqual(file[key], inTags[key]),
  );
  return keys.length === 0 ? undefined : keys.map(flagOf).join(", ");
}

export function flagOf(key: SettingKey): string {
  return allOptions.find((option) => option.key === key)?.flag ?? key;
}
