/** The commands for the workload identities of a self-managed control plane, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import { changes, creates, reads } from "../settings/shared-options.js";

export const commands = {
  "create iam": {
    summary: "create the workload identities of a self-managed cluster",
    description:
      "Creates a managed identity for each component of a cluster with a self-managed control plane, and lets it trust the tokens of the component's " +
      "service accounts, with the names of `hypershift create iam azure`. Writes the file that create infra, render hosted-cluster and hypershift read " +
      "as --workload-identities-file. After a failure, rerun it: it creates the missing resources and changes nothing else.",
    examples: [
      "aro-hcp create iam --cloud local --name demo --infra-id x7k2 --resource-group-name demo-iam --oidc-issuer-url https://issuer.example.com/demo",
      "aro-hcp create iam --azure-creds creds.json --name demo --infra-id x7k2 --resource-group-name iam --oidc-issuer-url https://... --output-file iam.json",
    ],
    required: ["name", "infraId", "iamGroup", "oidcIssuerUrl"],
    options: [...creates, "enableKms", "workloadIdentitiesOutputFile"],
  },
  "destroy iam": {
    summary: "delete the resources of create iam",
    description:
      "Deletes the workload identities of the cluster and their role assignments, and their resource group if create iam created it and it is empty. " +
      "Destroy the cluster's infrastructure first.",
    examples: ["aro-hcp destroy iam --cloud local --name demo --infra-id x7k2 --resource-group-name demo-iam"],
    required: ["name", "infraId", "iamGroup"],
    options: [...changes],
  },
  "adopt iam": {
    summary: "take over workload identities that have no ownership tags",
    description:
      "Finds the identities with the names of this cluster, such as those that `hypershift create iam azure` created, and adds the ownership tag to them. " +
      "It changes nothing else, keeps all other tags, and refuses identities with tags of another owner. After that, create, show and destroy iam work on " +
      "them. After a failure, rerun it.",
    examples: ["aro-hcp adopt iam --cloud local --name demo --infra-id x7k2 --resource-group-name demo-iam --dry-run"],
    required: ["name", "infraId", "iamGroup"],
    options: [...changes],
  },
  "show iam": {
    summary: "show the workload identities of a cluster and their drift",
    description: "Reads each identity and its federated identity credentials, and shows their state and their drift. Read-only.",
    examples: ["aro-hcp show iam --cloud local --name demo --infra-id x7k2 --resource-group-name demo-iam"],
    required: ["name", "infraId", "iamGroup"],
    options: [...reads, "location", "shownIssuerUrl", "enableKms", "shownExitCode"],
  },
} as const satisfies Readonly<Record<string, Command>>;
