/** Splits the arguments of the program into a command, its flags and its argument. Reports all problems; does not know what a value means. */
import { commandNames, commands, firstWords, ignoredOptionsOf, isCommand, optionsOf, type CommandName } from "../settings/commands.js";
import type { Argument, Command } from "../settings/commands/command.js";
import { isRepeatable, negated, spellingsOf, type Option } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import { parseChoice } from "../settings/parse-value.js";
import type { Sources } from "../settings/resolve.js";
import type { SettingKey } from "../settings/settings.js";
import type { Problem } from "../errors/failure.js";
import { didYouMean, nearest } from "../text/did-you-mean.js";
import { plural } from "../text/plural.js";
import { helpFlags, type HelpForm } from "./built-help.js";

/** The hidden first word with which the scripts of `completion` ask what can follow. */
export const completeWord = "__complete";

export interface CommandLine {
  /** Undefined if the words name none. */
  readonly command: CommandName | undefined;
  /** All arguments that are neither flags nor their values, including the command. */
  readonly words: readonly string[];
  /** By key; the last one counts, or all of an option that can be repeated. */
  readonly flags: Sources["flags"];
  readonly argument: string | undefined;
  /** Whether help is requested, and which. */
  readonly help: HelpForm | undefined;
  readonly isVersionRequested: boolean;
  readonly problems: readonly Problem[];
  /** The settings that misspelled flags probably mean. They are not reported as missing too. */
  readonly meant: ReadonlySet<SettingKey>;
}

/** A flag on the command line. */
interface GivenFlag {
  readonly flag: string;
  /** Undefined for a switch, and for a flag whose value is missing. */
  readonly value: string | undefined;
}

/** What a spelling of a flag stands for. */
interface Spelling {
  readonly option: Option;
  /** `--no-debug`. */
  readonly isNegated: boolean;
}

function spellingsFor(options: readonly Option[]): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  for (const option of options) {
    for (const flag of spellingsOf(option)) spellings.set(flag, { option, isNegated: false });
    if (option.kind === "switch") spellings.set(negated(option), { option, isNegated: true });
  }
  return spellings;
}

/** A flag is a switch, or takes a value, in every command that has it: so flags can precede the command. */
const anySpelling = spellingsFor(allOptions);
const versionFlag = "--version";
const everyFlag: readonly string[] = [...anySpelling.keys(), ...helpFlags.keys(), versionFlag];

export function parseArguments(args: readonly string[]): CommandLine {
  const { words, given } = scanArguments(args);
  const command = commandIn(words);
  const asked = given.flatMap(({ flag }) => helpFlags.get(flag) ?? []);
  const all = { words, help: asked.at(-1), isVersionRequested: given.some(({ flag }) => flag === versionFlag) };
  const settings = given.filter(({ flag }) => flag !== versionFlag && !helpFlags.has(flag));
  if (command === undefined) return { ...all, command, argument: undefined, ...valuesOf(settings, anySpelling, unknownFlag) };
  const spellings = spellingsFor([...optionsOf(command), ...ignoredOptionsOf(command)]);
  const { problems, ...values } = valuesOf(settings, spellings, (flag) => foreignFlag(flag, command, spellings));
  const rest = words.slice(command.split(" ").length);
  const found = argumentIn(rest, command);
  return { ...all, command, argument: found.argument, ...values, problems: [...problems, ...found.problems] };
}

interface Scanned {
  readonly words: readonly string[];
  readonly given: readonly GivenFlag[];
}

/** Separates flags with their values from words. After `--`, everything is a word. */
export function scanArguments(args: readonly string[]): Scanned {
  const words: string[] = [];
  const given: GivenFlag[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--") {
      words.push(...rest);
      break;
    }
    if (!isFlagLike(arg)) {
      words.push(arg);
      continue;
    }
    const { flag, inline, others } = partsOf(arg);
    // `-yo json` is `-y -o json`.
    if (others !== undefined) rest.unshift(others);
    const next = inline === undefined && others === undefined && takesValue(flag, words) ? rest[0] : undefined;
    const isValue = next !== undefined && !everyFlag.includes(partsOf(next).flag) && (anySpelling.has(flag) || !isFlagLike(next));
    given.push({ flag, value: isValue ? rest.shift() : inline });
  }
  return { words, given };
}

/** A single hyphen is a value: standard output. */
function isFlagLike(arg: string): boolean {
  return arg.length > 1 && arg.startsWith("-");
}

interface Parts {
  readonly flag: string;
  /** After `=`, or directly after a short flag: `-ojson`. */
  readonly inline?: string;
  /** Further short flags: `-o` of `-yo`. */
  readonly others?: string;
}

function partsOf(arg: string): Parts {
  const [, flag, inline] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
  if (flag !== undefined) return { flag, inline: inline ?? "" };
  const short = arg.slice(0, 2);
  const isShort = anySpelling.has(short) || helpFlags.has(short);
  if (arg.startsWith("--") || arg.length === 2 || !isShort) return { flag: arg };
  if (isSwitch(short)) return { flag: short, others: `-${arg.slice(2)}` };
  return { flag: short, inline: arg.slice(arg[2] === "=" ? 3 : 2) };
}

function isSwitch(flag: string): boolean {
  return helpFlags.has(flag) || flag === versionFlag || anySpelling.get(flag)?.option.kind === "switch";
}

/** An unknown flag is assumed to be its nearest spelling. Without one, it has a value if a word follows that is not part of the command. */
function takesValue(flag: string, words: readonly string[]): boolean {
  const likely = everyFlag.includes(flag) ? flag : nearest(flag, everyFlag);
  return likely === undefined ? isCommand(words.slice(0, 2).join(" ")) : !isSwitch(likely);
}

/** The longest command at the start of the words. */
export function commandIn(words: readonly string[]): CommandName | undefined {
  return [words.slice(0, 2).join(" "), words[0] ?? ""].find(isCommand);
}

type UnknownFlag = (flag: string) => { readonly message: string; readonly meant: Option | undefined };

function valuesOf(
  given: readonly GivenFlag[],
  spellings: ReadonlyMap<string, Spelling>,
  unknown: UnknownFlag,
): Pick<CommandLine, "flags" | "problems" | "meant"> {
  const flags: Record<string, string | boolean | readonly string[]> = {};
  const problems: Problem[] = [];
  const meant = new Set<SettingKey>();
  for (const { flag, value } of given) {
    const spelling = spellings.get(flag);
    if (spelling === undefined) {
      const { message, meant: option } = unknown(flag);
      problems.push({ origin: flag, message });
      if (option !== undefined) meant.add(option.key as SettingKey);
      continue;
    }
    const { option, isNegated } = spelling;
    if (isNegated) flags[option.key] = false;
    else if (option.kind === "switch") flags[option.key] = value ?? true;
    else if (value === undefined) {
      problems.push({ origin: flag, message: "requires a value" });
      meant.add(option.key as SettingKey);
    } else if (isRepeatable(option)) {
      const earlier = flags[option.key];
      flags[option.key] = [...(Array.isArray(earlier) ? (earlier as readonly string[]) : []), value];
    } else flags[option.key] = value;
  }
  return { flags, problems, meant };
}

const unknownFlag: UnknownFlag = (flag) => ({ message: `is not an option${didYouMean(flag, everyFlag)}`, meant: undefined });

/** Where the flag belongs, or what it probably should be. */
function foreignFlag(flag: string, command: CommandName, own: ReadonlyMap<string, Spelling>): ReturnType<UnknownFlag> {
  const others = commandNames.filter((name) => optionsOf(name).some((option) => spellingsOf(option).includes(flag)));
  if (others.length > 0) {
    return { message: `is not an option of ${command}; ${listOf(others)} ${others.length === 1 ? "takes" : "take"} it`, meant: undefined };
  }
  const ownFlags = [...own.keys(), ...helpFlags.keys()];
  const near = nearest(flag, ownFlags);
  return {
    message: `is not an option of ${command}${didYouMean(flag, ownFlags)}`,
    meant: near === undefined ? undefined : own.get(near)?.option,
  };
}

const mostNamed = 4;

/** "create infra, show infra and 3 other commands". */
function listOf(names: readonly CommandName[]): string {
  const named: readonly string[] = names.length > mostNamed ? names.slice(0, mostNamed - 1) : names;
  const others = names.length - named.length;
  const parts = others === 0 ? named : [...named, plural(others, "other command")];
  return parts.join(", ").replace(/, ([^,]*)$/, " and $1");
}

function argumentIn(words: readonly string[], command: CommandName): Pick<CommandLine, "argument" | "problems"> {
  const { argument: declared }: Command = commands[command];
  const taken = declared === undefined ? [] : declared.isRepeated === true ? words : words.slice(0, 1);
  const argument = taken.length === 0 ? undefined : taken.join(" ");
  const surplus = words.slice(taken.length).map((word) => ({
    origin: `"${word}"`,
    message: `is one word too many: ${command} takes ${declared === undefined ? "only flags" : `only <${declared.name}>`}`,
  }));
  const problem = declared === undefined ? undefined : problemOf(argument, declared);
  return { argument, problems: problem === undefined ? surplus : [problem, ...surplus] };
}

function problemOf(value: string | undefined, { name, choices, isRequired }: Argument): Problem | undefined {
  if (value === undefined) return isRequired === true ? { origin: `<${name}>`, message: "is required" } : undefined;
  const parsed = choices === undefined ? { value } : parseChoice(value, choices);
  return "problem" in parsed ? { origin: `<${name}>`, message: parsed.problem } : undefined;
}

/** "there is no command `creat infra`", with the command that it probably should be. */
export function unknownCommandMessage(words: readonly string[]): string {
  const [first = "", second] = words;
  const typed = second === undefined ? first : `${first} ${second}`;
  const turned = `${second ?? ""} ${first}`;
  const near = isCommand(turned) ? turned : nearest(typed, commandNames);
  const suggestion = near === undefined ? didYouMean(first, firstWords.includes(first) ? [] : firstWords) : `; did you mean "${near}"?`;
  return `there is no command "${typed}"${suggestion}`;
}
