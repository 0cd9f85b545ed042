/** The table of all commands: texts and options. Help, completion, documentation and the types of settings derive from it; it loads no library. */
import type { Command } from "./commands/command.js";
import { aksCommands } from "../aks/settings/aks-commands.js";
import { arcExtensionCommands } from "../arc/settings/arc-extension-commands.js";
import { arcSecretsCommands } from "../arc/settings/arc-secrets-commands.js";
import { arcCommands } from "../arc/settings/arc-commands.js";
import { allCommands } from "../all/commands.js";
import { dnsCommands } from "../dns-zone/commands.js";
import { encryptionKeyCommands } from "../encryption-key/commands.js";
import { iamCommands } from "../iam/commands.js";
import { issuerCommands } from "../issuer/commands.js";
import { doctorCommand } from "../doctor/commands.js";
import { identityCommands } from "../identities/commands.js";
import { infraCommands } from "../infra/commands.js";
import { localCommands } from "../local/commands.js";
import { manifestCommands } from "./commands/manifest-commands.js";
import { programCommands } from "./commands/program-commands.js";
import { spellingsOf, type Option } from "./option.js";
import { optionNames, options, type OptionName } from "./options.js";

export const commands = {
  ...infraCommands,
  ...identityCommands,
  ...encryptionKeyCommands,
  ...iamCommands,
  ...issuerCommands,
  ...allCommands,
  ...doctorCommand,
  "show service-cluster": aksCommands["show service-cluster"],
  "show management-cluster": aksCommands["show management-cluster"],
  "create service-cluster": aksCommands["create service-cluster"],
  "create management-cluster": aksCommands["create management-cluster"],
  "destroy management-cluster": aksCommands["destroy management-cluster"],
  "destroy service-cluster": aksCommands["destroy service-cluster"],
  "verify management-cluster": aksCommands["verify management-cluster"],
  "verify service-cluster": aksCommands["verify service-cluster"],
  "doctor management-cluster": aksCommands["doctor management-cluster"],
  "doctor service-cluster": aksCommands["doctor service-cluster"],
  "graph management-cluster": aksCommands["graph management-cluster"],
  "graph service-cluster": aksCommands["graph service-cluster"],
  ...arcExtensionCommands,
  ...arcCommands,
  ...dnsCommands,
  ...manifestCommands,
  ...arcSecretsCommands,
  ...localCommands,
  ...programCommands,
} as const;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as CommandName[];

/** First words, each once: those of several commands, such as `create`, and commands of one word. */
export const topLevelNames: readonly string[] = [...new Set(commandNames.map((name) => name.replace(/ .*/, "")))];

/** The subcommands of a group of commands: of `create`, `infra` and others. */
export function subcommandsOf(first: string): readonly string[] {
  return commandNames.flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
}

/** The text of a group, where its subcommands do not say what they are about. */
const groupPrefixes: Readonly<Record<string, string>> = { local: "the emulator: " };

/** What the first word of a command stands for: the command, or its subcommands. */
export function topLevelSummary(first: string): string {
  return summaryOf(first) || `${groupPrefixes[first] ?? ""}${subcommandsOf(first).join(", ")}`;
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
  const taken: ReadonlySet<OptionName> = new Set([...required, ...others]);
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
