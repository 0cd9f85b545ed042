/** Writes a new configuration file, with each unset setting of `create all` as a comment. */
import { stringify } from "yaml";
import { optionsOf, type CommandOption } from "../settings/commands.js";
import { byGroup } from "../settings/option.js";

export interface NewConfigFile {
  /** The path of the file, for the commands in its comments. */
  readonly path: string;
  /** The path of the schema beside it, relative to the file. */
  readonly schema: string;
  /** The keys are those of options. */
  readonly values: Readonly<Record<string, string | undefined>>;
  /** The output directory of `create all`, which other commands read. */
  readonly outputDir: string;
}

export function configFileText({ path, schema, values, outputDir }: NewConfigFile): string {
  const options = optionsOf("create all").filter(({ key, notInFile }) => notInFile !== true && key !== "outputDir");
  const chosen = options.filter(({ key }) => values[key] !== undefined);
  const others = byGroup(options.filter((option) => !chosen.includes(option))).flatMap((group) => group.options);
  return [
    `# yaml-language-server: $schema=${schema}`,
    `# Settings of aro-hcp: pass this file to each command with --config ${path}. A variable or a flag takes precedence.`,
    `# aro-hcp show settings create all --config ${path} shows each value and where it comes from.`,
    "",
    ...chosen.flatMap((option) => [`# ${option.help}`, yamlOf(option.key, values[option.key])]),
    "",
    "# Values for one command alone, which take precedence over those for every command.",
    yamlOf("create all", { outputDir }),
    ...["verify all", "verify identities", "verify infra", "render hosted-cluster"].map((command) =>
      yamlOf(command, { inputDir: outputDir }),
    ),
    "",
    "# The other settings of create all, with their defaults. To set one, remove the # before it.",
    ...others.flatMap((option) => ["#", `# ${helpOf(option)}`, `# ${option.key}: ${option.default ?? ""}`.trimEnd()]),
    "",
  ].join("\n");
}

function helpOf({ help, choices }: CommandOption): string {
  return choices === undefined ? help : `${help}: ${choices.join(", ")}`;
}

function yamlOf(key: string, value: unknown): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
}
