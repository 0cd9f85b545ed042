/** The commands for the extensions of connected clusters. Part of the table of commands. */
import type { Command } from "../../settings/commands/command.js";
import { changes, creates, reads } from "../../settings/commands/shared-options.js";

export const arcExtensionCommands = {
  "create arc-extension": {
    summary: "install an extension on a connected cluster: the Key Vault secrets provider, Azure Policy or another",
    description:
      "Creates the extension, or updates its settings, and waits until the agents have installed it. Reports the errors of a failed installation. " +
      "With --kubeconfig, refuses a Secrets Store CSI driver that is there already. A rerun changes nothing.",
    examples: [
      "aro-hcp create arc-extension --cloud local --name demo --extension-type key-vault --rotation-interval 2m",
      "aro-hcp create arc-extension --azure-creds creds.json --name demo --extension-type policy",
    ],
    required: ["name", "extensionType"],
    options: [
      ...creates,
      "arcGroupName",
      "extensionName",
      "releaseNamespace",
      "releaseTrain",
      "extensionVersion",
      "extensionSetting",
      "secretRotation",
      "rotationInterval",
      "syncSecrets",
      "extensionKubeconfig",
    ],
  },
  "show arc-extension": {
    summary: "show the extensions of a connected cluster, with their errors, and the compliance with its policies",
    description:
      "Shows state, versions, settings and problems of each extension, or of --extension-type or --extension-name. For Azure Policy, also the assignments that " +
      "apply to the cluster, and its compliance. Read-only.",
    examples: [
      "aro-hcp show arc-extension --cloud local --name demo",
      "aro-hcp show arc-extension --azure-creds creds.json --name demo --extension-type policy --output json",
    ],
    required: ["name"],
    options: [...reads, "arcGroupName", "extensionType", "extensionName"],
  },
  "destroy arc-extension": {
    summary: "remove an extension from a connected cluster",
    description:
      "Deletes the extension, which the agents then remove from the cluster. Custom resource definitions stay there. If the agents are not connected, " +
      "only --force-delete deletes it, and what it installed stays on the cluster.",
    examples: [
      "aro-hcp destroy arc-extension --cloud local --name demo --extension-type key-vault --yes",
      "aro-hcp destroy arc-extension --azure-creds creds.json --name demo --extension-name azurepolicy --force-delete",
    ],
    required: ["name"],
    options: [...changes, "arcGroupName", "extensionType", "extensionName", "forceDelete"],
  },
} as const satisfies Readonly<Record<string, Command>>;
