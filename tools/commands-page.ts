/** docs/commands.md: each command with the names of its options, and each option once. */
import { usageText } from "../src/cli/help.js";
import { commandNames, commands, optionsOf, takes, type CommandName } from "../src/settings/commands.js";
import type { Command } from "../src/settings/command.js";
import { byGroup, variableOf, type Option } from "../src/settings/option.js";
import { optionNames, options, type OptionName } from "../src/settings/options.js";
import { anchor, capitalized, code, row } from "./markdown.js";

const columns = 120;

/** What people want, and the nouns of the commands for it. */
const nouns: Readonly<Record<string, RegExp>> = {
  "begin, and look at settings": /^(init|show settings|doctor|version|help|completion|schema)$/,
  "do everything for one cluster": / all$|^graph$/,
  "see and clean what all subscriptions have": /^(list|verify estate|budget|audit|sweep)$/,
  "do everything for many clusters": / (fleet|fleet-jobs)$/,
  "manage its infrastructure": / infra$/,
  "manage its identities and credentials": / (identities|credentials|secret-provider-classes)$/,
  "use managed identities in place of certificates": / iam$/,
  "encrypt etcd": / encryption-key$/,
  "publish an OIDC issuer": / (key-pair|oidc-issuer)$/,
  "manage DNS zones": / dns-zone$/,
  "write manifests": / (hosted-cluster|hypershift-install)$/,
  "run a management cluster": / management-cluster$/,
  "run a service cluster": / (service-cluster|ingress)$/,
  "connect a cluster to Azure Arc": / arc( |$)/,
  "run the emulator": /^local /,
};
const tasks = Object.entries(nouns).map(([task, pattern]) => ({ task, names: commandNames.filter((name) => pattern.test(name)) }));
const missing = commandNames.filter((name) => tasks.filter(({ names }) => names.includes(name)).length !== 1);
if (missing.length > 0) throw new Error(`in no task, or in several: ${missing.join(", ")}`);

export function commandsPage(): string {
  return `# Commands

A flag overrides its environment variable, which overrides the key of the \`--config\` file (YAML or JSON), which
overrides the default. Unknown keys are errors, and so are unknown variables that begin with \`ARO_HCP_\`. To pass
several values of a list or several tags, repeat the flag or separate them with commas. To turn a switch off, pass it
with \`--no-\`: \`--no-dry-run\`. Flags can stand before and after the words of the command.

For an existing cluster, the record of the choices that it was created with comes before the default
([files.md](files.md)). A section of the file has values for one command alone ([configuration.md](configuration.md)).

\`--help\` of a command leaves out options that a usual cluster does not need; \`--help-all\` lists all. Every command
also accepts the flags that select the Azure cloud and limit requests, and ignores those that it does not use.

\`aro-hcp completion SHELL\` prints a script for bash, zsh, fish or PowerShell, which completes commands, flags and
values. The npm package contains man pages: \`man aro-hcp-create-infra\`.

## By task

| I want to | commands |
| --- | --- |
${tasks.map(({ task, names }) => row([task, names.map((name) => `[${name}](#${anchor(`aro-hcp ${name}`)})`).join(", ")])).join("\n")}

${tasks.map(({ task, names }) => `## ${capitalized(task)}\n\n${names.map(commandSection).join("\n")}`).join("\n")}
## Options

A text is about every command with the flag, or about the commands that it names.

${byGroup(optionNames.map((name) => ({ name, group: options[name].group })))
  .map(({ heading, options: rows }) => groupSection(heading, rows))
  .join("\n")}`;
}

function commandSection(name: CommandName): string {
  const { summary }: Command = commands[name];
  const others = optionsOf(name).filter(({ isRequired }) => !isRequired);
  const lines = byGroup(others).flatMap((group) =>
    hanging(
      `  ${group.heading.padEnd(22)}`,
      group.options.map(({ flag }) => flag),
    ),
  );
  return `### aro-hcp ${name}

${capitalized(summary)}.

\`\`\`text
${[...hanging("", usageText(name)), ...lines].join("\n")}
\`\`\`
`;
}

/** Words after a head, further lines aligned with the first. */
function hanging(head: string, words: readonly string[]): string[] {
  const lines = [head];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length + 1 <= columns) lines[lines.length - 1] = `${line}${line === "" ? "" : " "}${word}`;
    else lines.push(`${" ".repeat(Math.max(head.length, 4))} ${word}`);
  }
  return lines;
}

function groupSection(heading: string, rows: readonly { readonly name: OptionName }[]): string {
  return `### ${heading}

| flag | variable | key | default | meaning |
| --- | --- | --- | --- | --- |
${rows.map(({ name }) => optionRow(name)).join("\n")}
`;
}

function optionRow(name: OptionName): string {
  const option: Option = options[name];
  const { flag, short, aliases = [], otherVariable, help, choices, key, notInFile } = option;
  const variables = [variableOf(option), otherVariable].filter((variable) => variable !== undefined);
  const where = mostUsed(flag) === name ? "" : `${commandNames.filter((command) => takes(command, name)).join(", ")}: `;
  return row([
    [short, flag, ...aliases]
      .filter((spelling) => spelling !== undefined)
      .map(code)
      .join(" "),
    variables.map(code).join(" "),
    notInFile === true ? "" : code(key),
    option.default === undefined ? "" : `${code(option.default)}${option.isLocalDefault === true ? " on the emulator" : ""}`,
    `${where}${choices === undefined ? help : `${help}: ${choices.map(code).join(", ")}`}`,
  ]);
}

/** Of the options with this flag, the one that most commands take. */
function mostUsed(flag: string): OptionName | undefined {
  const count = (name: OptionName) => commandNames.filter((command) => takes(command, name)).length;
  return optionNames.filter((name) => options[name].flag === flag).toSorted((a, b) => count(b) - count(a))[0];
}
