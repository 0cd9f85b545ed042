/** Writes the help of a command from the tables, with unusual flags only in the form "all". */
import { Argument, Help, Option as Flag, type Command } from "commander";
import {
  commands,
  ignoredOptionsOf,
  isCommand,
  optionsOf,
  subcommandsOf,
  topLevelNames,
  topLevelSummary,
  type CommandName,
  type CommandOption,
} from "../settings/commands.js";
import type { Argument as DeclaredArgument, Command as Declaration } from "../settings/command.js";
import { byGroup, variableOf, type Option, type OptionKind } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import { nouns } from "../settings/words.js";
import { plural } from "../text/plural.js";
import { helpOptions, type HelpForm } from "./built-help.js";

const about = "Creates, verifies and deletes the Azure resources that an OpenShift cluster with a hosted control plane needs.";

/** Their first examples are the life of one cluster on the emulator. */
const firstCommands = ["create all", "verify all", "show all", "destroy all"] as const satisfies readonly CommandName[];

const globalOptions = allOptions.filter(({ isGlobal }) => isGlobal === true);

const placeholders: Readonly<Record<OptionKind, string>> = {
  text: " <value>",
  choice: " <choice>",
  file: " <file>",
  files: " <file>",
  directory: " <directory>",
  texts: " <value>",
  list: " <list>",
  tags: " <key=value>",
  duration: " <duration>",
  integer: " <number>",
  switch: "",
};

/** " <file>"; empty for a switch. */
export function placeholderOf({ kind }: Option): string {
  return placeholders[kind];
}

/** The command with its argument and its required flags, in parts that belong together. */
export function usageText(name: CommandName): readonly string[] {
  const options = optionsOf(name);
  const required = options.filter(({ isRequired }) => isRequired).map((option) => `${option.flag}${placeholderOf(option)}`);
  const { argument }: Declaration = commands[name];
  const shown = argument === undefined ? [] : [argumentText(argument)];
  return [[`aro-hcp ${name}`, ...shown].join(" "), ...required, ...(options.length > 0 ? ["[options]"] : [])];
}

/** "<file>", or "[what]" if it can be omitted. */
function argumentText({ name, isRepeated, isRequired }: DeclaredArgument): string {
  const shown = `${name}${isRepeated === true ? "..." : ""}`;
  return isRequired === true ? `<${shown}>` : `[${shown}]`;
}

/** The longest flag that has its text beside it. Commander would move all texts to the right of the longest one. */
const longestBeside = 24;
/** In a narrower terminal, all texts stand below their flags. */
const narrowWidth = 60;

export class TableHelp extends Help {
  override minWidthToWrap = 0;

  readonly form: HelpForm;

  constructor(form: HelpForm) {
    super();
    this.form = form;
  }

  override commandUsage(command: Command): string {
    const name = nameOf(command);
    const parts = isCommand(name) ? usageText(name) : [["aro-hcp", ...(name === "" ? [] : [name]), "<command>"].join(" "), "[options]"];
    return hangingLines(parts, this.width - "Usage: ".length);
  }

  override commandDescription(command: Command): string {
    const name = nameOf(command);
    if (isCommand(name)) return commands[name].description;
    return name === "" ? about : "";
  }

  override visibleOptions(command: Command): Flag[] {
    const name = nameOf(command);
    if (!isCommand(name)) return [];
    const shown = this.shownOptions(name);
    const flag = (option: CommandOption, heading: string) => flagOf(option, heading, this.form);
    const required = shown.filter(({ isRequired }) => isRequired).map((option) => flag(option, "Required"));
    const others = byGroup(shown.filter(({ isRequired }) => !isRequired)).flatMap(({ heading, options }) =>
      options.map((option) => flag(option, this.form === "all" ? heading : "Options")),
    );
    return [...required, ...others];
  }

  override visibleArguments(command: Command): Argument[] {
    const name = nameOf(command);
    const { argument }: Partial<Declaration> = isCommand(name) ? commands[name] : {};
    if (argument === undefined) return [];
    const shown = new Argument(argumentText(argument), argument.help);
    return [argument.choices === undefined ? shown : shown.choices([...argument.choices])];
  }

  override padWidth(command: Command, helper: Help): number {
    return this.padded(super.padWidth(command, helper));
  }

  private padded(longest: number): number {
    return this.width < narrowWidth ? 2 : Math.min(longest, longestBeside);
  }

  override formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    if (term.length <= termWidth) return super.formatItem(term, termWidth, description, helper);
    return `${super.formatItem(term, termWidth, "", helper)}\n${super.formatItem("", termWidth, description, helper)}`;
  }

  override formatHelp(command: Command, helper: Help): string {
    const name = nameOf(command);
    if (name === "") return `${this.topHelp().join("\n\n")}\n`;
    const closing = isCommand(name) ? this.closingOf(name) : [this.nextOf(name)];
    return [super.formatHelp(command, helper), closing.join("\n\n"), ""].join("\n");
  }

  /** What it is, where to begin, the words of commands, and the options of all of them. */
  private topHelp(): readonly string[] {
    const list = (heading: string, rows: readonly (readonly [string, string])[]) => {
      const longest = Math.max(...rows.map(([term]) => term.length));
      return [`${heading}:`, ...rows.map(([term, text]) => this.formatItem(term, this.padded(longest), text, this))].join("\n");
    };
    const globals = globalOptions
      .filter(({ rare }) => rare !== true || this.form === "all")
      .map((option) => [`${option.flag}${placeholderOf(option)}`, this.form === "all" ? optionHelp(option) : option.help] as const);
    return [
      this.boxWrap(about, this.width),
      `Usage: ${hangingLines(["aro-hcp <command> [noun]", "[options]"], this.width - "Usage: ".length)}`,
      ["Begin on the built-in emulator, without Azure:", ...firstCommands.map((name) => this.exampleOf(name))].join("\n"),
      list(
        "Commands",
        topLevelNames.map((first) => [first, topLevelSummary(first)]),
      ),
      list("Nouns after create, destroy, show, verify", Object.entries(nouns)),
      list("Options of every command", [...globals, ...helpOptions.map(([flags, , text]) => [flags, text] as const)]),
      this.boxWrap("The nouns of create: aro-hcp create --help. Its options for one: aro-hcp create all --help.", this.width),
    ];
  }

  private exampleOf(name: CommandName): string {
    return exampleText(commands[name].examples[0], this.width);
  }

  private get width(): number {
    return this.helpWidth ?? 80;
  }

  private shownOptions(name: CommandName): readonly CommandOption[] {
    return optionsOf(name).filter(({ isUsual }) => this.form === "all" || isUsual);
  }

  private nextOf(name: string): string {
    return this.boxWrap(`For the help of a command: aro-hcp ${name} ${subcommandsOf(name)[0] ?? ""} --help`, this.width);
  }

  private closingOf(name: CommandName): readonly string[] {
    const examples = commands[name].examples.map((example) => exampleText(example, this.width));
    const sentences = this.form === "all" ? sentencesOfAll(name) : this.sentencesOfCommon(name);
    return [["Examples:", ...examples].join("\n"), ...(sentences.length > 0 ? [this.boxWrap(sentences.join(" "), this.width)] : [])];
  }

  private sentencesOfCommon(name: CommandName): readonly string[] {
    const hidden = optionsOf(name).length - this.shownOptions(name).length;
    return hidden > 0 ? [`--help-all lists ${plural(hidden, "more option")}, and the variable of each.`] : [];
  }
}

function sentencesOfAll(name: CommandName): readonly string[] {
  if (optionsOf(name).length === 0) return [];
  const ignored = ignoredOptionsOf(name).map(({ flag }) => flag);
  return [
    "The variable in brackets sets the same value. In a --config file, most flags have a key: infraId for --infra-id.",
    "To turn a switch off, put no- before its name: --no-debug.",
    ...(ignored.length > 0 ? [`Accepted, but not used here: ${ignored.join(", ")}.`] : []),
  ];
}

/** The words of a command after the name of the program. */
function nameOf(command: Command): string {
  return command.parent === null ? "" : `${nameOf(command.parent)} ${command.name()}`.trimStart();
}

/** For the help only: the parser has the flags of all commands (program.ts). An alias is not shown: each option has one name. */
function flagOf(option: CommandOption, heading: string, form: HelpForm): Flag {
  const short = option.short === undefined ? "" : `${option.short}, `;
  const text = form === "all" ? `${optionHelp(option)} [${variableOf(option)}]` : optionHelp(option);
  return new Flag(`${short}${option.flag}${placeholderOf(option)}`, text).helpGroup(`${heading}:`);
}

/** The text of an option with its choices and its default. */
function optionHelp({ help, kind, choices, default: value, isLocalDefault }: Option): string {
  const notes = [
    ...(choices === undefined || kind === "list" ? [] : [choices.join(" | ")]),
    ...(value === undefined ? [] : [`default${isLocalDefault === true ? " of the emulator" : ""}: ${value}`]),
  ];
  return notes.length === 0 ? help : `${help} (${notes.join("; ")})`;
}

/** Parts that must not be broken, in lines of this width. */
function hangingLines(parts: readonly string[], width: number): string {
  return parts.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf("\n") + 1);
    return last.length + part.length + 1 <= width ? `${text} ${part}` : `${text}\n    ${part}`;
  });
}

/** An example longer than a line is split before a flag or a pipe, with a shell continuation. */
function exampleText(example: string, width: number): string {
  const lines: string[] = [];
  for (const part of example.split(/ (?=--|\| )/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + part.length < width - 6) lines.push(`${lines.pop() ?? ""} ${part}`);
    else lines.push(part);
  }
  return `  ${lines.join(" \\\n    ")}`;
}
