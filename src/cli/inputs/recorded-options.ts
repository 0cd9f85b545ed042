/** The choices that a cluster was made with: taken from the settings of its create, found again in its output file or its tags, put under the flags of others. */
import { isDeepStrictEqual } from "node:util";
import type { Azure } from "../../azure/azure.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { optionTags } from "../../domain/option-tags.js";
import type { ClusterKey } from "../../domain/names.js";
import { infraIdTag, ownedBy } from "../../domain/ownership.js";
import { optionsInTags, recordedKeys, type RecordedOptions } from "../../files/recorded-options.js";
import type { CommandName } from "../../settings/commands.js";
import { allOptions } from "../../settings/options.js";
import type { Resolved, SettingKey } from "../../settings/settings.js";

/** What of the settings is not at its default; the base domain and the location always. */
export function recordOf({ settings }: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings">): RecordedOptions {
  const values: Readonly<Record<string, unknown>> = settings;
  const always = ["baseDomain", "location"];
  return Object.fromEntries(
    recordedKeys.flatMap((key) => (always.includes(key) || !isDefault(key, values[key]) ? [[key, values[key]] as const] : [])),
  );
}

/** A resource holds 50 tags, of which two prove that it is ours. */
const room = 48;

/** As tags: the user's are on the groups anyway, and an existing subnet names its network. None where the user's tags leave no room. */
export function optionTagsOf(resolved: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings">): Record<string, string> {
  const { resourceGroupTags = {}, vnetId, ...record } = recordOf(resolved);
  const tags = optionTags({ ...record, ...(record.subnetId === undefined && vnetId !== undefined && { vnetId }) });
  return Object.keys(resourceGroupTags).length + Object.keys(tags).length > room ? {} : tags;
}

function isDefault(key: string, value: unknown): boolean {
  if (value === undefined || value === false) return true;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return allOptions.find((option) => option.key === key)?.default === value;
}

/** The settings with the record in place of what nobody gave: a flag, a variable or a configuration file goes before it. */
export function withRecord<C extends CommandName>(resolved: Resolved<C>, record: RecordedOptions | undefined): Resolved<C> {
  if (record === undefined) return resolved;
  const settings: Record<string, unknown> = { ...resolved.settings };
  const origins = { ...resolved.origins };
  for (const key of recordedKeys) {
    const value = record[key];
    if (value === undefined || !(key in settings) || isGiven(resolved, key)) continue;
    settings[key] = value;
    origins[key] = { source: "record", label: "the record of the cluster" };
  }
  return { ...resolved, settings: settings as Resolved<C>["settings"], origins };
}

function isGiven({ origins }: Pick<Resolved<CommandName>, "origins">, key: SettingKey): boolean {
  return origins[key] !== undefined && origins[key].source !== "default";
}

/** What the tags of the cluster's groups or resources say; undefined where there are none, or they may not be read. */
async function optionsInAzure(azure: Azure, cluster: ClusterKey): Promise<RecordedOptions | undefined> {
  const { resourceGroups, resources } = await azure.resources();
  const filter = `tagName eq '${infraIdTag}' and tagValue eq '${cluster.infraId}'`;
  const recorded = (found: readonly { readonly tags?: Record<string, string> }[] | undefined) =>
    found?.flatMap(({ tags }) => (ownedBy(tags, cluster) === "ours" ? (optionsInTags(tags) ?? []) : []))[0];
  return recorded(await orRefused(all(resourceGroups.list({ filter })))) ?? recorded(await orRefused(all(resources.list({ filter }))));
}

export interface Recalled<C extends CommandName> {
  readonly resolved: Resolved<C>;
  /** Whether file or tags told the choices; else those that were not given are the defaults, or what the IDs in the file imply. */
  readonly isRecorded: boolean;
  /** Undefined where nothing tells it. */
  readonly record: RecordedOptions | undefined;
}

/** The settings that the cluster was made with: a flag goes before the file, the file before the tags. `say` is told where these two disagree. */
export async function recall<C extends CommandName>(
  azure: Azure,
  resolved: Resolved<C>,
  cluster: ClusterKey | undefined,
  file: RecordedOptions | undefined,
  say: (text: string) => void,
): Promise<Recalled<C>> {
  const tags = cluster === undefined ? undefined : await optionsInAzure(azure, cluster);
  const differs = disagreement(file, tags);
  if (differs !== undefined) say(`notice: ${differs}`);
  const record = file ?? tags;
  return { resolved: withRecord(resolved, record), isRecorded: record !== undefined, record };
}

/** A sentence where file and tags say different things: the file is believed, for it was named. */
function disagreement(file: RecordedOptions | undefined, tags: RecordedOptions | undefined): string | undefined {
  if (file === undefined || tags === undefined) return undefined;
  const { resourceGroupTags: _notInTags, ...inFile } = file;
  const keys = recordedKeys.filter(
    (key) =>
      key !== "resourceGroupTags" &&
      !(key === "vnetId" && file.subnetId !== undefined) &&
      !isDeepStrictEqual((inFile as RecordedOptions)[key], tags[key]),
  );
  if (keys.length === 0) return undefined;
  const flags = keys.map((key) => allOptions.find((option) => option.key === key)?.flag ?? key).join(", ");
  return `the file and the tags of the cluster record different values of ${flags}; the values of the file are used`;
}
