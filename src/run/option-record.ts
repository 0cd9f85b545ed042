/** Settings as a record under the keys of a configuration file: what an output file has, or what exists shows. */
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../errors/failure.js";
import { settingArguments } from "../settings/format-command.js";
import { optionsOf, type CommandName, type CommandOption } from "../settings/commands.js";
import { defaultOf, parseValue } from "../settings/parse-value.js";
import { checkSettings, isExplicit } from "../settings/resolve.js";
import type { Resolved, SettingKey, Values } from "../settings/settings.js";
import { sameText } from "../text/same-text.js";

/** What has no key is unknown; a key without a value is known to be unset. */
export type OptionRecord = Readonly<Record<string, unknown>>;
type Given = Pick<Resolved<CommandName>, "settings" | "origins">;

const valuesOf = ({ settings }: Pick<Given, "settings">): OptionRecord => settings;

export function isGiven({ origins }: Pick<Given, "origins">, key: string): boolean {
  return isExplicit(origins[key as SettingKey]);
}

/** The settings that differ from their defaults, and those of `always`. */
export function recordOf(options: readonly CommandOption[], settings: Values, always: readonly string[]): OptionRecord {
  const values = settings as OptionRecord;
  const isRecorded = (option: CommandOption) => always.includes(option.key) || !sameValue(valueOf(option, values), valueOf(option, {}));
  return Object.fromEntries(options.flatMap((option) => (isRecorded(option) ? [[option.key, values[option.key]] as const] : [])));
}

/** The value, or that of an option that is not set. */
function valueOf(option: CommandOption, values: OptionRecord): unknown {
  const value = values[option.key] ?? defaultOf(option) ?? (option.kind === "switch" ? false : undefined);
  return typeof value === "object" && value !== null && Object.keys(value).length === 0 ? undefined : value;
}

/**
 * The record of a file, without keys of later versions. `ignored`: settings whose problems do not matter.
 * @throws ARO-FILE-003 that names the file and each invalid key
 */
export async function recordIn<R extends object>(
  command: CommandName,
  options: readonly CommandOption[],
  record: R,
  path: string,
  ignored: ReadonlySet<string> = new Set(),
): Promise<R> {
  const raw = record as OptionRecord;
  const read = options.flatMap((option) => {
    const given = Object.hasOwn(raw, option.key) ? raw[option.key] : undefined;
    return given === undefined ? [] : [{ key: option.key, parsed: parseValue(option, given) }];
  });
  const values = Object.fromEntries(read.map(({ key, parsed }) => [key, "value" in parsed ? parsed.value : undefined]));
  const defaults = Object.fromEntries(optionsOf(command).map((option) => [option.key, defaultOf(option)]));
  const malformed = read.flatMap(({ key, parsed }) => ("problem" in parsed ? [{ key, message: parsed.problem }] : []));
  const wrong = malformed.length > 0 ? malformed : (await checkSettings(command, { ...defaults, ...values }, {})).problems;
  const faults = wrong.filter(({ key }) => !ignored.has(key));
  if (faults.length === 0) return values as R;
  throw new Failure("ARO-FILE-003", `${path} is not valid as an output file of ${command}`, {
    problems: faults.map(({ key, message }) => ({ origin: path, message: `options.${key}: ${message}` })),
    next: ["correct these options in the file, or remove `options` from it: what exists in Azure then shows them"],
  });
}

/** The settings with these values for unset options. `existing`: those that Azure shows; others are of a file. */
export function completed<C extends CommandName>(
  resolved: Resolved<C>,
  options: readonly CommandOption[],
  record: OptionRecord,
  existing: OptionRecord = {},
  isEnded: (key: string) => boolean = () => false,
): Resolved<C> {
  const settings: Record<string, unknown> = { ...resolved.settings };
  const origins = { ...resolved.origins };
  for (const { key, flag } of options) {
    const value = record[key];
    // A create of the infrastructure alone takes no name of a set, and must not remove it from the file.
    const isKnown = key in settings || key === "identitiesName";
    if (value === undefined || !isKnown || isGiven(resolved, key) || isEnded(key)) continue;
    settings[key] = value;
    origins[key as SettingKey] = { source: "record", label: `${key in existing ? "existing" : "recorded"} ${flag}` };
  }
  return { ...resolved, settings: settings as Resolved<C>["settings"], origins };
}

/** What the record added, as flags; empty if that is what unset options have anyway. */
export function keptFlags(options: readonly CommandOption[], before: Given, after: Given): string {
  const [earlier, now] = [valuesOf(before), valuesOf(after)];
  return options
    .filter(({ key }) => after.origins[key as SettingKey]?.source === "record")
    .filter((option) => !sameValue(valueOf(option, earlier), valueOf(option, now)))
    .map(({ key }) => settingArguments(key as SettingKey, now[key] as Parameters<typeof settingArguments>[1]))
    .join(" ");
}

/** A setting with a different value than exists. */
export interface ChangedOption {
  readonly option: string;
  readonly recorded: unknown;
  readonly now: unknown;
}

export interface Difference extends ChangedOption {
  readonly key: string;
}

/** The known settings of the record that differ from others: from those of the user, or of a file. */
export function differences(options: readonly CommandOption[], record: OptionRecord, others: OptionRecord): readonly Difference[] {
  return options.flatMap((option) => {
    const { key, flag } = option;
    if (!(key in record)) return [];
    const [recorded, now] = [valueOf(option, record), valueOf(option, others)];
    return sameValue(recorded, now) ? [] : [{ key, option: flag, recorded, now }];
  });
}

/** The settings that the user set. */
export function givenBy(resolved: Given): OptionRecord {
  return Object.fromEntries(Object.entries(resolved.settings).filter(([key]) => isGiven(resolved, key)));
}

/** Azure's names are case-insensitive, and a list has no order. */
function sameValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) return isDeepStrictEqual(sorted(left), sorted(right));
  if (typeof left === "string" && typeof right === "string") return sameText(left, right);
  return isDeepStrictEqual(left, right);
}

function sorted(list: readonly unknown[]): string[] {
  return list.map((one) => String(one).toLowerCase()).toSorted();
}

export function changeText({ option, recorded, now }: ChangedOption): string {
  return `${option}: the cluster has ${shown(recorded)}; now ${shown(now)}`;
}

export function shown(value: unknown): string {
  if (value === undefined) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.join("; ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
