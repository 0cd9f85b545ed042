/** The commands for the infrastructure of a cluster, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import {
  changes,
  creates,
  everywhere,
  existingCluster,
  identityFiles,
  infrastructure,
  reads,
  verifies,
} from "../settings/shared-options.js";

export const commands = {
  "create infra": {
    summary: "create the Azure infrastructure of a cluster",
    description:
      "Creates the resource groups, network, private DNS zone, public IP address and load balancer of a cluster, and with --assign-identity-roles " +
      "assigns its identities their roles. After a failure, rerun it: it creates the missing resources and changes nothing else.",
    examples: [
      "aro-hcp create infra --cloud local --name demo --infra-id x7k2 --base-domain hcp.example.com --dry-run",
      "aro-hcp create infra --azure-creds creds.json --name demo --infra-id x7k2 --base-domain example.com --output-file infra.json",
    ],
    required: ["name", "infraId", "baseDomain"],
    options: [
      ...creates,
      ...infrastructure,
      ...identityFiles,
      "workloadIdentitiesFile",
      "resourceGroupName",
      "assignIdentityRoles",
      "changeIdentities",
      "changeEgress",
      "outputFile",
    ],
    usual: [
      "location",
      "vnetCidr",
      "dnsZoneRgName",
      "managedIdentitiesFile",
      "assignIdentityRoles",
      "dryRun",
      "yes",
      "outputFile",
      "output",
    ],
  },
  "destroy infra": {
    summary: "delete the resources of create infra",
    description:
      "Deletes only resources that this cluster owns: those with its ownership tags and a name that it gives, its role assignments, and those that its Kubernetes created in " +
      "its resource groups. Lists and keeps existing resources that you passed, and resources of other owners.",
    examples: [
      "aro-hcp destroy infra --cloud local --name demo --infra-id x7k2",
      "aro-hcp destroy infra --azure-creds creds.json --infra-file infra.json --yes",
    ],
    options: [...changes, "name", "infraId", "infraFile", "resourceGroupName", "preserveResourceGroup", "deleteForeign"],
  },
  "adopt infra": {
    summary: "take over infrastructure that has no ownership tags",
    description:
      "Finds the resource groups and resources with the names of this cluster, such as those that the hypershift CLI created, and adds the " +
      "ownership tags to them. It changes nothing else, keeps all other tags, and refuses resources with tags of another owner. After that, create, show, " +
      "verify and destroy infra work on them. After a failure, rerun it.",
    examples: [
      "aro-hcp adopt infra --cloud local --name demo --infra-id x7k2 --dry-run",
      "aro-hcp adopt infra --azure-creds creds.json --name demo --infra-id x7k2 --resource-group-name shared",
    ],
    required: ["name", "infraId"],
    options: [...changes, "adoptedBaseDomain", "resourceGroupName"],
  },
  "show infra": {
    summary: "show the infrastructure of a cluster and its drift",
    description:
      "Reads every resource of create infra, and shows its state and its drift. The settings that the cluster was created with are read " +
      "from the output file or from what exists; flags override them. Read-only.",
    examples: [
      "aro-hcp show infra --cloud local --name demo --infra-id x7k2",
      "aro-hcp show infra --azure-creds creds.json --infra-file infra.json",
    ],
    options: [...reads, ...existingCluster, "assignIdentityRoles", "shownExitCode"],
    usual: ["name", "infraId", "infraFile", "location", "managedIdentitiesFile", "shownExitCode", "output"],
  },
  "verify infra": {
    summary: "check the infrastructure of a cluster for differences, and for problems that block a hosted cluster",
    description:
      "Compares every resource and property of create infra with Azure, and checks for problems that block a hosted cluster: locations, subnet, DNS, address " +
      "ranges, roles, locks. Reports each failed check with its reason and a fix. Read-only. Exits with 6 if a check failed, or with 3 " +
      "if there are only warnings.",
    examples: [
      "aro-hcp verify infra --cloud local --name demo --infra-id x7k2 --base-domain hcp.example.com",
      "aro-hcp verify infra --azure-creds creds.json --infra-file infra.json --only network-ranges,zone-overlap --output json",
    ],
    options: [...verifies, ...existingCluster, "inputDir", "clusterCidr", "serviceCidr"],
    usual: ["name", "infraId", "infraFile", "inputDir", "location", "dnsZoneRgName", "only", "verifyOutput"],
  },
  "graph infra": {
    summary: "print the steps of create infra, as Mermaid or dot",
    description: "Prints the steps of create infra with the same settings, and their dependencies. Sends no requests to Azure.",
    examples: ["aro-hcp graph infra --name demo --infra-id x7k2 --base-domain example.com --format dot | dot -Tsvg > graph.svg"],
    required: ["name", "infraId", "baseDomain"],
    options: [...everywhere, "subscription", "cloud", ...existingCluster, "inputDir", "assignIdentityRoles", "graphFormat"],
  },
} as const satisfies Readonly<Record<string, Command>>;
