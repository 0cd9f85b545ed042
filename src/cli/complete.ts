/** Completes commands, flags and values for a shell, from tables alone. */
import { Command as Parser } from "commander";
import { locations } from "../domain/locations.js";
import {
  commandIn,
  commands,
  topLevelNames,
  topLevelSummary,
  ignoredOptionsOf,
  optionsOf,
  subcommandsOf,
  summaryOf,
  type CommandName,
} from "../settings/commands.js";
import type { Command } from "../settings/command.js";
import { isRepeatable, negated, spellingsOf, type Option } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import { checksOf } from "../library/check-ids.js";
import { helpOptions } from "./built-help.js";
import { addFlags, type GivenFlag } from "./program.js";

/** The values that the shell completes itself. */
export const shellCompletes = { file: ":file", directory: ":directory" } as const;

const showSettings = "show settings";

/** A value, and what it is; the description can be empty. */
type Candidate = readonly [value: string, description: string];

/**
 * `words`: those after the name of the program, up to and including the one at the cursor, which can be empty. Returns one line for each candidate,
 * with a tab before the description, or `:file` or `:directory`.
 */
export async function completions(words: readonly string[]): Promise<readonly string[]> {
  const { before, current } = atCursor(words);
  const flags: GivenFlag[] = [];
  const parser = new Parser();
  addFlags(parser, (flag) => flags.push(flag));
  const { operands: given } = parser.parseOptions([...before]);
  const command = commandIn(given);
  // `show settings` also takes the flags of the command that it is about.
  const about = [command, ...(command === showSettings ? [commandIn(given.slice(2))] : [])].filter((name) => name !== undefined);
  const options = command === undefined ? allOptions : [...new Set(about.flatMap((name) => optionsOf(name)))];
  const ignored = command === undefined ? [] : ignoredOptionsOf(command);
  const optionOf = (flag: string | undefined) =>
    [...options, ...ignored].find((option) => flag !== undefined && spellingsOf(option).includes(flag));

  const [, inlineFlag, inlineValue = ""] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const inlineOption = optionOf(inlineFlag);
  if (inlineOption !== undefined) return valueLines(inlineOption, command, inlineValue, `${inlineFlag ?? ""}=`);
  const last = flags.at(-1);
  const waiting = last?.value === undefined && before.at(-1) === last?.flag ? optionOf(last?.flag) : undefined;
  if (waiting !== undefined && waiting.kind !== "switch") return valueLines(waiting, command, current, "");

  const used = new Set(flags.map(({ flag }) => optionOf(flag)?.key));
  const unused = options.filter((option) => !used.has(option.key) || isRepeatable(option));
  if (current.startsWith("-"))
    return linesOf(
      [...(command === undefined ? [] : unused.flatMap((option) => flagCandidates(option, current))), ...helpCandidates()],
      current,
    );
  const nouns = await wordCandidates(given, command);
  if (nouns === "file") return [shellCompletes.file];
  if (nouns.length > 0 || command === undefined) return linesOf(nouns, current);
  // Nothing else can follow. Required flags come first.
  const required = unused.filter((option) => "isRequired" in option && option.isRequired);
  return linesOf((required.length > 0 ? required : unused).map(flagCandidate), current);
}

/** PowerShell, which drops an empty argument in some versions, passes two quotes. bash splits `--cloud=local` at the equals sign, and passes it as a word. */
function atCursor(words: readonly string[]): { readonly before: readonly string[]; readonly current: string } {
  const joined = words.filter((word) => word !== "=").map((word) => (word === '""' ? "" : word));
  return words.at(-1) === "=" ? { before: joined, current: "" } : { before: joined.slice(0, -1), current: joined.at(-1) ?? "" };
}

/** The words that can follow: of a command, or its argument. */
async function wordCandidates(given: readonly string[], command: CommandName | undefined): Promise<readonly Candidate[] | "file"> {
  // The argument of `help` is a command, and that of `show settings` too.
  const words = command === "help" ? given.slice(1) : command === showSettings ? given.slice(2) : given;
  const [first] = words;
  if (first === undefined) return topLevelNames.map((word): Candidate => [word, topLevelSummary(word)]);
  const typed = words.join(" ");
  const seconds = subcommandsOf(typed).map((next): Candidate => [next, summaryOf(`${typed} ${next}`)]);
  if (command === undefined || command === "help" || command === showSettings) return seconds;
  const { argument }: Command = commands[command];
  if (argument === undefined || given.length > command.split(" ").length) return seconds;
  if (argument.name === "file") return "file";
  return [...seconds, ...(await argumentValues(command)).map((value): Candidate => [value, ""])];
}

async function argumentValues(command: CommandName): Promise<readonly string[]> {
  const { argument }: Command = commands[command];
  if (command === "schema") return [...(await (await import("./json-schemas.js")).jsonSchemas()).keys()];
  return argument?.choices ?? [];
}

function flagCandidate({ flag, help }: Option): Candidate {
  return [flag, help];
}

/** The flag that turns a switch off only once it is asked for: there are as many as switches. */
function flagCandidates(option: Option, current: string): Candidate[] {
  const off: Candidate[] = option.kind === "switch" && current.startsWith("--no-") ? [[negated(option), `not: ${option.help}`]] : [];
  return [flagCandidate(option), ...off];
}

function helpCandidates(): readonly Candidate[] {
  return helpOptions.map(([flags, , text]) => [flags.replace(/^-h, /, ""), text]);
}

/** `prefix` is in front of every value: `--cloud=`, and for a list also the items before the one at the cursor. */
async function valueLines(option: Option, command: CommandName | undefined, current: string, prefix: string): Promise<readonly string[]> {
  if (option.kind === "file" || option.kind === "files") return [shellCompletes.file];
  if (option.kind === "directory") return [shellCompletes.directory];
  const candidates = await valuesOf(option, command);
  const items = option.kind === "list" ? current.slice(0, current.lastIndexOf(",") + 1) : "";
  return linesOf(
    candidates.map(([value, description]): Candidate => [`${prefix}${items}${value}`, description]),
    `${prefix}${current}`,
  );
}

async function valuesOf({ key, choices }: Option, command: CommandName | undefined): Promise<readonly Candidate[]> {
  const checks = key === "only" && command !== undefined ? await checksOf(command) : undefined;
  if (checks !== undefined) return Object.values(checks).map(({ id, sentence }): Candidate => [id, sentence]);
  return (key === "location" ? locations : (choices ?? [])).map((value): Candidate => [value, ""]);
}

function linesOf(candidates: readonly Candidate[], current: string): readonly string[] {
  return candidates
    .filter(([value]) => value.startsWith(current))
    .map(([value, description]) => (description === "" ? value : `${value}\t${description}`));
}
