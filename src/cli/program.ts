/** The commander program: all flags and the command tree, from the tables of options and commands. */
import { Command, Option as Flag } from "commander";
import { isCommand, topLevelNames, topLevelSummary, subcommandsOf, summaryOf } from "../settings/commands.js";
import { negated, spellingsOf, type Option } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import type { TextStream } from "../render/text-stream.js";
import { uncoloredText } from "../text/control.js";
import { helpOptions, helpWidth, type HelpForm } from "./built-help.js";
import { TableHelp } from "./help.js";
import type { ProcessPort } from "../run/process-port.js";
import { version } from "../run/package-version.js";

export interface GivenFlag {
  readonly flag: string;
  /** Undefined for a switch, and for a flag whose value is missing. */
  readonly value: string | undefined;
}

export interface Program {
  readonly root: Command;
  /** What the arguments have asked for, and said, so far. */
  readonly read: Read;
}

interface Read {
  /** Each known flag, in order. */
  readonly flags: GivenFlag[];
  /** The words that the tree of commands has. */
  words: readonly string[];
  /** The arguments after them that are neither known flags nor their values. */
  rest: readonly string[];
  /** Undefined unless a flag asks for help. */
  help: HelpForm | undefined;
}

export interface Spelling {
  readonly option: Option;
  /** `--no-debug`. */
  readonly isNegated: boolean;
}

export function spellingsFor(options: readonly Option[]): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  for (const option of options) {
    for (const flag of spellingsOf(option)) spellings.set(flag, { option, isNegated: false });
    if (option.kind === "switch") spellings.set(negated(option), { option, isNegated: true });
  }
  return spellings;
}

/** A flag is a switch, or takes a value, in every command that has it. */
export const anySpelling = spellingsFor(allOptions);

/** Adds every flag. `onFlag` receives each one that is parsed, in order. */
export function addFlags(command: Command, onFlag: (given: GivenFlag) => void): void {
  for (const [flag, { option }] of anySpelling) {
    // A value can be missing here: it is reported with the other problems.
    const declared = new Flag(option.kind === "switch" ? flag : `${flag} [value]`).hideHelp();
    command.addOption(declared).on(`option:${declared.name()}`, (value?: string | null) => {
      // Of `-o=json`, commander leaves the equals sign in the value.
      onFlag({ flag, value: (flag.startsWith("--") ? value : value?.replace(/^=/, "")) ?? undefined });
    });
  }
}

class TableCommand extends Command {
  readonly read: Read;

  constructor(word: string, read: Read) {
    super(word);
    this.read = read;
  }

  override createCommand(word = ""): TableCommand {
    return new TableCommand(word, this.read);
  }

  override createHelp(): TableHelp {
    return Object.assign(new TableHelp(this.read.help ?? "common"), this.configureHelp());
  }
}

/**
 * The root has all flags, so they can stand before and after the words of the command. No argument is an error here: what a command does not accept
 * is reported with all other problems (arguments.ts).
 */
export function program({ stdout, stderr }: Pick<ProcessPort, "stdout" | "stderr">): Program {
  const read: Read = { flags: [], words: [], rest: [], help: undefined };
  const root = new TableCommand("aro-hcp", read)
    .version(version, "--version", "print the version")
    .helpOption(false)
    .helpCommand(false)
    .allowExcessArguments()
    .configureOutput({
      writeOut: (text) => stdout.write(uncoloredText(text)),
      writeErr: (text) => stderr.write(uncoloredText(text)),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    })
    .exitOverride();
  for (const [flags, form, text] of helpOptions) {
    const declared = new Flag(flags, text);
    root.addOption(declared).on(`option:${declared.name()}`, () => {
      read.help = form;
    });
  }
  addFlags(root, (flag) => read.flags.push(flag));
  const withAction = (command: Command, ...words: readonly string[]) =>
    command.allowUnknownOption().action(() => {
      Object.assign(read, { words, rest: command.args });
    });
  withAction(root);
  const addBelow = (parent: Command, words: readonly string[]) => {
    for (const word of subcommandsOf(words.join(" "))) {
      const longer = [...words, word];
      addBelow(withAction(parent.command(word).summary(summaryOf(longer.join(" "))), ...longer), longer);
    }
    // `graph` is about all, and `graph all` says so.
    if (isCommand(words.join(" ")) && parent.commands.length > 0) withAction(parent.command("all", { hidden: true }), ...words);
  };
  for (const first of topLevelNames) addBelow(withAction(root.command(first).summary(topLevelSummary(first)), first), [first]);
  return { root, read };
}

function widthOf({ isTTY, columns }: TextStream): number {
  return Math.min((isTTY && columns) || helpWidth, helpWidth);
}
