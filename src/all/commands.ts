/** The commands for everything that a cluster needs, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import {
  changes,
  creates,
  everywhere,
  existingCluster,
  identityChecks,
  identityFiles,
  identitySet,
  infrastructure,
  issuerPlace,
  madeIdentities,
  reads,
  verifies,
} from "../settings/shared-options.js";

/** The options that define the resources, for create all and graph. */
const whole = [...infrastructure, ...identitySet, ...madeIdentities, "managedHsmName", ...issuerPlace, "userTags", "issuerUpload"] as const;

export const commands = {
  "create all": {
    summary: "create the signing key, issuer, identities, infrastructure and roles in one run",
    description:
      "Creates everything that a hosted cluster needs, in parallel where possible, and writes every file that a HostedCluster needs " +
      "to --output-dir. After a failure, rerun it: it creates the missing resources and changes nothing else.",
    examples: [
      "aro-hcp create all --cloud local --name demo --infra-id x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns --output-dir demo",
      "aro-hcp create all --azure-creds creds.json --config cluster.yaml --output-dir demo",
    ],
    required: ["name", "infraId", "baseDomain", "dnsZoneRgName", "outputDir"],
    options: [...creates, ...whole, "changeIdentities", "changeEgress", "returnOwnRoles"],
    usual: ["location", "identitiesName", "vnetCidr", "egress", "dryRun", "yes", "output"],
  },
  "show all": {
    summary: "show the infrastructure and the identities of a cluster, and their drift",
    description:
      "Shows what show infra and show identities show, of one cluster. The settings that the cluster was created with are read from the output file or " +
      "from what exists; flags override them. Exits with 3 if a credential expires soon (--warn-days). Read-only.",
    examples: [
      "aro-hcp show all --cloud local --name demo --infra-id x7k2",
      "aro-hcp show all --azure-creds creds.json --infra-file demo/infra.json",
    ],
    options: [
      ...reads,
      ...existingCluster,
      "assignIdentityRoles",
      "identitiesName",
      "persistentResourceGroupName",
      "keyVaultName",
      "setVaultId",
      "warnDays",
      "shownExitCode",
    ],
    usual: ["name", "infraId", "infraFile", "identitiesName", "persistentResourceGroupName", "warnDays", "shownExitCode", "output"],
  },
  "verify all": {
    summary: "check the infrastructure and the identities of a cluster",
    description:
      "Makes the checks of verify infra and verify identities, with the files that create all wrote. Reports each failed check with its reason and a fix. " +
      "Read-only. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp verify all --cloud local --input-dir demo",
      "aro-hcp verify all --azure-creds creds.json --input-dir demo --management-cluster-file mgmt.json --kubeconfig mgmt.kubeconfig",
    ],
    required: ["inputDir"],
    options: [...verifies, ...existingCluster, "clusterCidr", "serviceCidr", ...identityChecks],
    usual: ["name", "infraId", "managementClusterFile", "kubeconfig", "only", "verifyOutput"],
  },
  graph: {
    summary: "print steps, or the identity flow, as Mermaid or dot",
    description:
      "Prints the steps of create all with the same settings, and their dependencies. Sends no requests to Azure. The default names of vault and " +
      "storage account depend on --subscription. " +
      "With --result-file, prints the steps of any create or destroy, with what is planned or how each ended. A dry run has their states in Azure. " +
      "With --flow, prints how each pod gets its identity from a secret or token, and the roles and scopes of that identity, from the files: " +
      "missing names are the defaults of create all.",
    examples: [
      "aro-hcp graph --name demo --infra-id x7k2 --base-domain example.com --dns-zone-rg-name dns --format dot | dot -Tsvg > graph.svg",
      "aro-hcp graph --result-file plan.json",
      "aro-hcp graph --flow --input-dir demo",
      "aro-hcp graph --flow --managed-identities-file identities.json --name demo --infra-id x7k2 --dns-zone-rg-name dns",
    ],
    options: [
      ...everywhere,
      "subscription",
      "cloud",
      "location",
      "name",
      "infraId",
      "baseDomain",
      ...whole,
      "outputDirOfGraph",
      "infraFile",
      "inputDir",
      ...identityFiles,
      "workloadIdentitiesFile",
      "resourceGroupName",
      "oidcIssuerUrl",
      "encryptionKeyId",
      "flow",
      "resultFile",
      "graphFormat",
    ],
    usual: ["name", "infraId", "inputDir", "identitiesName", "flow", "resultFile"],
  },
  "destroy all": {
    summary: "delete the resources of create all",
    description:
      "Deletes the infrastructure, identities and issuer, but only resources that the cluster owns. Keeps the files and the signing key. " +
      "The vault and the applications stay soft-deleted for a while; --purge deletes them permanently.",
    examples: ["aro-hcp destroy all --cloud local --name demo --infra-id x7k2 --purge"],
    required: ["name", "infraId"],
    options: [...changes, ...identitySet, ...issuerPlace, "identitiesFile", "purge", "deleteForeign"],
  },
} as const satisfies Readonly<Record<string, Command>>;
