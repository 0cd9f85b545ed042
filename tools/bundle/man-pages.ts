/** The man pages, in roff with the macros of man(7): one for the program, and one for each command. */
import { placeholderOf, usageText } from "../../src/cli/help.js";
import { exitCodes, exitMeanings } from "../../src/errors/exit-codes.js";
import { commandNames, commands, ignoredOptionsOf, optionsOf, type CommandName } from "../../src/settings/commands.js";
import type { Command } from "../../src/settings/command.js";
import { byGroup, spellingsOf, variableOf, type Option } from "../../src/settings/option.js";

/** Pairs of a file name and its text. */
export function manPages(version: string): readonly (readonly [string, string])[] {
  return [["aro-hcp.1", programPage(version)], ...commandNames.map((name) => [`${pageOf(name)}.1`, commandPage(name, version)] as const)];
}

/** "aro-hcp-create-infra". */
function pageOf(name: CommandName): string {
  return `aro-hcp-${name.replaceAll(" ", "-")}`;
}

function programPage(version: string): string {
  return page("aro-hcp", version, [
    ".SH NAME",
    text("aro-hcp - Azure resources for OpenShift clusters with hosted control planes"),
    ".SH SYNOPSIS",
    `${bold("aro-hcp")} ${text("<command> [options]")}`,
    ".SH COMMANDS",
    ...commandNames.flatMap((name) => [".TP", `${bold(pageOf(name))}(1)`, text(commands[name].summary)]),
    ".SH EXIT STATUS",
    ...Object.entries(exitMeanings).flatMap(([key, meaning]) => [
      ".TP",
      bold(String(exitCodes[key as keyof typeof exitCodes])),
      text(meaning.replaceAll("`", "")),
    ]),
  ]);
}

function commandPage(name: CommandName, version: string): string {
  const { summary, description, examples, argument }: Command = commands[name];
  const options = optionsOf(name);
  const ignored = ignoredOptionsOf(name).map(({ flag }) => flag);
  const required = options.filter(({ isRequired }) => isRequired);
  return page(pageOf(name), version, [
    ".SH NAME",
    text(`${pageOf(name)} - ${summary}`),
    ".SH SYNOPSIS",
    text(usageText(name).join(" ")),
    ".SH DESCRIPTION",
    text(description),
    ...(argument === undefined
      ? []
      : [".SH ARGUMENT", ".TP", bold(argument.name), text([argument.help, ...choicesText(argument)].join(""))]),
    ".SH OPTIONS",
    ...(options.length > 0 ? [text("A flag overrides its variable, which overrides its key in a --config file.")] : []),
    ...(ignored.length > 0 ? [".PP", text(`Accepted, but not used here: ${ignored.join(", ")}.`)] : []),
    ...(required.length > 0 ? [".SS Required", ...required.flatMap(optionLines)] : []),
    ...byGroup(options.filter(({ isRequired }) => !isRequired)).flatMap((group) => [
      `.SS ${group.heading}`,
      ...group.options.flatMap(optionLines),
    ]),
    ".SH EXAMPLES",
    ...examples.flatMap((example) => [".PP", ".EX", text(example), ".EE"]),
    ".SH SEE ALSO",
    `${bold("aro-hcp")}(1)`,
  ]);
}

function optionLines(option: Option): readonly string[] {
  const { help, key, notInFile, isLocalDefault, default: value } = option;
  const notes = [
    ...(value === undefined ? [] : [`default ${value}${isLocalDefault === true ? " on the emulator" : ""}`]),
    `variable ${variableOf(option)}`,
    ...(notInFile === true ? [] : [`key ${key}`]),
  ];
  const flags = `${spellingsOf(option).map(bold).join(", ")}${text(placeholderOf(option))}`;
  return [".TP", flags, text([help, ...choicesText(option), ".", ` (${notes.join("; ")})`].join(""))];
}

function choicesText({ choices }: { readonly choices?: readonly string[] }): readonly string[] {
  return choices === undefined ? [] : [`: ${choices.join(", ")}`];
}

/** Neither hyphenated nor justified: names of flags and variables stay whole. */
function page(name: string, version: string, lines: readonly string[]): string {
  return [`.TH ${name.toUpperCase()} 1 "" "aro-hcp ${version}" "aro-hcp"`, ".nh", ".ad l", ...lines, ""].join("\n");
}

/** A line of text. A hyphen is escaped, so that a copied flag has an ASCII one; a period or quote at the start would be a macro. */
function text(line: string): string {
  const escaped = line.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function bold(word: string): string {
  return `\\fB${text(word)}\\fR`;
}
