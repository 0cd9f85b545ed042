/** The command that checks what a create needs. Part of the table of commands. */
import { partsByCommand } from "../domain/create-parts.js";
import type { Command } from "../settings/commands/command.js";
import { identitySet, infrastructure, verifies } from "../settings/commands/shared-options.js";

export const doctorCommand = {
  doctor: {
    summary: "check the prerequisites of create before creating anything",
    description:
      "Checks this machine, the sign-in and the subscription, and reports each problem that would fail create with the same settings, with its reason and a fix. " +
      "Read-only, except that --register registers resource providers. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp doctor --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns",
      "aro-hcp doctor infra --azure-creds creds.json --config cluster.yaml --output json",
    ],
    argument: { name: "what", help: "create command to check; default: all", choices: Object.keys(partsByCommand) },
    options: [
      ...verifies,
      "location",
      "clusterOrSetName",
      "infraId",
      "baseDomain",
      "resourceGroupName",
      ...infrastructure,
      ...identitySet,
      "oidcResourceGroupName",
      "storageAccountName",
      "register",
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;
