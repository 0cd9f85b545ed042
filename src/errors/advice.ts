/** What to do next, as data: text, and in it commands, which are written out once, where the connection of the run is known. */
import { shellWord } from "./shell-word.js";

const blankMark = Symbol("blank");

/** What the reader fills in: `<vault>` in a command line. Tags are plain objects, too, so that it has a mark. */
export interface Blank {
  readonly [blankMark]: string;
}

/** One word of a command line; `before` is what stands in it before a blank: `value=<limit>`. */
type Word = string | { readonly before: string; readonly blank: string };

/** A command of another program, already in words: quoting is left to whoever writes it out. */
export interface ShellCommand {
  readonly shell: readonly Word[];
}

/** Our commands with the settings of each: `settings/command-line.ts` declares them, by the table of options. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by the declaration there: nothing of ours is imported here.
export interface OwnCommands {}

export type SettingValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | Blank | undefined;

/** A command of ours. The flags of the connection are not among its settings: they are added where it is written out. */
export interface OwnCommand {
  readonly run: keyof OwnCommands;
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** What its output is piped into. */
  readonly pipe?: ShellCommand;
}

export type Command = OwnCommand | ShellCommand;

/** Text with commands in it. */
export type Advice = string | Command | readonly (string | Command)[];

/** Writes an advice out, each command in backticks and with the connection of the run. */
export type RenderAdvice = (advice: Advice) => string;

/** Advice that holds for every interrupted run: Azure is the only state. */
export const rerun = "rerun the command: it continues from what exists in Azure";

/** Tag of a template: text with values, commands and other advice in it. */
export function advise(texts: TemplateStringsArray, ...values: readonly (Advice | number)[]): Advice {
  return texts.flatMap((text, index) => [text, ...partsOf(values[index] ?? "")]).filter((part) => part !== "");
}

/** Several in one: `a and b`. */
export function joinAdvice(list: readonly Advice[], separator: string): Advice {
  return list.flatMap((one, index) => [...(index === 0 ? [] : [separator]), ...partsOf(one)]);
}

type SettingsOf<C extends keyof OwnCommands> = { readonly [K in keyof OwnCommands[C]]?: OwnCommands[C][K] | Blank | undefined };

/** A setting that the command does not take does not compile, wherever the settings come from. */
export function aroHcp<
  C extends keyof OwnCommands,
  S extends SettingsOf<C> & { readonly [K in Exclude<keyof S, keyof OwnCommands[C]>]: never },
>(command: C, settings?: S, pipe?: ShellCommand): OwnCommand {
  return { run: command, settings: settings ?? {}, ...(pipe && { pipe }) };
}

export function blank(what: string): Blank {
  return { [blankMark]: what };
}

/** Its name in angle brackets; undefined for other values. */
export function blankText(value: object): string | undefined {
  return blankMark in value ? `<${String(value[blankMark])}>` : undefined;
}

/** Tag of a template: spaces of the text divide words, values never do. A list is several words. */
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

/** As one line. */
export function shellLine({ shell: words }: ShellCommand): string {
  return words.map((word) => (typeof word === "string" ? shellWord(word) : `${word.before}${word.blank}`)).join(" ");
}

/** `ownLine` writes a command of ours. */
export function adviceText(given: Advice, ownLine: (command: OwnCommand) => string): string {
  return partsOf(given)
    .map((part) => (typeof part === "string" ? part : `\`${"run" in part ? ownLine(part) : shellLine(part)}\``))
    .join("");
}

function partsOf(value: Advice | number): readonly (string | Command)[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return "run" in value || "shell" in value ? [value] : value;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
