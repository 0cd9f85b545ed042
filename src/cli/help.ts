/** Writes the help of a command from the tables, with rare flags only in the form "all". */
import { Argument, Help, Option as Flag, type Command } from "commander";
import {
  commands,
  ignoredOptionsOf,
  isCommand,
  optionsOf,
  subcommandsOf,
  type CommandName,
  type CommandOption,
} from "../settings/commands.js";
import type { Argument as DeclaredArgument, Command as Declaration } from "../settings/command.js";
import { byGroup, variableOf, type Option, type OptionKind } from "../settings/option.js";
import { plural } from "../text/plural.js";
import type { HelpForm } from "./built-help.js";

const about = "Creates, verifies and deletes the Azure resources that an OpenShift cluster with a hosted control plane needs.";

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
    // The root also has the flags of all commands, hidden.
    if (!isCommand(name)) return super.visibleOptions(command.parent ?? command);
    const shown = this.shownOptions(name);
    const required = shown.filter(({ isRequired }) => isRequired).map((option) => flagOf(option, "Required"));
    const others = byGroup(shown.filter(({ isRequired }) => !isRequired)).flatMap(({ heading, options }) =>
      options.map((option) => flagOf(option, heading)),
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
    return this.width < narrowWidth ? 2 : Math.min(super.padWidth(command, helper), longestBeside);
  }

  override formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    if (term.length <= termWidth) return super.formatItem(term, termWidth, description, helper);
    return `${super.formatItem(term, termWidth, "", helper)}\n${super.formatItem("", termWidth, description, helper)}`;
  }

  override formatHelp(command: Command, helper: Help): string {
    const name = nameOf(command);
    const closing = isCommand(name) ? this.closingOf(name) : [this.nextOf(name)];
    return [super.formatHelp(command, helper), closing.join("\n\n"), ""].join("\n");
  }

  private get width(): number {
    return this.helpWidth ?? 80;
  }

  private shownOptions(name: CommandName): readonly CommandOption[] {
    return optionsOf(name).filter(({ rare, isRequired }) => this.form === "all" || rare !== true || isRequired);
  }

  private nextOf(name: string): string {
    const first = name === "" ? "create" : name;
    return this.boxWrap(`For the help of a command: aro-hcp help ${first} ${subcommandsOf(first)[0] ?? ""}`, this.width);
  }

  private closingOf(name: CommandName): readonly string[] {
    const hidden = optionsOf(name).length - this.shownOptions(name).length;
    const ignored = this.form === "all" ? ignoredOptionsOf(name).map(({ flag }) => flag) : [];
    const sentences = [
      ...(hidden > 0 ? [`--help-all also lists ${plural(hidden, "rarer option")}.`] : []),
      "The variable in brackets sets the same value. In a --config file, most flags have a key: infraId for --infra-id.",
      "To turn a switch off, put no- before its name: --no-debug.",
      ...(ignored.length > 0 ? [`Accepted, but not used here: ${ignored.join(", ")}.`] : []),
    ];
    const examples = commands[name].examples.map((example) => exampleText(example, this.width));
    return [...(optionsOf(name).length > 0 ? [this.boxWrap(sentences.join(" "), this.width)] : []), ["Examples:", ...examples].join("\n")];
  }
}

/** The words of a command after the name of the program. */
function nameOf(command: Command): string {
  return command.parent === null ? "" : `${nameOf(command.parent)} ${command.name()}`.trimStart();
}

/** For the help only: the parser has the flags of all commands (program.ts). An alias is not shown: each option has one name. */
function flagOf(option: CommandOption, heading: string): Flag {
  const short = option.short === undefined ? "" : `${option.short}, `;
  return new Flag(`${short}${option.flag}${placeholderOf(option)}`, `${optionHelp(option)} [${variableOf(option)}]`).helpGroup(
    `${heading}:`,
  );
}

/** The text of an option with its choices and its default. */
function optionHelp({ help, kind, choices, default: value }: Option): string {
  const notes = [
    ...(choices === undefined || kind === "list" ? [] : [choices.join(" | ")]),
    ...(value === undefined ? [] : [`default: ${value}`]),
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
