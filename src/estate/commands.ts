/** The texts of the commands about an estate. */
import type { Command } from "../settings/command.js";
import { everywhere } from "../settings/shared-options.js";
import { candidateKinds, sweptKinds } from "./domain/candidate.js";
import { kinds, verifiedKinds } from "./domain/finding.js";

const reads = [...everywhere, "azureCreds", "cloud", "timeout", "concurrency", "subscriptions"] as const;

export const commands = {
  list: {
    summary: "list clusters, identities and issuers, whoever made them",
    description:
      "Finds what aro-hcp, hypershift, ccoctl, the scripts of contrib, the installer, Cluster API and ARO made, in all subscriptions that you can see. " +
      "Read-only. Exits with 8 if a part could not be read: what is in it is unknown, and the rest is listed.",
    examples: ["aro-hcp list --cloud local", "aro-hcp list clusters --azure-creds creds.json --output json"],
    argument: { name: "kind", help: "what to list; default: all kinds", choices: kinds },
    options: [...reads, "output"],
  },
  budget: {
    summary: "show how many more clusters fit in each subscription and region",
    description:
      "Reads the limits that a cluster takes something of: role assignments, resource groups, zones, networks, addresses, storage accounts, " +
      "directory objects, vCPUs of its nodes. Shows which of them allows no more, and what a sweep would free, if you may read the directory. " +
      "Read-only. Exits with 8 if the use of a limit could not be read.",
    examples: ["aro-hcp budget --cloud local", "aro-hcp budget --azure-creds creds.json --location westus3 --output json"],
    options: [...reads, "output", "budgetLocation", "budgetNodes", "auditedInfraIds"],
  },
  audit: {
    summary: "show what nobody uses any more, with proofs and objections",
    description:
      "Finds role assignments, resource groups, zones, identities, applications and deleted vaults that aro-hcp, hypershift or ccoctl left. " +
      "Shows what proves it and what speaks against it. Read-only. Exits with 8 if something that decides could not be read.",
    examples: ["aro-hcp audit --cloud local", "aro-hcp audit role-assignments --azure-creds creds.json --infra-ids x7k2 --output json"],
    argument: { name: "kind", help: "what to look for; default: all kinds", choices: candidateKinds },
    options: [...reads, "output", "auditedInfraIds"],
  },
  sweep: {
    summary: "remove what nobody uses any more, only with two proofs",
    description:
      "Removes what audit shows as left over: a known tool made it, nobody uses it, and it is at least 24 hours old. " +
      "Looks twice, three minutes apart, and again right before each deletion. A journal has everything that was deleted.",
    examples: ["aro-hcp sweep --cloud local --dry-run", "aro-hcp sweep role-assignments --azure-creds creds.json --yes --max 100"],
    argument: { name: "kind", help: "what to remove; default: all kinds", choices: sweptKinds },
    options: [
      ...reads,
      ...["output", "dryRun", "plannedExitCode", "fullPlan", "yes"],
      ...["outputEvents", "outputReport", "outputTimings", "auditedInfraIds", "max", "purgeNames", "outputJournal", "undoFile"],
    ],
  },
  "verify estate": {
    summary: "check every cluster that aro-hcp made, in all subscriptions",
    description:
      "Runs verify infra, verify management-cluster, verify service-cluster and verify arc for whatever list finds of aro-hcp, many at once. Leaves out " +
      "identity sets, which verify identities checks with their files, zones and issuers. Read-only. Exits with the worst code.",
    examples: ["aro-hcp verify estate --cloud local", "aro-hcp verify estate clusters --azure-creds creds.json --output junit"],
    argument: { name: "kind", help: "what to verify; default: all kinds", choices: verifiedKinds },
    options: [...reads, "verifyOutput", "outputEvents", "outputReport"],
  },
} as const satisfies Readonly<Record<string, Command>>;
