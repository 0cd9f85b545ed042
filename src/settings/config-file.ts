/** Gets the values of a configuration file by option, whatever the format of the file. */
import { firstProblems, type Problem } from "../errors/failure.js";
import { didYouMean } from "../text/did-you-mean.js";
import { commandNames, optionsOf, type CommandName } from "./commands.js";
import type { Option } from "./option.js";
import { allOptions } from "./options.js";

/** A parsed file: its value, and the position of each part. */
export interface ConfigDocument {
  readonly value: unknown;
  /** `file:line` of the value under these keys. */
  at(keys: readonly string[]): string;
}

export interface ConfigValue {
  readonly raw: unknown;
  readonly label: string;
  /** Whether the section of the command has it. */
  readonly isOwn: boolean;
}

export interface ConfigValues {
  /** The file's value of an option, if any: that in the section of the command, otherwise that for every command. */
  get(option: Option): ConfigValue | undefined;
  readonly problems: readonly Problem[];
}

type Mapping = Readonly<Record<string, unknown>>;

/** For editors; not a setting. */
const schemaKey = "$schema";

/**
 * One file serves every command: the values at its top are for each command that has the setting. A mapping under the name of a command is for
 * that command alone. Unknown keys are errors, in the sections of other commands too.
 */
export function configValues(document: ConfigDocument, command: CommandName): ConfigValues {
  const { value } = document;
  if (!isMapping(value)) {
    return { get: () => undefined, problems: [{ origin: document.at([]), message: "must be a mapping of settings, `key: value`" }] };
  }
  const sections = commandNames.filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((key) => key !== schemaKey && !sections.some((name) => name === key));
  const problems = [
    ...keyProblems(document, [], others, allOptions),
    ...sections.flatMap((name) => sectionProblems(document, name, value[name])),
  ];
  const own = value[command];
  return {
    get(option) {
      if (option.notInFile === true) return undefined;
      const ofCommand = isMapping(own) ? valueIn(own, option.key) : undefined;
      if (ofCommand) return { ...ofCommand, label: document.at([command, option.key]), isOwn: true };
      const ofAll = valueIn(value, option.key);
      return ofAll && { ...ofAll, label: document.at([option.key]), isOwn: false };
    },
    problems,
  };
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueIn(mapping: Mapping, key: string): { readonly raw: unknown } | undefined {
  return Object.hasOwn(mapping, key) ? { raw: mapping[key] } : undefined;
}

function sectionProblems(document: ConfigDocument, command: CommandName, section: unknown): readonly Problem[] {
  // All its lines may be comments.
  if (section === null) return [];
  if (!isMapping(section))
    return [{ origin: document.at([command]), message: `"${command}" must be a mapping of settings, \`key: value\`` }];
  return keyProblems(document, [command], Object.keys(section), optionsOf(command), command);
}

/** One problem for each key that is not one of `options`. `path` is where the keys are. */
function keyProblems(
  document: ConfigDocument,
  path: readonly string[],
  keys: readonly string[],
  options: readonly Option[],
  command?: CommandName,
): readonly Problem[] {
  const known = options.filter((option) => option.notInFile !== true).map((option) => option.key);
  const unknown = keys.filter((key) => !known.includes(key));
  return firstProblems(unknown, (key) => ({ origin: document.at([...path, key]), message: keyProblem(key, known, command) }));
}

function keyProblem(key: string, known: readonly string[], command: CommandName | undefined): string {
  const option = allOptions.find((one) => one.key === key);
  if (option?.notInFile === true) return `"${key}" cannot be set in a file; pass ${option.flag}`;
  if (command === undefined)
    return `"${key}" is not a setting${didYouMean(key, key.includes(" ") ? commandNames : [...known, ...commandNames])}`;
  return `"${key}" is not a setting of ${command}${didYouMean(key, known)}`;
}
