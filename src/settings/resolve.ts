/** Resolves the settings of a run: flag before variable before file before default, each with its origin. */
import { Failure, type Problem } from "../errors/failure.js";
import { allChecks, singleChecks } from "./all-checks.js";
import { optionsOf, takes, type CommandName } from "./commands.js";
import type { Check } from "./option-check.js";
import { configValues, type ConfigDocument, type ConfigValues } from "./config-file.js";
import { inputFilesOf, type InputFile } from "./read-files.js";
import { variableOf, type Option } from "./option.js";
import { allOptions, options } from "./options.js";
import { parseValue } from "./parse-value.js";
import type { Origin, Resolved, SettingKey, Settings, Values } from "./settings.js";
import { plural } from "../text/plural.js";
import { variableProblems } from "./variables.js";
import { aksKindOf } from "../domain/cluster-kind.js";

export interface Sources {
  /** The values on the command line, by key. Repeated flags are lists. */
  readonly flags: Readonly<Partial<Record<SettingKey, string | boolean | readonly string[] | undefined>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Problems that are already known: of the command line. */
  readonly problems?: readonly Problem[];
  /** Settings that one of these problems is about, although they have no value. */
  readonly reported?: ReadonlySet<SettingKey>;
  /** Required settings may be missing: they are shown, not used. */
  readonly allowsMissing?: true;
  /** The problems of each file that has any. Without it, files are not read. */
  readonly fileProblems?: (files: readonly InputFile[]) => Promise<readonly (readonly Problem[])[]>;
  /** The valid values of settings whose values the table of options does not have. */
  readonly choices?: Readonly<Partial<Record<SettingKey, readonly string[]>>>;
  /**
   * Reads the file of `--config`.
   * @throws Failure if the file is unreadable or malformed
   */
  readConfig(path: string): Promise<ConfigDocument>;
  /** In place of the file of `--config`. */
  readonly config?: ConfigDocument;
}

interface SourcedValue {
  readonly raw: unknown;
  readonly origin: Origin;
  /** The section of the command in the configuration file has it. */
  readonly isOfCommand?: boolean;
}

/** @throws ARO-USAGE-001 with every problem */
export async function resolveSettings<C extends CommandName>(command: C, sources: Sources): Promise<Resolved<C>> {
  const problems = variableProblems(sources.environment);
  const given = sources.config === undefined ? findValue(options.config, sources, undefined) : undefined;
  const config = given === undefined ? valuesOf(sources.config, command, problems) : await readConfig(command, given, sources, problems);
  // After an invalid file or variable, a missing setting may be one that it was meant to set.
  const isComplete = problems.length === 0 && (given === undefined || config !== undefined);
  const unparsed = new Set(sources.reported);
  let lacksRequired = false;

  const values: Record<string, unknown> = {};
  const origins: Partial<Record<SettingKey, Origin>> = {};
  for (const option of optionsOf(command)) {
    const key = option.key as SettingKey;
    const instead = allOptions.find((other) => other.key === option.orElse);
    const own = findValue(option, sources, config);
    const other = instead && findValue(instead, sources, config);
    const sourced = own ?? other;
    if (own && other && own.raw !== other.raw && isNearer(other, own)) {
      unparsed.add(key);
      problems.push({
        origin: other.origin.label,
        message: `is "${String(other.raw)}", but ${own.origin.label} is "${String(own.raw)}": pass ${option.flag}, so that it is clear which one is meant`,
      });
    }
    if (sourced === undefined) {
      values[key] = emptyValue(option);
      if (option.isRequired && isComplete && sources.allowsMissing !== true && !unparsed.has(key)) {
        lacksRequired = true;
        problems.push({ origin: option.flag, message: requiredMessage(option) });
      }
      continue;
    }
    origins[key] = sourced.origin;
    const choices = sources.choices?.[key];
    const parsed = parseValue(choices === undefined ? option : { ...option, choices }, sourced.raw);
    if ("value" in parsed) values[key] = parsed.value;
    else {
      unparsed.add(key);
      problems.push({ origin: sourced.origin.label, message: parsed.problem });
    }
  }

  if (lacksRequired && !unparsed.has("location")) problems.push(...missingLocation(command, values, origins));
  if (!isExplicit(origins.subnetCidr) && isExplicit(origins.vnetCidr)) await placeSubnet(values);
  const found = await checkSettings(command, values, origins, isComplete ? undefined : singleChecks);
  // A value that cannot be parsed is not missing, and the record of an AKS cluster is read later.
  const isFound = ({ key, isIncomplete }: FoundProblem) => !unparsed.has(key) && !(isIncomplete && aksKindOf(command) !== undefined);
  problems.push(...found.problems.filter(isFound).map(({ origin, message }) => ({ origin, message })));
  const wrong = [...(sources.problems ?? []), ...problems];
  // A command with valid settings reads its files itself.
  const inFiles = wrong.length === 0 ? [] : await sources.fileProblems?.(inputFilesOf(command, values, origins));
  requireNone([...wrong, ...(inFiles ?? []).flat()]);
  return Object.freeze({
    settings: Object.freeze(complete(values)) as Settings<C>,
    origins: Object.freeze(origins),
    notices: found.notices,
  });
}

export function requiredMessage(option: Option, unless = ""): string {
  return `is required${unless}; you can also set ${variableOf(option)}, or ${option.key} in a --config file`;
}

/** A create reads the location of its group, or asks for it. Where another setting is missing, both are reported at once. */
function missingLocation(command: CommandName, values: Values, origins: Partial<Record<SettingKey, Origin>>): readonly Problem[] {
  const option = optionsOf(command).find(({ isLocalDefault }) => isLocalDefault);
  if (option === undefined || !command.startsWith("create ") || values.cloud === "local") return [];
  if (origins[option.key as SettingKey]?.source !== "default") return [];
  const mayBeInGroup = command !== "create all" && (values.resourceGroupName !== undefined || !takes(command, "resourceGroupName"));
  return [{ origin: option.flag, message: requiredMessage(option, mayBeInGroup ? ", unless its resource group exists" : "") }];
}

/** @throws ARO-USAGE-001 */
function requireNone(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new Failure("ARO-USAGE-001", `${plural(problems.length, "setting")} cannot be used`, { problems });
}

/** @throws ARO-USAGE-001 if a setting requires another one that neither the user nor the record has set */
export async function requireComplete(command: CommandName, { settings, origins }: Resolved<CommandName>): Promise<void> {
  const incomplete = (await checkSettings(command, settings, origins)).problems.filter(({ isIncomplete }) => isIncomplete);
  requireNone(incomplete.map(({ origin, message }) => ({ origin, message })));
}

interface FoundProblem extends Problem {
  readonly key: SettingKey;
  /** It lacks another setting. */
  readonly isIncomplete: boolean;
}

interface Found {
  readonly problems: readonly FoundProblem[];
  readonly notices: readonly string[];
}

/** Checks settings together. A recorded value counts as not set, because the user might not know it. */
export async function checkSettings(
  command: CommandName,
  values: Values,
  origins: Partial<Record<SettingKey, Origin>>,
  checks?: readonly Check[],
): Promise<Found> {
  const problems: FoundProblem[] = [];
  const notices: string[] = [];
  for (const check of checks ?? (await allChecks())) {
    check({
      command,
      values,
      given: (key) => isExplicit(origins[key]),
      problem: (key, message) => problems.push({ key, origin: labelOf(key, origins), message, isIncomplete: false }),
      incomplete: (key, message) => problems.push({ key, origin: labelOf(key, origins), message, isIncomplete: true }),
      notice: (message) => notices.push(message),
    });
  }
  return { problems, notices };
}

/** Whether a flag, a variable or a configuration file has the value. */
export function isExplicit(origin: Origin | undefined): boolean {
  return origin !== undefined && origin.source !== "default" && origin.source !== "record";
}

/** A problem is reported at the source of its value; without a source, at the flag that would set it. */
function labelOf(key: SettingKey, origins: Partial<Record<SettingKey, Origin>>): string {
  const origin = origins[key];
  if (origin !== undefined && origin.source !== "default") return origin.label;
  return allOptions.find((option) => option.key === key)?.flag ?? key;
}

/** Whether somebody has written it for this command: on its command line, or in its section of the file, but not the other value. */
function isNearer(one: SourcedValue, other: SourcedValue): boolean {
  if (one.origin.source === "flag") return other.origin.source !== "flag";
  return one.isOfCommand === true && other.origin.source === "file" && other.isOfCommand !== true;
}

function findValue(option: Option, { flags, environment }: Sources, config: ConfigValues | undefined): SourcedValue | undefined {
  const flag = flags[option.key as SettingKey];
  if (flag !== undefined) return { raw: flag, origin: { source: "flag", label: option.flag } };
  const variable = variableOf(option);
  const text = environment[variable];
  // Shells unset a variable for a single command by setting it to an empty string.
  if (text !== undefined && text !== "") return { raw: text, origin: { source: "environment", label: variable } };
  const fromFile = config?.get(option);
  if (fromFile !== undefined) {
    return { raw: fromFile.raw, origin: { source: "file", label: fromFile.label }, isOfCommand: fromFile.isOwn };
  }
  return option.default === undefined ? undefined : { raw: option.default, origin: { source: "default", label: "default" } };
}

function valuesOf(document: ConfigDocument | undefined, command: CommandName, problems: Problem[]): ConfigValues | undefined {
  const values = document && configValues(document, command);
  problems.push(...(values?.problems ?? []));
  return values;
}

/** Undefined if it cannot be read. Its path is parsed with the other values. */
async function readConfig(
  command: CommandName,
  { raw, origin }: SourcedValue,
  sources: Sources,
  problems: Problem[],
): Promise<ConfigValues | undefined> {
  const path = parseValue(options.config, raw);
  if (!("value" in path) || typeof path.value !== "string") return undefined;
  try {
    return valuesOf(await sources.readConfig(path.value), command, problems);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems.push({ origin: origin.label, message: error.message }, ...error.problems);
    return undefined;
  }
}

/** The default subnet is in the default network. In another one, it is at the same place. */
async function placeSubnet(values: Record<string, unknown>): Promise<void> {
  const { vnetCidr, subnetCidr }: Values = values;
  if (vnetCidr === undefined || subnetCidr === undefined) return;
  const [{ readRange }, { firstSubnet }] = await Promise.all([import("./network-checks.js"), import("../domain/address-range.js")]);
  const network = readRange(vnetCidr);
  if (typeof network === "object") values["subnetCidr"] = firstSubnet(network);
}

function emptyValue({ kind }: Option): unknown {
  if (kind === "switch") return false;
  if (kind === "list" || kind === "files" || kind === "texts") return [];
  return kind === "tags" ? {} : undefined;
}

/** Implied settings: `--assign-custom-hcp-roles` implies role assignment. */
function complete(values: Record<string, unknown>): Record<string, unknown> {
  return { ...values, ...(values["assignCustomHcpRoles"] === true && { assignIdentityRoles: true }) };
}
