/** Parses the command line into a command, its flags and its argument, and reports all problems. */
import { CommanderError, type Command } from "commander";
import {
  commandIn,
  commandNames,
  commands,
  topLevelNames,
  ignoredOptionsOf,
  isCommand,
  optionsOf,
  subcommandsOf,
  type CommandName,
} from "../settings/commands.js";
import type { Argument, Command as Declaration } from "../settings/command.js";
import { isRepeatable, negated, spellingsOf, type Option } from "../settings/option.js";
import { parseChoice } from "../settings/parse-value.js";
import type { Sources } from "../settings/resolve.js";
import type { SettingKey } from "../settings/settings.js";
import type { Problem } from "../errors/failure.js";
import { didYouMean, nearest } from "../text/did-you-mean.js";
import { plural } from "../text/plural.js";
import { helpFlags } from "./built-help.js";
import { nearestNoun, ourWordsFor, ourWordsForFlag } from "./foreign-words.js";
import { anySpelling, program, spellingsFor, type GivenFlag, type Spelling } from "./program.js";

/** The hidden first word with which the scripts of `completion` ask what can follow. */
export const completionCommand = "__complete";

export interface CommandLine {
  /** Undefined if the words name none. */
  readonly command: Exclude<CommandName, "help"> | undefined;
  readonly words: readonly string[];
  /** The keys are those of options. The last flag counts, or all flags of an option that can be repeated. */
  readonly flags: Sources["flags"];
  readonly argument: string | undefined;
  readonly problems: readonly Problem[];
  /** The settings that the problems are about, as far as known. They are not reported as missing too. */
  readonly reported: ReadonlySet<SettingKey>;
}

/** Undefined if the arguments ask for the version or for help, which is printed. Without a command, the list of those that can follow is printed. */
export function parseArguments(args: readonly string[], streams: Parameters<typeof program>[0]): CommandLine | undefined {
  const { root, read } = program(streams);
  try {
    root.parse(withDashedValues(args), { from: "user" });
    const name = read.words.join(" ");
    const { words, unknown } = separate(read.rest, args);
    const given = [...read.flags, ...unknown];
    // `help --help` is about itself.
    const isTopic = name === "help" && (words.length > 0 || read.help === undefined);
    const isHelp = isTopic || read.help !== undefined;
    const isWhole = isCommand(name) && (isHelp || !isMistyped(name, words));
    if (isWhole && name !== "help" && !isHelp) return commandLine(name, words, given);
    const all = isTopic ? words : [...read.words, ...(isWhole ? [] : words)];
    const topic = topicOf(all, root);
    if (isHelp) topic?.help();
    else if (given.length === 0) topic?.outputHelp({ error: all.length > 0 });
    return { command: undefined, words: all, argument: undefined, ...valuesOf(given, anySpelling, unknownFlag) };
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    throw error;
  }
}

/** Joins a flag and its value if that begins with one hyphen, as a key ID can: the parser would take it for a flag. Known flags are not values. */
function withDashedValues(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const isValue = (arg: string) => /^-[^-]/.test(arg) && !anySpelling.has(arg) && !helpFlags.has(arg);
  const takesValue = (arg: string | undefined) => arg !== undefined && anySpelling.has(arg) && !isSwitch(arg);
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const isBeforeEnd = end < 0 || index < end;
    if (isBeforeEnd && isValue(arg) && takesValue(args[index - 1])) joined.push(`${joined.pop() ?? ""}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** `doctor management-cluste`: the word is nearer to a subcommand than to what the command itself takes. */
function isMistyped(name: CommandName, [word]: readonly string[]): boolean {
  if (word === undefined) return false;
  const { argument }: Declaration = commands[name];
  const subcommands = subcommandsOf(name);
  const near = nearest(word, [...subcommands, ...(argument?.choices ?? [])]);
  return near !== undefined && subcommands.includes(near) && argument?.choices?.includes(word) !== true;
}

/** The command that is this far down the tree; undefined if there is none. */
function topicOf(words: readonly string[], root: Command): Command | undefined {
  return words.reduce<Command | undefined>((parent, word) => parent?.commands.find((each) => each.name() === word), root);
}

/** Words, and flags that no command has: each with the word after it, if that is probably its value. After `--`, everything is a word. */
function separate(
  rest: readonly string[],
  args: readonly string[],
): { readonly words: readonly string[]; readonly unknown: readonly GivenFlag[] } {
  const end = args.indexOf("--");
  const literal = new Set(end < 0 ? [] : args.slice(end + 1));
  const isFlag = (arg: string) => arg.length > 1 && arg.startsWith("-") && !literal.has(arg);
  const words: string[] = [];
  const unknown: GivenFlag[] = [];
  const left = rest.filter((arg) => arg !== "--");
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (!isFlag(arg)) {
      words.push(arg);
      continue;
    }
    const [flag = arg, inline] = (arg.startsWith("-=") ? withSwitch(arg, args) : arg).split(/=(.*)/s);
    const hasValue = inline === undefined && left[0] !== undefined && !isFlag(left[0]) && !isSwitch(nearest(flag, [...anySpelling.keys()]));
    unknown.push({ flag, value: hasValue ? left.shift() : inline });
  }
  return { words, unknown };
}

/** Commander takes the switches from a group of short flags: of `-y=true`, it leaves `-=true`. */
function withSwitch(left: string, args: readonly string[]): string {
  const value = left.slice(1);
  const found = args
    .flatMap((arg) => /^-[^-=]*([^-=]=.*)$/s.exec(arg)?.[1] ?? [])
    .find((end) => end.slice(1) === value && isSwitch(`-${end[0] ?? ""}`));
  return found === undefined ? left : `-${found}`;
}

function isSwitch(flag: string | undefined): boolean {
  return flag !== undefined && anySpelling.get(flag)?.option.kind === "switch";
}

function commandLine(command: Exclude<CommandName, "help">, words: readonly string[], given: readonly GivenFlag[]): CommandLine {
  // `show settings` takes the flags of the command that it is about.
  const shown = command === "show settings" ? commandIn(words) : undefined;
  const own: readonly CommandName[] = [command, ...(shown === undefined ? [] : [shown])];
  const spellings = spellingsFor(own.flatMap((name) => [...ignoredOptionsOf(name), ...optionsOf(name)]));
  const { problems, ...values } = valuesOf(given, spellings, (flag) => foreignFlag(flag, own.at(-1) ?? command, spellings));
  const { argument, problems: ofArgument } = argumentIn(words, command);
  return { command, words: [...command.split(" "), ...words], argument, ...values, problems: [...problems, ...ofArgument] };
}

type UnknownFlag = (flag: string) => { readonly message: string; readonly suggested?: Option | undefined };

function valuesOf(
  given: readonly GivenFlag[],
  spellings: ReadonlyMap<string, Spelling>,
  unknown: UnknownFlag,
): Pick<CommandLine, "flags" | "problems" | "reported"> {
  const flags: Record<string, string | boolean | readonly string[]> = {};
  const problems: Problem[] = [];
  const reported = new Set<SettingKey>();
  for (const { flag, value } of given) {
    const spelling = spellings.get(flag);
    if (spelling === undefined) {
      const { message, suggested } = unknown(flag);
      problems.push({ origin: flag, message });
      if (suggested !== undefined) reported.add(suggested.key as SettingKey);
      continue;
    }
    const { option, isNegated } = spelling;
    if (option.kind === "switch") {
      // Commander does not take `--yes=true` as a switch.
      if (value === undefined) flags[option.key] = !isNegated;
      else problems.push({ origin: flag, message: `takes no value${isNegated ? "" : `; to turn it off, pass ${negated(option)}`}` });
    } else if (value === undefined) {
      problems.push({ origin: flag, message: "requires a value" });
      reported.add(option.key as SettingKey);
    } else if (isRepeatable(option)) {
      const earlier = flags[option.key];
      flags[option.key] = [...(Array.isArray(earlier) ? (earlier as readonly string[]) : []), value];
    } else flags[option.key] = value;
  }
  return { flags, problems, reported };
}

const unknownFlag: UnknownFlag = (flag) => ({ message: `is not an option${suggestionFor(flag, anySpelling).text}` });

/** The nearest flag, by its first spelling. */
function suggestionFor(
  flag: string,
  known: ReadonlyMap<string, Spelling>,
): { readonly text: string; readonly option?: Option | undefined } {
  const near = nearest(flag, ["--version", ...known.keys(), ...helpFlags.keys()]);
  if (near === undefined) return { text: "" };
  const option = known.get(near)?.option;
  return { text: `; did you mean "${option?.aliases?.some((alias) => alias === near) === true ? option.flag : near}"?`, option };
}

/** Where the flag belongs, or what it probably should be. */
function foreignFlag(flag: string, command: CommandName, own: ReadonlyMap<string, Spelling>): ReturnType<UnknownFlag> {
  if (helpFlags.has(flag)) return { message: "takes no value" };
  const ours = ourWordsForFlag(flag);
  if (ours !== undefined) return { message: `is not an option of ${command}: ${ours}` };
  // --tags is --resource-group-tags here.
  const [longer, ...more] = optionsOf(command).filter((option) => option.flag.endsWith(flag.replace("--", "-")));
  if (longer !== undefined && more.length === 0)
    return { message: `is not an option of ${command}; did you mean "${longer.flag}"?`, suggested: longer };
  const others = commandNames.filter((name) => optionsOf(name).some((option) => spellingsOf(option).includes(flag)));
  if (others.length > 0)
    return { message: `is not an option of ${command}; ${listOf(others)} ${others.length === 1 ? "takes" : "take"} it` };
  const { text, option } = suggestionFor(flag, own);
  return { message: `is not an option of ${command}${text}`, suggested: option };
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
  const { argument: declared }: Declaration = commands[command];
  const taken = declared === undefined ? [] : declared.isRepeated === true ? words : words.slice(0, 1);
  const argument = taken.length === 0 ? undefined : taken.join(" ");
  const surplus = words.slice(taken.length).map((word) => ({
    origin: `"${word}"`,
    message: `is an unexpected argument: ${command} takes ${declared === undefined ? "only flags" : `only <${declared.name}>`}`,
  }));
  const problem = declared === undefined ? undefined : problemOf(argument, declared, commands[command].examples[0]);
  return { argument, problems: problem === undefined ? surplus : [problem, ...surplus] };
}

function problemOf(value: string | undefined, { name, choices, isRequired }: Argument, example: string): Problem | undefined {
  if (value === undefined) return isRequired === true ? { origin: `<${name}>`, message: `is required, as in: ${example}` } : undefined;
  const parsed = choices === undefined ? { value } : parseChoice(value, choices);
  return "problem" in parsed ? { origin: `<${name}>`, message: parsed.problem } : undefined;
}

/** "there is no command `creat infra`", with the command that it probably should be. */
export function unknownCommandMessage(words: readonly string[]): string {
  const [first = "", second = ""] = words;
  const typed = words.slice(0, 3).join(" ");
  const foreign = ourWordsFor(words);
  if (foreign !== undefined) return `there is no command "${typed}": ${foreign}`;
  const [two, turned] = [`${first} ${second}`, `${second} ${first}`];
  const ofVerb = isCommand(two) || second === "" ? undefined : nearestNoun(first, second);
  const near = isCommand(turned)
    ? turned
    : (ofVerb ?? nearest(typed, commandNames) ?? (isCommand(two) ? undefined : nearest(two, commandNames)));
  const suggestion =
    near === undefined ? didYouMean(first, topLevelNames.includes(first) ? [] : topLevelNames) : `; did you mean "${near}"?`;
  return `there is no command "${typed}"${suggestion}`;
}
