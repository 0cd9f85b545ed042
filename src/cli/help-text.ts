/** The text of `--help`, from the tables of commands and options. */
import {
  commandNames,
  commands,
  firstWords,
  firstWordSummary,
  ignoredOptionsOf,
  isCommand,
  optionsOf,
  secondWords,
} from "../settings/commands.js";
import type { CommandName, CommandOption } from "../settings/commands.js";
import type { Argument, Command } from "../settings/commands/command.js";
import { groupHeadings, optionGroups, variableOf, type Option, type OptionKind } from "../settings/option.js";
import { wrapped } from "../render/wrapped.js";
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

/** A flag or a command, and the text beside it. */
type Row = readonly [head: string, text: string];

/** `words`: a command, the first word of several commands, or nothing. Undefined for other words. */
export function helpText(words: readonly string[], form: HelpForm, width: number): string | undefined {
  const name = words.join(" ");
  const sections = isCommand(name) ? commandHelp(name, form, width) : listHelp(words, width);
  return sections && `${sections.join("\n\n")}\n`;
}

function listHelp(words: readonly string[], width: number): readonly string[] | undefined {
  const [first, ...others] = words;
  if (first !== undefined && (!firstWords.includes(first) || others.length > 0)) return undefined;
  const intro = first === undefined ? [wrapped(about, width).join("\n")] : [];
  const options: Row[] = [["-h, --help", "print this help"], ...(first === undefined ? [["--version", "print the version"] as const] : [])];
  const [second = ""] = secondWords(first ?? "create");
  const next = `For the help of a command: aro-hcp help ${first ?? "create"} ${second}`;
  return [
    `Usage: aro-hcp ${first === undefined ? "" : `${first} `}<command> [options]`,
    ...intro,
    section("Commands", first === undefined ? firstWords.map(firstWordRow) : secondWordRows(first), width),
    section("Options", options, width),
    wrapped(next, width).join("\n"),
  ];
}

function firstWordRow(word: string): Row {
  return [`${word}${isCommand(word) ? argumentText(word) : ""}`, firstWordSummary(word)];
}

function secondWordRows(first: string): readonly Row[] {
  return secondWords(first).map((second): Row => {
    const name = commandNames.find((each) => each === `${first} ${second}`);
    return [second, name === undefined ? "" : commands[name].summary];
  });
}

function argumentOf(name: CommandName): Argument | undefined {
  const { argument }: Command = commands[name];
  return argument;
}

/** " <file>", or " [what]" if it can be omitted. */
function argumentText(name: CommandName): string {
  const argument = argumentOf(name);
  if (argument === undefined) return "";
  const shown = `${argument.name}${argument.isRepeated === true ? "..." : ""}`;
  return argument.isRequired === true ? ` <${shown}>` : ` [${shown}]`;
}

/** The command with its argument and its required flags, in parts that belong together. */
export function usageText(name: CommandName): readonly string[] {
  const options = optionsOf(name);
  const required = options.filter(({ isRequired }) => isRequired).map((option) => `${option.flag}${placeholderOf(option)}`);
  return [`aro-hcp ${name}${argumentText(name)}`, ...required, ...(options.length > 0 ? ["[options]"] : [])];
}

function commandHelp(name: CommandName, form: HelpForm, width: number): readonly string[] {
  const command: Command = commands[name];
  const options = optionsOf(name);
  const shown = options.filter(({ rare, isRequired }) => form === "all" || rare !== true || isRequired);
  const required = shown.filter(({ isRequired }) => isRequired);
  const argument = argumentOf(name);
  const below = secondWords(name);
  return [
    hangingLines(["Usage:", ...usageText(name)], width),
    command.description
      .split("\n")
      .map((paragraph) => wrapped(paragraph, width).join("\n"))
      .join("\n"),
    ...(below.length > 0 ? [section("Commands", secondWordRows(name), width)] : []),
    ...(argument === undefined ? [] : [section("Argument", [[argumentText(name).trim(), argumentHelp(argument)]], width)]),
    ...(required.length > 0 ? [section("Required", required.map(optionRow), width)] : []),
    ...optionGroups.flatMap((group) => {
      const rows = shown.filter((option) => option.group === group && !option.isRequired).map(optionRow);
      return rows.length > 0 ? [section(groupHeadings[group], rows, width)] : [];
    }),
    ...(options.length > 0 ? [wrapped(sourcesText(name, form, options.length - shown.length), width).join("\n")] : []),
    `Examples:\n${command.examples.map((example) => exampleText(example, width)).join("\n")}`,
  ];
}

/** `hidden`: the number of options that this form leaves out. */
function sourcesText(name: CommandName, form: HelpForm, hidden: number): string {
  const ignored = form === "all" ? ignoredOptionsOf(name).map(({ flag }) => flag) : [];
  const sentences = [
    ...(hidden > 0 ? [`--help-all also lists ${plural(hidden, "rarer option")}.`] : []),
    "Instead of a flag, you can set its variable, in brackets, or its key in a --config file: --infra-id is infraId.",
    "--no- turns a switch off: --no-debug.",
    ...(ignored.length > 0 ? [`Accepted, but not used here: ${ignored.join(", ")}.`] : []),
  ];
  return sentences.join(" ");
}

function argumentHelp({ help, choices }: Argument): string {
  return choices === undefined ? help : `${help} (${choices.join(" | ")})`;
}

function optionRow(option: CommandOption): Row {
  const short = option.short === undefined ? "" : `${option.short}, `;
  return [`${short}${option.flag}${placeholderOf(option)}`, `${optionHelp(option)} [${variableOf(option)}]`];
}

/** The text of an option with its choices and its default. An alias is accepted and not shown: each option has one name. */
function optionHelp(option: Option): string {
  const notes = [
    ...(option.choices === undefined || option.kind === "list" ? [] : [option.choices.join(" | ")]),
    ...(option.default === undefined ? [] : [`default: ${option.default}`]),
  ];
  return notes.length === 0 ? option.help : `${option.help} (${notes.join("; ")})`;
}

/** The column of the texts. It leaves more than half of the width to them; on a narrow terminal they stand below their heads. */
const textColumn = 28;
const narrowWidth = 60;

/** A row begins with two spaces. A text stands beside its head, or below a longer one. */
function section(heading: string, rows: readonly Row[], width: number): string {
  const column = width < narrowWidth ? 6 : textColumn;
  const indent = " ".repeat(column);
  const lines = rows.flatMap(([head, text]) => {
    const [first = "", ...others] = wrapped(text, width - column);
    const isBeside = head.length + 4 <= column;
    const start = isBeside ? [`  ${head}`.padEnd(column) + first] : [`  ${head}`, `${indent}${first}`];
    return [...start, ...others.map((line) => `${indent}${line}`)];
  });
  return [`${heading}:`, ...lines].join("\n");
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
