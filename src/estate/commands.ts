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
  budget: {
    summary: "show how many more clusters fit in each subscription and region",
    description:
      "Reads the limits that a cluster takes something of: role assignments, resource groups, zones, networks, addresses, storage accounts. " +
      "Shows which of them allows no more. Cores of nodes are not counted. Read-only. Exits with 8 if the use of a limit could not be read.",
    examples: ["aro-hcp budget --cloud local", "aro-hcp budget --azure-creds creds.json --location westus3 --output json"],
    options: [...everywhere, "azureCreds", "cloud", "timeout", "concurrency", "output", "subscriptions", "budgetLocation"],
  },
} as const satisfies Readonly<Record<string, Command>>;
