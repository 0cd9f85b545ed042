/** What other tools call our commands: their words, answered with ours. */
import { commandIn, isCommand, subcommandsOf } from "../settings/commands.js";
import { nearest } from "../text/did-you-mean.js";

/** The keys are verbs of az, kubectl, Terraform or another tool. */
const verbs: Readonly<Record<string, string>> = {
  delete: "destroy",
  remove: "destroy",
  rm: "destroy",
  apply: "create",
  up: "create",
  plan: "create",
  get: "show",
  ls: "list",
  describe: "show",
  check: "verify",
  validate: "verify",
  import: "adopt",
};

/** What our nouns are called elsewhere. */
const nouns: Readonly<Record<string, string>> = {
  network: "infra",
  issuer: "oidc-issuer",
  keypair: "key-pair",
  kms: "encryption-key",
  dns: "dns-zone",
  zone: "dns-zone",
  aks: "management-cluster",
  everything: "all",
};

/** The command of the verb whose noun is nearest: of "create infrastructure", it is "create infra". Undefined without one. */
export function nearestNoun(verb: string, word: string): string | undefined {
  const own = subcommandsOf(verb);
  const longer = own.filter((noun) => word.startsWith(noun) || noun.startsWith(`${word}-`));
  const noun = nearest(word, own) ?? (longer.length === 1 ? longer[0] : nouns[word]);
  return noun !== undefined && own.includes(noun) ? `${verb} ${noun}` : undefined;
}

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
  const command =
    commandIn([ours, ...rest]) ?? nearestNoun(ours, rest[0] ?? "") ?? (isCommand(`${ours} all`) ? `${ours} all` : `${ours} --help`);
  return `use \`${command}${verb === "plan" ? " --dry-run" : ""}\``;
}

/** Flags of az and kubectl that no command has, each with what to do in its place. */
const flags: Readonly<Record<string, string>> = {
  "--no-wait": "every command waits for Azure; --timeout limits it",
  "--query": "with --output, a result is a document for jq",
  "--verbose": "--debug logs every request",
  "--only-show-errors": "results are on standard output, everything else on standard error",
  "--watch": "the progress is shown; --output-events writes it as events",
};

/** A clause without a period; undefined for flags that no other tool is known for. */
export function ourWordsForFlag(flag: string): string | undefined {
  return flags[flag];
}
