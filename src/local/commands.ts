/** The commands that manage the emulator, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import { everywhere } from "../settings/shared-options.js";

export const commands = {
  "local serve": {
    summary: "run the emulator until interrupted, for any client",
    description:
      "Prints one line of JSON when ready: its addresses, its CA file, and the environment variables that direct clients to it. The emulator keeps " +
      "its state in a directory: ARO_HCP_LOCAL_DIR, or .aro-hcp/local in the home directory.",
    examples: ["aro-hcp local serve", "aro-hcp local serve --port 8443 --proxy-port 8080"],
    options: [...everywhere, "port", "proxyPort", "proxyAddress"],
  },
  "local env": {
    summary: "print the shell lines that direct any client to the running emulator",
    description:
      "Prints the lines that set the environment variables of `local serve`: a proxy that reaches only the emulator, and the CA to trust. The shell that " +
      "evaluates them keeps them until it ends.",
    examples: [
      'eval "$(aro-hcp local env)"',
      "aro-hcp local env --shell fish | source",
      "aro-hcp local env --shell powershell | Out-String | Invoke-Expression",
    ],
    options: [...everywhere, "shell"],
  },
  "local reset": {
    summary: "reset the emulator to its initial state",
    description: "Deletes everything that commands with --cloud local created. It does not ask.",
    examples: ["aro-hcp local reset"],
    options: [...everywhere, "yes"],
  },
  "local seed": {
    summary: "add resources, identities and role assignments to the emulator, from a JSON or YAML file",
    description: "Adds the contents of the file to the state of the emulator, or replaces them there.",
    examples: ["aro-hcp local seed resources.yaml"],
    argument: { name: "file", help: "JSON or YAML file", isRequired: true },
    options: [...everywhere],
  },
  "local status": {
    summary: "show the state of the emulator, sorted",
    description: "Lists the resources, and counts the role assignments and applications. As a document, prints the whole state.",
    examples: ["aro-hcp local status", "aro-hcp local status --output json"],
    options: [...everywhere, "output"],
  },
} as const satisfies Readonly<Record<string, Command>>;
