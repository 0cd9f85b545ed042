/** The settings that a cluster was created with. Create records them; other commands read them from its output file or its tags as defaults. */
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

/** The settings that differ from their defaults; base domain and location always. */
export function recordOf({ settings }: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings">): RecordedOptions {
  const values: Readonly<Record<string, unknown>> = settings;
  const always = ["baseDomain", "location"];
  return Object.fromEntries(
    recordedKeys.flatMap((key) => (always.includes(key) || !isDefault(key, values[key]) ? [[key, values[key]] as const] : [])),
  );
}

/** A resource can have 50 tags; two of them prove ownership. */
const room = 48;

/** As tags: the user's tags are on the groups anyway, and an existing subnet includes its network. None if the user's tags leave no room. */
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

/** The settings with recorded values for unset options: flags, variables and configuration files override the record. */
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

/** The values in the tags of the cluster's groups or resources; undefined if there are none, or if they cannot be read. */
async function optionsInAzure(azure: Azure, cluster: ClusterKey): Promise<RecordedOptions | undefined> {
  const { resourceGroups, resources } = await azure.resources();
  const filter = `tagName eq '${infraIdTag}' and tagValue eq '${cluster.infraId}'`;
  const recorded = (found: readonly { readonly tags?: Record<string, string> }[] | undefined) =>
    found?.flatMap(({ tags }) => (ownedBy(tags, cluster) === "ours" ? (optionsInTags(tags) ?? []) : []))[0];
  return recorded(await orRefused(all(resourceGroups.list({ filter })))) ?? recorded(await orRefused(all(resources.list({ filter }))));
}

export interface Recalled<C extends CommandName> {
  readonly resolved: Resolved<C>;
  /** Whether a file or tags recorded the settings; if not, unset options have their defaults, or values derived from IDs in the file. */
  readonly isRecorded: boolean;
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
  const tags = cluster === undefined ? undefined : await optionsInAzure(azure, cluster);
  const differs = disagreement(file, tags);
  if (differs !== undefined) say(`notice: ${differs}`);
  const record = file ?? tags;
  return { resolved: withRecord(resolved, record), isRecorded: record !== undefined, record };
}

/** A sentence about differences between file and tags: the file has precedence, because it was passed explicitly. */
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
