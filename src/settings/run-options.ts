/** The options that say how a run goes and what it prints. Part of the table of options. */
import { commandNames as all, type CommandName, type Option } from "./option.js";

const destroy = ["destroy infra"] as const satisfies readonly CommandName[];
const changes = ["create infra", "destroy infra"] as const satisfies readonly CommandName[];
const live = ["create infra", "destroy infra", "show infra"] as const satisfies readonly CommandName[];

export const runOptions = [
  { key: "dryRun", flag: "--dry-run", kind: "switch", group: "safety", help: "show what would be done, by reads only", commands: changes },
  { key: "yes", flag: "--yes", short: "-y", kind: "switch", group: "safety", help: "do not ask", commands: changes, notInFile: true },
  {
    key: "preserveResourceGroup",
    flag: "--preserve-resource-group",
    kind: "switch",
    group: "safety",
    help: "delete what is ours inside the managed group and keep the group",
    commands: destroy,
  },
  {
    key: "deleteForeign",
    flag: "--delete-foreign",
    kind: "switch",
    group: "safety",
    help: "delete groups of ours with everything in them, also what others put there",
    commands: destroy,
    notInFile: true,
  },

  {
    key: "outputFile",
    flag: "--output-file",
    kind: "file",
    group: "output",
    help: "where to write what was made, as JSON that hypershift reads with --infra-json",
    commands: ["create infra"],
  },
  {
    key: "output",
    flag: "--output",
    short: "-o",
    kind: "choice",
    choices: ["text", "json"],
    default: "text",
    group: "output",
    help: "form of the result on standard output",
    commands: live,
  },
  {
    key: "format",
    flag: "--format",
    kind: "choice",
    choices: ["mermaid", "dot"],
    default: "mermaid",
    group: "output",
    help: "language of the graph",
    commands: ["graph"],
  },
  {
    key: "events",
    flag: "--events",
    kind: "file",
    group: "output",
    help: "file for events, one JSON object a line; - is standard output",
    commands: changes,
  },
  {
    key: "color",
    flag: "--color",
    kind: "choice",
    choices: ["auto", "always", "never"],
    default: "auto",
    group: "output",
    help: "colour in what people read",
    commands: all,
  },
  {
    key: "debug",
    flag: "--debug",
    kind: "switch",
    group: "output",
    help: "log every request to standard error, without secrets, and show stacks",
    commands: all,
  },

  {
    key: "config",
    flag: "--config",
    kind: "file",
    group: "run",
    help: "YAML or JSON file with any of these settings",
    commands: all,
    notInFile: true,
  },
  {
    key: "timeout",
    flag: "--timeout",
    kind: "duration",
    default: "60m",
    group: "run",
    help: "longest time for the whole run: 90s, 45m, 1h30m",
    commands: live,
  },
  {
    key: "concurrency",
    flag: "--concurrency",
    kind: "integer",
    default: "16",
    group: "run",
    help: "most steps at once, 1 to 64",
    commands: live,
  },
] as const satisfies readonly Option[];
