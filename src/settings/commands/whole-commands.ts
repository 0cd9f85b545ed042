/** The commands for an issuer of service account tokens, and for everything that a cluster needs. Part of the table of commands. */
import { partsByCommand } from "../../domain/create-parts.js";
import type { Command } from "./command.js";
import { changes, creates, everywhere, identitySet, infrastructure, issuerPlace, madeIdentities, verifies } from "./shared-options.js";

/** The options that define the resources, for create all and graph all. */
const whole = [...infrastructure, ...identitySet, ...madeIdentities, "managedHsmName", ...issuerPlace, "userTags", "issuerUpload"] as const;

export const wholeCommands = {
  "create key-pair": {
    summary: "create the key pair that signs service account tokens",
    description:
      "Creates a 4096-bit RSA key in serviceaccount-signer.private, and its public key in serviceaccount-signer.public. Keeps an existing " +
      "private key and re-derives its public key. Sends no requests to Azure.",
    examples: ["aro-hcp create key-pair --output-dir keys"],
    options: [...everywhere, "keyPairDir", "output", "timeout"],
  },
  "create oidc-issuer": {
    summary: "publish the public key so that Entra trusts the cluster's tokens",
    description:
      "Creates a storage account with a container that anyone can read but nobody can list, publishes the discovery document and the key set in it, and " +
      "reads them as Entra does. A new key is added to the published ones; --retire-key removes one.",
    examples: [
      "aro-hcp create oidc-issuer --cloud local --name demo --public-key-file keys/serviceaccount-signer.public",
      "aro-hcp create oidc-issuer --azure-creds creds.json --name demo --storage-account-name demoissuer --output-dir keys",
    ],
    required: ["setName"],
    options: [
      ...creates,
      "identitiesName",
      ...issuerPlace,
      "userTags",
      "publicKeyFile",
      "retireKey",
      "issuerUpload",
      "outputDir",
      "returnOwnRoles",
    ],
  },
  "destroy oidc-issuer": {
    summary: "delete the resources of create oidc-issuer",
    description:
      "Deletes the storage account of the issuer, the role assignment on it, and its resource group if create oidc-issuer created it and it is empty.",
    examples: ["aro-hcp destroy oidc-issuer --cloud local --name demo"],
    required: ["setName"],
    options: [...changes, "identitiesName", ...issuerPlace],
  },
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
