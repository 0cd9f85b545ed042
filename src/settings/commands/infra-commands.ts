/** The commands about the infrastructure of a cluster. Part of the table of commands. */
import type { Command } from "./command.js";
import { changes, everywhere, identityFiles, infrastructure, reads } from "./shared-options.js";

export const infraCommands = {
  "create infra": {
    summary: "make the Azure infrastructure of a cluster",
    description:
      "Makes the resource groups, network, private DNS zone, public IP address and load balancer of a cluster, and with --assign-identity-roles " +
      "gives its identities their roles. Run it again after anything went wrong: it completes what is missing and changes nothing else.",
    examples: [
      "aro-hcp create infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dry-run",
      "aro-hcp create infra --azure-creds creds.json --name demo --infra-id demo-x7k2 --base-domain example.com --output-file infra.json",
    ],
    required: ["name", "infraId", "baseDomain"],
    options: [
      ...changes,
      ...infrastructure,
      ...identityFiles,
      "workloadIdentitiesFile",
      "resourceGroupName",
      "assignIdentityRoles",
      "outputFile",
    ],
  },
  "destroy infra": {
    summary: "remove what create infra made",
    description:
      "Removes what is provably this cluster's: by ownership tags, by role assignments whose name only it can have, and what its Kubernetes made in " +
      "its groups. What was brought, or belongs to others, is named and kept.",
    examples: [
      "aro-hcp destroy infra --cloud local --name demo --infra-id demo-x7k2",
      "aro-hcp destroy infra --azure-creds creds.json --infra-json infra.json --yes",
    ],
    options: [...changes, "name", "infraId", "infraJson", "resourceGroupName", "preserveResourceGroup", "deleteForeign"],
  },
  "show infra": {
    summary: "show what exists of a cluster's infrastructure, and where it differs",
    description:
      "Reads every resource that create infra would make, and tells its state and how it differs. The choices that the cluster was made with are read " +
      "from the output file or from the cluster's tags; a flag goes before them. Writes nothing.",
    examples: [
      "aro-hcp show infra --cloud local --name demo --infra-id demo-x7k2",
      "aro-hcp show infra --azure-creds creds.json --infra-json infra.json",
    ],
    options: [
      ...reads,
      "name",
      "infraId",
      "baseDomain",
      "infraJson",
      "location",
      ...infrastructure,
      ...identityFiles,
      "workloadIdentitiesFile",
      "resourceGroupName",
      "assignIdentityRoles",
    ],
  },
  "verify infra": {
    summary: "check the infrastructure of a cluster, and what would block a hosted cluster on it",
    description:
      "Compares every resource and property of create infra with Azure, and looks for what stalls a hosted cluster: locations, subnet, DNS, address " +
      "ranges, roles, locks.\nTells every check that does not hold, why, and what to do. Writes nothing. Exits with 6 where a check failed, with 3 " +
      "where there are warnings only.",
    examples: [
      "aro-hcp verify infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com",
      "aro-hcp verify infra --azure-creds creds.json --infra-json infra.json --only network-ranges,zone-overlap --output json",
    ],
    options: [
      ...reads,
      "location",
      "name",
      "infraId",
      "baseDomain",
      "infraJson",
      "inputDir",
      "resourceGroupName",
      ...infrastructure,
      ...identityFiles,
      "workloadIdentitiesFile",
      "clusterCidr",
      "serviceCidr",
      "only",
    ],
  },
  graph: {
    summary: "draw the graph of steps, or the flow of the identities, as mermaid or dot",
    description:
      "Draws what create infra would make with the same settings, and what waits for what. Asks nothing of Azure.\n" +
      "With --flow it draws from which secret or token each pod has its identity, and with which role that works on what, as the files tell it: " +
      "names that they do not tell are those that create all gives.",
    examples: [
      "aro-hcp graph --name demo --infra-id demo-x7k2 --base-domain example.com --format dot | dot -Tsvg > graph.svg",
      "aro-hcp graph --flow --input-dir demo",
      "aro-hcp graph --flow --managed-identities-file identities.json --name demo --infra-id demo-x7k2 --dns-zone-rg-name dns",
    ],
    options: [
      ...everywhere,
      "subscription",
      "cloud",
      "location",
      "name",
      "infraId",
      "baseDomain",
      "infraJson",
      "inputDir",
      "resourceGroupName",
      ...infrastructure,
      ...identityFiles,
      "workloadIdentitiesFile",
      "assignIdentityRoles",
      "oidcIssuerUrl",
      "encryptionKeyId",
      "flow",
      "graphFormat",
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;
