/** Advice as data: text and commands, which become strings once the connection flags of the run are known. */
import { shellWord } from "./shell-word.js";

const blankSymbol = Symbol("blank");

/** A placeholder that the reader fills in: `<vault>`. Its symbol distinguishes it from tags, which are plain objects too. */
export interface Blank {
  readonly [blankSymbol]: string;
}

/** One word of a command line; `before` is the text in front of a placeholder: `value=<limit>`. */
type Word = string | { readonly before: string; readonly blank: string };

/** A command of another program, as words; `shellLine` quotes them. */
export interface ShellCommand {
  readonly shell: readonly Word[];
}

/** The commands of aro-hcp and their settings. `settings/format-command.ts` declares them from the table of options. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a declaration in settings fills it, because errors imports no other folder.
export interface OwnCommands {}

export type SettingValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | Blank | undefined;

/** A command of aro-hcp. Its settings exclude the connection flags, which are added when it is rendered. */
export interface OwnCommand {
  readonly run: string;
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** The command that its output is piped into. */
  readonly pipe?: ShellCommand;
}

export type Command = OwnCommand | ShellCommand;

/** Text about a flag, for the commands that accept it. */
export interface FlagText {
  readonly flag: string;
  readonly text: string;
}

type Part = string | Command | FlagText;

export type Advice = Part | readonly Part[];

/** Renders advice as text: each command in backticks, with the connection flags of the run. */
export type RenderAdvice = (advice: Advice) => string;

/** Advice for every interrupted run: Azure is the only state. Only a command that changes something has --yes. */
export const rerun: Advice = ["rerun the command", withFlag("--yes", "; it continues where it stopped")];

/** Template tag: text with values, commands and other advice in it. */
export function advise(texts: TemplateStringsArray, ...values: readonly (Advice | number)[]): Advice {
  return texts.flatMap((text, index) => [text, ...partsOf(values[index] ?? "")]).filter((part) => part !== "");
}

/** Joins several pieces of advice into one: `a and b`. */
export function joinAdvice(list: readonly Advice[], separator: string): Advice {
  return list.flatMap((one, index) => [...(index === 0 ? [] : [separator]), ...partsOf(one)]);
}

type SettingsOf<C extends keyof OwnCommands> = { readonly [K in keyof OwnCommands[C]]?: OwnCommands[C][K] | Blank | undefined };

/** A setting that the command does not accept does not compile. */
type Accepted<C extends string, S> = C extends keyof OwnCommands
  ? SettingsOf<C> & { readonly [K in Exclude<keyof S, keyof OwnCommands[C]>]: never }
  : Readonly<Record<string, SettingValue>>;

/** Refers to a command of aro-hcp. It may be of a feature that this program does not have; a test requires that each exists. */
export function aroHcp<C extends string, S extends Accepted<C, S>>(command: C, settings?: S, pipe?: ShellCommand): OwnCommand {
  return { run: command, settings: settings ?? {}, ...(pipe && { pipe }) };
}

export function blank(what: string): Blank {
  return { [blankSymbol]: what };
}

/** The placeholder's name in angle brackets; undefined for other values. */
export function blankText(value: object): string | undefined {
  return blankSymbol in value ? `<${String(value[blankSymbol])}>` : undefined;
}

/** Text that commands without the flag omit: `withFlag("--location", "; another --location has its own limits")`. */
export function withFlag(flag: `--${string}`, text: string): FlagText {
  return { flag, text };
}

/** Template tag: spaces in the text separate words, spaces in values do not. A list becomes several words. */
export function shell(texts: TemplateStringsArray, ...values: readonly (string | number | Blank | readonly string[])[]): ShellCommand {
  const words: Word[] = [];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  texts.forEach((text, index) => {
    text.split(/ +/).forEach((piece, at) => {
      if (at > 0) end();
      if (piece !== "") word = `${word ?? ""}${piece}`;
    });
    const value = values[index];
    if (value === undefined) return;
    const open = typeof value === "object" ? blankText(value) : undefined;
    if (open !== undefined) {
      words.push({ before: word ?? "", blank: open });
      word = undefined;
    } else if (typeof value === "object") words.push(...(isList(value) ? value : []));
    else word = `${word ?? ""}${value}`;
  });
  end();
  return { shell: words };
}

export function shellLine({ shell: words }: ShellCommand): string {
  return words.map((word) => (typeof word === "string" ? shellWord(word) : `${word.before}${word.blank}`)).join(" ");
}

/** Renders advice; `ownLine` renders a command of aro-hcp, `accepts` is whether the running command has a flag. */
export function adviceText(given: Advice, ownLine: (command: OwnCommand) => string, accepts: (flag: string) => boolean): string {
  const textOf = (part: Part): string => {
    if (typeof part === "string") return part;
    if ("flag" in part) return accepts(part.flag) ? part.text : "";
    return `\`${"run" in part ? ownLine(part) : shellLine(part)}\``;
  };
  return partsOf(given).map(textOf).join("");
}

/** The commands of aro-hcp that the advice names. */
export function ownCommandsIn(given: Advice): readonly OwnCommand[] {
  return partsOf(given).filter((part) => typeof part === "object" && "run" in part);
}

/** The advice with other commands of aro-hcp. */
export function mapCommands(given: Advice, change: (command: OwnCommand) => OwnCommand): Advice {
  return partsOf(given).map((part) => (typeof part === "object" && "run" in part ? change(part) : part));
}

function partsOf(value: Advice | number): readonly Part[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return isParts(value) ? value : [value];
}

function isParts(value: Part | readonly Part[]): value is readonly Part[] {
  return Array.isArray(value);
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
