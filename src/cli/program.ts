/** The commander program with all commands, built from the table of options. Loads only commander and that table. */
import { Argument, Command, Option as Flag } from "commander";
import { commandNames, commands, optionsOf, type CommandName, type CommandOption } from "../settings/commands.js";
import type { Command as Declaration } from "../settings/commands/command.js";
import { optionGroups, variableOf, type OptionGroup, type OptionKind } from "../settings/option.js";
import type { TextStream } from "../render/text-stream.js";
import { uncoloredText } from "../text/control.js";
import { helpWidth } from "./built-help.js";
import { commandModules } from "./command-modules.js";
import { addLocalCommands } from "./local-commands.js";
import type { ProcessPort } from "./process-port.js";
import { version } from "./version.js";

const groupHeadings: Readonly<Record<OptionGroup, string>> = {
  required: "Cluster:",
  placement: "Location and names:",
  network: "Network:",
  identity: "Identities and roles:",
  safety: "Safety:",
  output: "Output:",
  run: "Run:",
};

/**
 * With `args`, only the commands that they can match are added below a verb and get their flags: adding all takes longer than the rest of `--help`.
 * `onExit` receives the exit code of the command.
 * @throws CommanderError for help, version and usage errors; `runCommandLine` converts them to exit codes
 */
export function program(port: ProcessPort, onExit: (code: number) => void, args?: readonly string[]): Command {
  const root = new Command("aro-hcp")
    .description("Creates, verifies and deletes the Azure resources that an OpenShift cluster with a hosted control plane needs.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .enablePositionalOptions()
    .showHelpAfterError("(--help lists the commands and flags)")
    // With the longest flags, commander's 40 columns do not fit into a terminal of 80, and it would not wrap at all.
    .configureHelp({ minWidthToWrap: 24 })
    // The code is at the end of the first line, as in every failure.
    .configureOutput({
      writeOut: (text) => port.stdout.write(uncoloredText(text)),
      writeErr: (text) => port.stderr.write(uncoloredText(text)),
      getOutHelpWidth: () => widthOf(port.stdout),
      getErrHelpWidth: () => widthOf(port.stderr),
      outputError: (text, write) => {
        write(text.replace(/^(error: .*)$/m, "$1  [ARO-USAGE-001]"));
      },
    })
    .exitOverride();
  const isRequested = (word: string) => args === undefined || args.includes(word);
  const verbs = new Map<string, Command>();
  for (const name of commandNames) {
    const [verb = "", noun] = name.split(" ");
    const parent = noun === undefined ? root : (verbs.get(verb) ?? addVerb(root, verb));
    verbs.set(verb, parent);
    if (!isRequested(verb) && noun !== undefined) continue;
    const command = addCommand(parent, noun ?? verb, name, port, onExit);
    // `doctor` and `graph` are commands and the verbs of others: flags after the noun are the noun's. Without the root's consent, they get all flags.
    if (noun === undefined) verbs.set(verb, command.enablePositionalOptions());
    if (name.split(" ").every(isRequested)) addOptions(command, name === "show settings" ? [name, ...commandsIn(args)] : [name]);
  }
  addLocalCommands(root, port, onExit);
  return root;
}

function widthOf({ isTTY, columns }: TextStream): number {
  return Math.min((isTTY && columns) || helpWidth, helpWidth);
}

function addVerb(root: Command, verb: string): Command {
  const nouns = Object.keys(commands).flatMap((name) => (name.startsWith(`${verb} `) ? [name.slice(verb.length + 1)] : []));
  return root
    .command(verb)
    .summary(nouns.join(", ").replace(/, ([^,]*)$/, " or $1"))
    .exitOverride();
}

function addCommand<C extends CommandName>(
  parent: Command,
  subcommand: string,
  name: C,
  port: ProcessPort,
  onExit: (code: number) => void,
): Command {
  const text: Declaration = commands[name];
  const command = parent
    .command(subcommand)
    .summary(text.summary)
    .description(text.description)
    .addHelpText(
      "after",
      `\nEvery flag has a variable (--infra-id is ${variableOf({ flag: "--infra-id" })})\nand a key in a --config file (infraId).\nA switch is turned off with --no-, as in --no-debug.\n\nExamples:\n${text.examples.map(exampleText).join("\n")}\n`,
    )
    .exitOverride();
  if (text.argument !== undefined) command.addArgument(new Argument(`[${text.argument.name}]`, text.argument.help));
  return command.action(async () => {
    const { runCommand } = await import("./run/run-command.js");
    onExit(
      await runCommand(name, commandModules[name], {
        flags: command.opts(),
        argument: command.args.length === 0 ? undefined : command.args.join(" "),
        port,
      }),
    );
  });
}

/** The command whose settings are shown. */
function commandsIn(args: readonly string[] = []): readonly CommandName[] {
  const [, , ...words] = args;
  return commandNames.filter((name) => `${words.join(" ")} `.startsWith(`${name} `));
}

/** The options of all `names`, each flag once. */
function addOptions(command: Command, names: readonly CommandName[]): void {
  const options = [...new Map(names.flatMap(optionsOf).map((option) => [option.flag, option])).values()];
  for (const group of optionGroups) {
    for (const option of options.filter((candidate) => candidate.group === group)) addFlags(command, option);
  }
}

/** An example longer than a terminal line is split before a flag, with a shell continuation. */
function exampleText(example: string): string {
  const lines: string[] = [];
  for (const part of example.split(/ (?=--)/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + part.length < 74) lines.push(`${lines.pop() ?? ""} ${part}`);
    else lines.push(part);
  }
  return `  ${lines.join(" \\\n    ")}`;
}

function addFlags(command: Command, option: CommandOption): void {
  command.addOption(flagOf(option, `${option.short === undefined ? "" : `${option.short}, `}${option.flag}`));
  // An alias is the same setting with another flag; the help does not show it.
  for (const alias of option.aliases ?? []) command.addOption(flagOf(option, alias).hideHelp());
  // Turns off what a variable, a configuration file or the record of the cluster turns on.
  if (option.kind === "switch") command.addOption(flagOf(option, option.flag.replace("--", "--no-")).hideHelp());
}

const repeatedKinds: readonly OptionKind[] = ["list", "files", "texts", "tags"];

function flagOf(option: CommandOption, spelling: string): Flag {
  const placeholders = {
    text: "<value>",
    choice: "<choice>",
    file: "<file>",
    files: "<file>",
    texts: "<value>",
    list: "<list>",
    tags: "<key=value>",
    duration: "<duration>",
    integer: "<number>",
  };
  const flag = new Flag(option.kind === "switch" ? spelling : `${spelling} ${placeholders[option.kind]}`, help(option));
  flag.attributeName = () => option.key;
  // Also for hidden flags: the first flag without a group determines where the help shows "Options:".
  flag.helpGroup(groupHeadings[option.group]);
  // All other checks run later, together with the values of the environment and the file: see settings/resolve.ts.
  if (repeatedKinds.includes(option.kind))
    flag.argParser<string[]>((value, previous) => [...(Array.isArray(previous) ? previous : []), value]);
  return flag;
}

function help(option: CommandOption): string {
  const notes = [
    ...(option.isRequired ? ["required"] : []),
    ...(option.choices === undefined || option.kind === "list" ? [] : [option.choices.join(" | ")]),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
  ];
  return notes.length === 0 ? option.help : `${option.help} (${notes.join("; ")})`;
}
