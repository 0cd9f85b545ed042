/** The commands about the program itself. */
import type { Command } from "../settings/command.js";
import { everywhere } from "../settings/shared-options.js";

export const commands = {
  init: {
    summary: "write a commented configuration file",
    description:
      "Writes a file for --config with what create all requires, sections for the commands that follow it, and every other setting as a comment, and " +
      "beside it the JSON Schema with which editors complete the file. Asks for missing values on a terminal; elsewhere, pass them as flags.",
    examples: [
      "aro-hcp init",
      "aro-hcp init --name demo --infra-id x7k2 --base-domain example.com --dns-zone-rg-name dns --output-dir demo --cloud local",
    ],
    options: [
      "color",
      "debug",
      "name",
      "infraId",
      "baseDomain",
      "dnsZoneRgName",
      "outputDir",
      "location",
      "cloud",
      "subscription",
      "azureCreds",
      "configOutputFile",
    ],
  },
  "show settings": {
    summary: "show the value of each setting of a command, and where it comes from",
    description:
      "Takes the flags of the named command, and shows its settings as that command would get them: from a flag, a variable, the configuration file, the " +
      "cluster itself, or the default. Reads the cluster's output file or its resources, as the command does. Changes nothing.",
    examples: [
      "aro-hcp show settings create infra --config cluster.yaml",
      "aro-hcp show settings verify infra --name demo --infra-id x7k2 --output json",
    ],
    argument: { name: "command", help: "words of the command: create infra", isRequired: true, isRepeated: true },
    options: [...everywhere, "output"],
  },
  schema: {
    summary: "print the JSON Schema of a file of aro-hcp",
    description: "Prints the schema of the document (JSON Schema 2020-12), or without a name the names of all documents.",
    examples: ["aro-hcp schema identities"],
    argument: { name: "document", help: "name of the document" },
    options: [...everywhere],
  },
  completion: {
    summary: "print the script that completes commands in a shell",
    description:
      "Prints a script for the shell. Tab then completes commands, flags, choices, locations, components, IDs of checks, and files. It sends no requests to " +
      "Azure. bash and zsh load the script as below; fish reads it from its folder of completions, and PowerShell from the profile.",
    examples: [
      "source <(aro-hcp completion bash)",
      "aro-hcp completion fish > ~/.config/fish/completions/aro-hcp.fish",
      "aro-hcp completion powershell | Out-String | Invoke-Expression",
    ],
    argument: { name: "shell", help: "name of the shell", choices: ["bash", "zsh", "fish", "powershell"], isRequired: true },
    options: [...everywhere],
  },
  version: {
    summary: "print the versions of aro-hcp, Node.js and Azure SDKs",
    description:
      "Prints the versions of aro-hcp, Node.js and the Azure SDK packages, for a bug report. `--output json` also has the version of the events format.",
    examples: ["aro-hcp version", "aro-hcp version --output json"],
    options: [...everywhere, "output"],
  },
  help: {
    summary: "print the help of a command, or of an error code",
    description: "Prints the same as --help after the command, or what the code of an error means and what to do.",
    examples: ["aro-hcp help create infra", "aro-hcp help create all --help-all", "aro-hcp help ARO-NET-001"],
    argument: { name: "command", help: "words of the command, or a code", isRepeated: true },
    options: [],
  },
} as const satisfies Readonly<Record<string, Command>>;
