/** The commands for everything that a cluster needs. Part of the table of commands. */
import type { Command } from "../settings/command.js";
import { changes, creates, everywhere, identitySet, infrastructure, issuerPlace, madeIdentities } from "../settings/shared-options.js";

/** The options that define the resources, for create all and graph all. */
const whole = [...infrastructure, ...identitySet, ...madeIdentities, "managedHsmName", ...issuerPlace, "userTags", "issuerUpload"] as const;

export const commands = {
  "create all": {
    summary: "create the signing key, issuer, identities, infrastructure and roles in one run",
    description:
      "Creates everything that a hosted cluster needs, in parallel where possible, and writes every file that a HostedCluster needs " +
      "to --output-dir. After a failure, rerun it: it creates the missing resources and changes nothing else.",
    examples: [
      "aro-hcp create all --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns --output-dir demo",
      "aro-hcp create all --azure-creds creds.json --config cluster.yaml --output-dir demo",
    ],
    required: ["name", "infraId", "baseDomain", "dnsZoneRgName", "outputDir"],
    options: [...creates, ...whole, "changeIdentities", "changeEgress", "returnOwnRoles"],
  },
  "graph all": {
    summary: "print the graph of create all, as Mermaid or dot",
    description:
      "Prints the steps of create all with the same settings, and their dependencies. Sends no requests to Azure. The default names of the vault and " +
      "the storage account end in digits that depend on --subscription: pass it to see the real names.",
    examples: [
      "aro-hcp graph all --name demo --infra-id demo-x7k2 --base-domain example.com --dns-zone-rg-name dns --format dot | dot -Tsvg > graph.svg",
      "aro-hcp graph all --config cluster.yaml --enable-kms",
    ],
    required: ["name", "infraId", "baseDomain", "dnsZoneRgName"],
    options: [...everywhere, "subscription", "cloud", "location", ...whole, "outputDirOfGraph", "graphFormat"],
  },
  "destroy all": {
    summary: "delete the resources of create all",
    description:
      "Deletes the infrastructure, identities and issuer, but only resources that the cluster owns. Keeps the files and the signing key. " +
      "The vault and the applications stay soft-deleted for a while; --purge deletes them permanently.",
    examples: ["aro-hcp destroy all --cloud local --name demo --infra-id demo-x7k2 --purge"],
    required: ["name", "infraId"],
    options: [...changes, ...identitySet, ...issuerPlace, "identitiesJson", "purge", "deleteForeign"],
  },
} as const satisfies Readonly<Record<string, Command>>;
