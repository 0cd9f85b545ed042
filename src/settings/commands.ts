/** Questions about the table of commands, which the features make together. It loads no library. */
import { commands, options, type CommandName, type OptionName } from "../features.js";
import type { Command } from "./command.js";
import { spellingsOf, type Option } from "./option.js";
import { optionNames } from "./options.js";

export { commands, type CommandName };

export const commandNames = Object.keys(commands) as CommandName[];

/** First words, each once: those of several commands, such as `create`, and commands of one word. */
export const topLevelNames: readonly string[] = [...new Set(commandNames.map((name) => name.replace(/ .*/, "")))];

/** The subcommands of a group of commands: of `create`, `infra` and others. */
export function subcommandsOf(first: string): readonly string[] {
  return commandNames.flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
}

/** The text of a group, where its subcommands do not say what they are about. */
const groupPrefixes: Readonly<Record<string, string>> = { local: "the emulator: " };

/** What the first word of a command stands for: the command, its subcommands, or both. */
export function topLevelSummary(first: string): string {
  const subcommands = subcommandsOf(first).join(", ");
  if (!isCommand(first)) return `${groupPrefixes[first] ?? ""}${subcommands}`;
  return `${summaryOf(first)}${subcommands === "" ? "" : `; also ${subcommands}`}`;
}

/** Empty for other words. */
export function summaryOf(name: string): string {
  return isCommand(name) ? commands[name].summary : "";
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

export interface CommandOption extends Option {
  /** Whether the command requires it. */
  readonly isRequired: boolean;
}

/** The options of a command, in the order of the help. An alias is dropped if another option has that flag. */
export function optionsOf(command: CommandName): readonly CommandOption[] {
  const { required = [], options: others }: Command = commands[command];
  const taken: ReadonlySet<string> = new Set([...required, ...others]);
  const own = optionNames.filter((name) => taken.has(name));
  const flags: ReadonlySet<string> = new Set(own.map((name) => options[name].flag));
  return own.map((name) => {
    const { aliases, ...option }: Option = options[name];
    return { ...option, ...(aliases && { aliases: aliases.filter((alias) => !flags.has(alias)) }), isRequired: required.includes(name) };
  });
}

/** Whether a command accepts the option. */
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
