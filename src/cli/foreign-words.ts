/** What other tools call our commands: their words, answered with ours. */
import { commandIn, isCommand } from "../settings/commands.js";

/** The keys are verbs of az, kubectl, Terraform or another tool. */
const verbs: Readonly<Record<string, string>> = {
  delete: "destroy",
  remove: "destroy",
  rm: "destroy",
  apply: "create",
  up: "create",
  plan: "create",
  get: "show",
  list: "show",
  ls: "show",
  describe: "show",
  check: "verify",
  validate: "verify",
  import: "adopt",
};

const clusterCommands = "`create all` creates what a cluster needs in Azure, and `render hosted-cluster` prints its HostedCluster";

/** A sentence without a period; undefined for words that no other tool is known for. */
export function ourWordsFor(words: readonly string[]): string | undefined {
  const [verb = "", ...rest] = words;
  if (verb === "login" || verb === "logout") return "sign in with az login, or pass --azure-creds";
  // Of hypershift and of az: `create cluster azure`, `aro create`.
  if (/^(?:create|destroy|delete) (?:hosted-?)?cluster\b/.test(words.join(" ")))
    return verb === "create" ? clusterCommands : "`destroy all` deletes what `create all` made; delete its HostedCluster first";
  const ours = verbs[verb];
  if (ours === undefined) return undefined;
  const command = commandIn([ours, ...rest]) ?? (isCommand(`${ours} all`) ? `${ours} all` : `${ours} --help`);
  return `use \`${command}${verb === "plan" ? " --dry-run" : ""}\``;
}
