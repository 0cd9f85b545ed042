/** The tree of commands as commander sees it, built from the table of options. Loads nothing but commander and that table. */
import { Command, Option as Flag } from "commander";
import { optionGroups, variableOf, type CommandName, type Option, type OptionGroup } from "../settings/option.js";
import { optionsOf } from "../settings/options.js";
import { addLocalCommands } from "./local-commands.js";
import type { Flags } from "./settings.js";
import { version } from "./version.js";

interface CommandText {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** The module that runs it, loaded only then. */
  readonly load: () => Promise<{ run(flags: Flags, environment: NodeJS.ProcessEnv): Promise<number> }>;
}

const commands: Readonly<Record<CommandName, CommandText>> = {
  "create infra": {
    summary: "make the Azure infrastructure of a cluster",
    description:
      "Makes the resource groups, network, private DNS zone, public IP address and load balancer of a cluster, and with --assign-identity-roles\n" +
      "gives its identities their roles. Run it again after anything went wrong: it completes what is missing and changes nothing else.",
    examples: [
      "aro-hcp create infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dry-run",
      "aro-hcp create infra --azure-creds creds.json --name demo --infra-id demo-x7k2 --base-domain example.com --output-file infra.json",
    ],
    load: () => import("./commands/create-infra.js"),
  },
  "destroy infra": {
    summary: "remove what create infra made",
    description:
      "Removes what is provably this cluster's: by ownership tags, by role assignments whose name only it can have, and what its Kubernetes made in\n" +
      "its groups. What was brought, or belongs to others, is named and kept.",
    examples: [
      "aro-hcp destroy infra --cloud local --name demo --infra-id demo-x7k2",
      "aro-hcp destroy infra --azure-creds creds.json --infra-json infra.json --yes",
    ],
    load: () => import("./commands/destroy-infra.js"),
  },
  "show infra": {
    summary: "show what exists of a cluster's infrastructure, and where it differs",
    description:
      "Reads every resource that create infra would make with the same settings, and tells its state and how it differs. Writes nothing.",
    examples: ["aro-hcp show infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com"],
    load: () => import("./commands/show-infra.js"),
  },
  graph: {
    summary: "draw the graph of steps as mermaid or dot",
    description: "Draws what create infra would make with the same settings, and what waits for what. Asks nothing of Azure.",
    examples: ["aro-hcp graph --name demo --infra-id demo-x7k2 --base-domain example.com --format dot | dot -Tsvg > graph.svg"],
    load: () => import("./commands/graph.js"),
  },
};

const groupHeadings: Readonly<Record<OptionGroup, string>> = {
  required: "Cluster:",
  placement: "Place and names:",
  network: "Network:",
  identity: "Identities and roles:",
  safety: "Safety:",
  output: "Output:",
  run: "Run:",
};

/** Throws CommanderError for help, version and words that make no command; `main` turns them into exit codes. */
export function program(environment: NodeJS.ProcessEnv): Command {
  const root = new Command("aro-hcp")
    .description("Everything that must exist in Azure before an OpenShift cluster with a hosted control plane can.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .showHelpAfterError("(--help lists the commands and flags)")
    .exitOverride();
  const verbs = new Map<string, Command>();
  for (const [name, text] of Object.entries(commands) as [CommandName, CommandText][]) {
    const [verb = "", noun] = name.split(" ");
    const parent = noun === undefined ? root : (verbs.get(verb) ?? addVerb(root, verb));
    verbs.set(verb, parent);
    addCommand(parent, noun ?? verb, name, text, environment);
  }
  addLocalCommands(root, environment);
  return root;
}

function addVerb(root: Command, verb: string): Command {
  return root.command(verb).summary(`${verb} infrastructure`).exitOverride();
}

function addCommand(parent: Command, word: string, name: CommandName, text: CommandText, environment: NodeJS.ProcessEnv): void {
  const command = parent
    .command(word)
    .summary(text.summary)
    .description(text.description)
    .addHelpText(
      "after",
      `\nEvery flag has a variable (--infra-id is ${variableOf({ flag: "--infra-id" })}) and a key in a --config file (infraId).\n\nExamples:\n${text.examples.map((example) => `  ${example}`).join("\n")}\n`,
    )
    .exitOverride();
  const options = optionsOf(name);
  for (const group of optionGroups) {
    for (const option of options.filter((candidate) => candidate.group === group)) addFlags(command, option);
  }
  command.action(async () => {
    const { run } = await text.load();
    process.exitCode = await run(command.opts(), environment);
  });
}

function addFlags(command: Command, option: Option): void {
  command.addOption(
    flagOf(option, `${option.short === undefined ? "" : `${option.short}, `}${option.flag}`).helpGroup(groupHeadings[option.group]),
  );
  // An alias is the same setting under another word; it is not worth a line of help.
  for (const alias of option.aliases ?? []) command.addOption(flagOf(option, alias).hideHelp());
}

function flagOf(option: Option, words: string): Flag {
  const takes = {
    text: "<value>",
    choice: "<choice>",
    file: "<file>",
    list: "<list>",
    tags: "<key=value>",
    duration: "<duration>",
    integer: "<number>",
  };
  const flag = new Flag(option.kind === "switch" ? words : `${words} ${takes[option.kind]}`, help(option));
  flag.attributeName = () => option.key;
  // The rest is checked with the values of the environment and the file, all together: see settings/resolve.ts.
  if (option.kind === "list" || option.kind === "tags")
    flag.argParser<string[]>((value, before) => [...(Array.isArray(before) ? before : []), value]);
  return flag;
}

function help(option: Option): string {
  const notes = [
    ...(option.choices === undefined || option.kind === "list" ? [] : [option.choices.join(" | ")]),
    ...(option.default === undefined ? [] : [`default ${option.default}`]),
  ];
  return notes.length === 0 ? option.help : `${option.help} (${notes.join("; ")})`;
}
