/** The texts of the commands about an estate. */
import type { Command } from "../settings/command.js";
import { everywhere } from "../settings/shared-options.js";
import { kinds } from "./finding.js";

export const commands = {
  list: {
    summary: "list clusters, identities and issuers of all subscriptions, whoever made them",
    description:
      "Finds what aro-hcp, hypershift, ccoctl, the scripts of contrib, the installer, Cluster API and ARO made, in all subscriptions that you can see. " +
      "Read-only. Exits with 8 if a part could not be read: what is in it is unknown, and the rest is listed.",
    examples: ["aro-hcp list --cloud local", "aro-hcp list clusters --azure-creds creds.json --output json"],
    argument: { name: "kind", help: "what to list; default: all kinds", choices: kinds },
    options: [...everywhere, "azureCreds", "cloud", "timeout", "concurrency", "output", "subscriptions"],
  },
} as const satisfies Readonly<Record<string, Command>>;
