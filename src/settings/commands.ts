/** Looks up commands in the table that the features make together. */
import { commands, options, type CommandName, type OptionName } from "../features.js";
import type { Command } from "./command.js";
import { spellingsOf, type Option } from "./option.js";
import { verbs } from "./words.js";
import { optionNames } from "./options.js";

export { commands, type CommandName };

export const commandNames = Object.keys(commands) as CommandName[];

/** First words, each once: those of several commands, such as `create`, and commands of one word. */
export const topLevelNames: readonly string[] = [...new Set(commandNames.map((name) => name.replace(/ .*/, "")))];

/** The words that can follow, each once: after `create`, `infra` and others; after `create arc`, `extension` and `secrets`. */
export function subcommandsOf(words: string): readonly string[] {
  const longer = commandNames.filter((name) => name.startsWith(`${words} `));
  return [...new Set(longer.map((name) => name.slice(words.length + 1).replace(/ .*/, "")))];
}

/** The longest command at the start of the words. */
export function commandIn(words: readonly string[]): CommandName | undefined {
  return commandNames.toSorted((a, b) => b.length - a.length).find((name) => `${words.join(" ")} `.startsWith(`${name} `));
}

/** What the first word of a command stands for: the command, or a group of them. */
export function topLevelSummary(first: string): string {
  return isCommand(first) ? summaryOf(first) : (verbs[first] ?? "");
}

/** Empty for other words. */
export function summaryOf(name: string): string {
  return isCommand(name) ? commands[name].summary : "";
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

export interface CommandOption extends Option {
  readonly isRequired: boolean;
  /** Whether `--help` shows it. */
  readonly isUsual: boolean;
}

/** The options of a command, in the order of the help. An alias or a short flag is dropped if another option has it as its flag, or before it. */
export function optionsOf(command: CommandName): readonly CommandOption[] {
  const { required = [], options: others, usual }: Command = commands[command];
  const taken: ReadonlySet<string> = new Set([...required, ...others]);
  const own = optionNames.filter((name) => taken.has(name));
  const used = new Set<string>(own.map((name) => options[name].flag));
  const isFree = (spelling: string) => used.size < used.add(spelling).size;
  return own.map((name) => {
    const { aliases = [], short, ...option }: Option = options[name];
    return {
      ...option,
      ...(short !== undefined && isFree(short) && { short }),
      aliases: aliases.filter(isFree),
      isRequired: required.includes(name),
      isUsual: required.includes(name) || (usual?.includes(name) ?? (option.rare ?? option.isGlobal) !== true),
    };
  });
}

export function takes(command: CommandName, name: OptionName): boolean {
  const { required = [], options: others }: Command = commands[command];
  return required.includes(name) || others.includes(name);
}

/** They select the Azure cloud, and limit the requests to it. */
const connectionOptions = [
  "azureCreds",
  "subscription",
  "cloud",
  "location",
  "timeout",
  "concurrency",
] as const satisfies readonly OptionName[];

/** The connection options that a command accepts and ignores, so that they can be passed to every command. */
export function ignoredOptionsOf(command: CommandName): readonly Option[] {
  const own = new Set(optionsOf(command).flatMap(spellingsOf));
  return connectionOptions.map((name): Option => options[name]).filter(({ flag }) => !own.has(flag));
}
