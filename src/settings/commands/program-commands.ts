/** The commands about the program itself. Part of the table of commands. */
import type { Command } from "./command.js";
import { everywhere } from "./shared-options.js";

export const programCommands = {
  completion: {
    summary: "print the script that completes commands, flags and values in a shell",
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
    summary: "print the versions of aro-hcp, Node.js and the Azure SDK packages",
    description:
      "Prints the versions of aro-hcp, Node.js and the Azure SDK packages, for a bug report. `--output json` also has the version of the events format.",
    examples: ["aro-hcp version", "aro-hcp version --output json"],
    options: [...everywhere, "output"],
  },
  help: {
    summary: "print the help of a command",
    description: "Prints the same as --help after the command.",
    examples: ["aro-hcp help create infra", "aro-hcp help create all --help-all"],
    argument: { name: "command", help: "words of the command", isRepeated: true },
    options: [],
  },
} as const satisfies Readonly<Record<string, Command>>;
