/** A create of an existing cluster keeps the settings that it was created with, unless they are set, and warns about different ones. */
import { isDeepStrictEqual } from "node:util";
import type { Azure } from "../../azure/azure.js";
import type { ClusterKey } from "../../domain/names.js";
import { Failure } from "../../errors/failure.js";
import { readInfraOutput } from "../../files/infra-output.js";
import { recordedKeys, type ClusterRecord, type RecordedOptions } from "../../files/recorded-options.js";
import { settingArguments } from "../../settings/command-line.js";
import { allOptions } from "../../settings/options.js";
import { defaultOf } from "../../settings/parse-value.js";
import { checkSettings } from "../../settings/resolve.js";
import type { Resolved, Values } from "../../settings/settings.js";
import { alwaysRecorded, clusterInAzure, disagreement, flagOf, isGiven, settingsAsFound, withRecord } from "./recorded-options.js";
import { decidesRights, requireGivenRights, withRightsOf } from "./rights-settings.js";
import { allowedWithoutIdentities, requireValidRecord } from "./valid-record.js";
import { sameText } from "../../text/same-text.js";

type Create = "create infra" | "create all";
type RecordedKey = (typeof recordedKeys)[number];

/** A setting with a different value than the cluster was created with. */
export interface ChangedOption {
  readonly option: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

export interface KeptOptions<C extends Create> {
  readonly resolved: Resolved<C>;
  readonly changed: readonly ChangedOption[];
  /** What the cluster was created with; undefined for a new one. */
  readonly record: ClusterRecord | undefined;
  /** What the operator's output file of an earlier run records. */
  readonly inFile?: RecordedOptions | undefined;
  /** ID of the group or resource that has it in its tags. */
  readonly recordId?: string | undefined;
  /** One sentence for each change, and for each recorded setting that cannot be kept. */
  readonly warnings: readonly string[];
}

/**
 * The tags of the cluster override the output file of an earlier run, except for settings that decide about rights. `say` reports what is kept.
 * @throws ARO-USAGE-001 if a setting cannot be combined with a recorded one; ARO-OWN-001 if another cluster has the infra ID
 */
export async function keepRecord<C extends Create>(
  azure: Azure,
  command: C,
  resolved: Resolved<C>,
  outputFile: string | undefined,
  say: (text: string) => void,
): Promise<KeptOptions<C>> {
  const { name, infraId } = resolved.settings;
  const { exists, record: tags, recordId, taken } = await clusterInAzure(azure, { name, infraId }, say);
  if (taken) throw taken;
  // A file without its cluster is left over from a cluster that was destroyed.
  const file = exists ? await recordInFile(outputFile, { name, infraId }, azure.connection.subscriptionId) : undefined;
  const differs = disagreement(file, tags, (key) => !decidesRights(key));
  if (differs !== undefined) {
    say(
      `notice: ${String(outputFile)} and the tags of the cluster record different values of ${differs}; the values of the tags are used, and this run writes them to the file`,
    );
  }
  const ignored = disagreement(file, tags, decidesRights);
  if (ignored !== undefined) {
    say(
      `notice: ${String(outputFile)} and the tags of the cluster record different values of ${ignored}; the values of the file are used, because tags do not decide who gets which role`,
    );
  }
  const recorded = tags === undefined ? file : withRightsOf({ ...tags, ...(file && { resourceGroupTags: file.resourceGroupTags }) }, file);
  const derived = recorded === undefined && exists ? await settingsAsFound(azure, { name, infraId }, resolved, say) : undefined;
  const record: ClusterRecord | undefined = recorded ?? derived?.options;
  if (record === undefined) return { resolved, record, changed: [], warnings: [] };
  const merged = withRecord(resolved, record);
  requireUsable(command, merged);
  const kept = keptFlags(resolved, merged);
  if (kept !== "") say(`notice: ${infraId} keeps settings that it was created with: ${kept}`);
  if (record.formerEgress !== undefined) say("notice: an earlier change of the egress was interrupted; this run completes it");
  const isKnown = (key: RecordedKey) => (derived ? derived.known.has(key) : record[key] !== undefined || !alwaysRecorded.has(key));
  const changed = changedOptions(resolved, record, isKnown, file !== undefined);
  return {
    resolved: merged,
    record,
    inFile: file,
    recordId,
    changed: changed.map(({ key: _key, ...change }) => change),
    warnings: [...changed.map(changeText), ...unappliedWarnings(command, merged, record)],
  };
}

/** Undefined if the file belongs to another cluster. @throws ARO-FILE-003 for an invalid record */
async function recordInFile(
  path: string | undefined,
  { name, infraId }: ClusterKey,
  subscriptionId: string,
): Promise<RecordedOptions | undefined> {
  const document = path === undefined ? undefined : await undefinedIfUnusable(readInfraOutput(path));
  if (document === undefined) return undefined;
  const { infraID, clusterName = name, subscriptionID = subscriptionId, options } = document;
  return infraID === infraId && clusterName === name && sameText(subscriptionID, subscriptionId)
    ? requireValidRecord(options, path ?? "")
    : undefined;
}

/** Undefined if an output file does not exist or cannot be read: the run overwrites it. */
export async function undefinedIfUnusable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** @throws ARO-USAGE-001 if the create assigns roles by settings that only Azure shows */
export function requireRights<C extends Create>(command: C, { resolved, inFile }: Pick<KeptOptions<C>, "resolved" | "inFile">): void {
  if (assignsRoles(command, resolved, inFile)) requireGivenRights(command, resolved.settings.infraId, resolved, inFile);
}

/** `create infra` leaves roles as they are if only the tags say that it assigned some, and no file names their identities. */
function assignsRoles<C extends Create>(command: C, { settings, origins }: Resolved<C>, file: RecordedOptions | undefined): boolean {
  const values: Values = settings;
  if (command === "create all" || values.assignIdentityRoles !== true) return command === "create all";
  const files = [values.managedIdentitiesFile, values.dataPlaneIdentitiesFile, values.workloadIdentitiesFile];
  return origins.assignIdentityRoles?.source !== "record" || file !== undefined || files.some((path) => path !== undefined);
}

function requireUsable<C extends Create>(command: C, { settings, origins }: Resolved<C>): void {
  const { problems } = checkSettings(command, settings, origins);
  const wrong = problems.filter(({ key }) => !(allowedWithoutIdentities.has(key) && origins[key]?.source === "record"));
  if (wrong.length === 0) return;
  throw new Failure("ARO-USAGE-001", "a setting cannot be combined with one that the cluster was created with", {
    problems: wrong.map(({ origin, message }) => ({ origin, message })),
  });
}

/** The kept settings as flags; empty if they are what unset options have anyway. */
function keptFlags(before: Resolved<Create>, { settings, origins }: Resolved<Create>): string {
  const [values, earlier] = [settings, before.settings] as readonly Values[];
  return recordedKeys
    .filter((key) => origins[key]?.source === "record" && !isDeepStrictEqual(values?.[key], earlier?.[key]))
    .map((key) => settingArguments(key, values?.[key]))
    .join(" ");
}

/** The first role assignment, zone group or tags add to a cluster and change nothing of it. */
const additions: ReadonlySet<RecordedKey> = new Set(["assignIdentityRoles", "dnsZoneRgName", "resourceGroupTags"]);

function changedOptions(
  resolved: Resolved<Create>,
  record: RecordedOptions,
  isKnown: (key: RecordedKey) => boolean,
  isInFile: boolean,
): readonly (ChangedOption & { readonly key: RecordedKey })[] {
  const values: Values = resolved.settings;
  return recordedKeys.flatMap((key) => {
    if (!isGiven(resolved, key) || !isKnown(key)) return [];
    const [recorded, now] = [record[key] ?? unset(key), values[key]];
    if (sameValue(recorded, now) || (isUnset(recorded) && additions.has(key))) return [];
    // Tags record neither the user's tags nor the network of a recorded subnet.
    if (!isInFile && (key === "resourceGroupTags" || (key === "vnetId" && record.subnetId !== undefined))) return [];
    return [{ key, option: flagOf(key), recorded, now }];
  });
}

/** The value of an option that the record does not contain. */
function unset(key: RecordedKey): unknown {
  const option = allOptions.find((one) => one.key === key);
  return (option && defaultOf(option)) ?? (option?.kind === "switch" ? false : option?.kind === "list" ? [] : undefined);
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === false;
}

/** Azure's names are case-insensitive, and a list has no order. */
function sameValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) return isDeepStrictEqual(left.toSorted(), right.toSorted());
  if (typeof left === "string" && typeof right === "string") return sameText(left, right);
  return isDeepStrictEqual(left, right);
}

const notMoved = "; existing resources are neither moved nor deleted";

/** What a rerun does not do. */
const limits: Readonly<Partial<Record<RecordedKey, string>>> = {
  baseDomain: notMoved,
  naming: notMoved,
  resourceGroupName: notMoved,
  singleResourceGroup: notMoved,
  vnetId: notMoved,
  subnetId: notMoved,
  networkSecurityGroupId: notMoved,
  assignIdentityRoles: "; existing role assignments are not deleted",
};

function changeText({ key, option, recorded, now }: ChangedOption & { readonly key: RecordedKey }): string {
  const limit = key === "egress" ? "; open outbound connections are interrupted, and new ones have other addresses" : limits[key];
  return `${option}: the cluster was created with ${shown(recorded)}; now ${shown(now)}${limit ?? ""}`;
}

function shown(value: unknown): string {
  if (value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function unappliedWarnings(command: Create, { settings }: Resolved<Create>, { resourceGroupName }: RecordedOptions): string[] {
  if (resourceGroupName === undefined || "resourceGroupName" in settings) return [];
  return [
    `the cluster was created with managed resource group ${resourceGroupName} (--resource-group-name of create infra), which ${command} cannot use; ` +
      "it creates its own managed resource group",
  ];
}
