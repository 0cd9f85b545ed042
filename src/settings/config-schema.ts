/** Generates the JSON Schema (2020-12) of a configuration file from the table of options. */
import { commandNames, commands, type CommandName } from "./commands.js";
import type { Command } from "./command.js";
import type { Option } from "./option.js";
import { optionNames, options, type OptionName } from "./options.js";
import { durationPattern } from "./parse-value.js";

type Schema = Readonly<Record<string, unknown>>;

/** At the top level, the values for every command; below the name of a command, its own. */
export function configJsonSchema(): Schema {
  const inFile = optionNames.filter(isInFile);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration file of aro-hcp",
    type: "object",
    properties: {
      $schema: { type: "string", description: "this schema, for editors" },
      ...valuesOf(inFile),
      ...Object.fromEntries(commandNames.map((command) => [command, sectionSchema(command)])),
    },
    additionalProperties: false,
    $defs: Object.fromEntries(inFile.map((name) => [name, optionSchema(options[name])])),
  };
}

function sectionSchema(command: CommandName): Schema {
  const { required = [], options: others }: Command = commands[command];
  const taken: ReadonlySet<string> = new Set([...required, ...others]);
  return {
    description: `values for ${command} alone, which take precedence over those for every command`,
    type: ["object", "null"],
    properties: valuesOf(optionNames.filter((name) => taken.has(name) && isInFile(name))),
    additionalProperties: false,
  };
}

function isInFile(name: OptionName): boolean {
  const option: Option = options[name];
  return option.notInFile !== true;
}

/** The value of each key that a file can have. Commands can use one key for different things. */
export function configOptionSchemas(): Readonly<Record<string, Schema>> {
  const inFile = optionNames.filter(isInFile).map((name): Option => options[name]);
  return Object.fromEntries(
    [...new Set(inFile.map(({ key }) => key))].map((key) => {
      const [first = {}, ...others] = inFile.filter((option) => option.key === key).map(optionSchema);
      return [key, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

/** Commands can use one key for different things. */
function valuesOf(names: readonly OptionName[]): Schema {
  const keys = [...new Set(names.map((name) => options[name].key))];
  return Object.fromEntries(
    keys.map((key) => {
      const [first, ...others] = names.filter((name) => options[name].key === key).map((name) => ({ $ref: `#/$defs/${name}` }));
      return [key, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

/** The value of an option as a file or a program gives it. */
export function optionSchema(option: Option): Schema {
  const { help, default: value, isLocalDefault, kind } = option;
  return {
    description: help,
    ...(value !== undefined && isLocalDefault !== true && { default: kind === "integer" ? Number(value) : value }),
    ...kindSchema(option),
  };
}

const text = { type: "string", minLength: 1 };
const textOrList = { anyOf: [text, { type: "array", items: text }] };

/** What `parseValue` accepts, without the spellings of flags and variables: a file has types. */
function kindSchema({ kind, choices, otherSpellings = {} }: Option): Schema {
  switch (kind) {
    case "text":
    case "file":
    case "directory":
      return text;
    case "choice":
      return { enum: choices };
    case "switch":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", minimum: 0 };
    case "duration":
      return { type: "string", pattern: durationPattern.source };
    case "list":
      return choices === undefined
        ? textOrList
        : { anyOf: [text, { type: "array", items: { enum: [...choices, ...Object.keys(otherSpellings)] } }] };
    case "files":
    case "texts":
      return textOrList;
    case "tags":
      return { anyOf: [{ type: "object", additionalProperties: { type: "string" } }, ...textOrList.anyOf] };
  }
}
