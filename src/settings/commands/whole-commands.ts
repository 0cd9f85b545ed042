/** The commands about an issuer of service-account tokens, and about all that a cluster needs at once. Part of the table of commands. */
import type { Command } from "./command.js";
import { changes, everywhere, identitySet, infrastructure, issuerPlace, madeIdentities, placement, reads } from "./shared-options.js";

export const wholeCommands = {
  "create key-pair": {
    summary: "make the key that signs service-account tokens",
    description:
      "Makes an RSA key of 4096 bits in serviceaccount-signer.private, and its public half in serviceaccount-signer.public. A private key that is " +
      "there already is kept, and its public half told from it again. Asks nothing of Azure.",
    examples: ["aro-hcp create key-pair --output-dir keys"],
    options: [...everywhere, "outputDir", "output", "timeout"],
  },
  "create oidc-issuer": {
    summary: "publish the public key, so that Entra trusts the cluster's tokens",
    description:
      "Makes a storage account with a container that everybody may read and nobody list, publishes discovery document and key set in it, and reads " +
      "them back as Entra will. A further key is published beside those that are; --retire-key takes one back.",
    examples: [
      "aro-hcp create oidc-issuer --cloud local --name demo --public-key-file keys/serviceaccount-signer.public",
      "aro-hcp create oidc-issuer --azure-creds creds.json --name demo --storage-account-name demoissuer --output-dir keys",
    ],
    required: ["name"],
    options: [...changes, ...issuerPlace, "userTags", "publicKeyFile", "retireKey", "outputDir"],
  },
  "destroy oidc-issuer": {
    summary: "remove what create oidc-issuer made",
    description:
      "Removes the storage account of the set, the role that was given on it, and the group where it was made for it and is empty.",
    examples: ["aro-hcp destroy oidc-issuer --cloud local --name demo"],
    required: ["name"],
    options: [...changes, ...issuerPlace],
  },
  "create all": {
    summary: "make signing key, issuer, identities, infrastructure and roles in one run",
    description:
      "Makes everything that a hosted cluster needs, side by side where nothing has to wait, and writes every file that a HostedCluster is made from " +
      "into --output-dir. Run it again after anything went wrong: it completes what is missing and changes nothing else.",
    examples: [
      "aro-hcp create all --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns --output-dir demo",
      "aro-hcp create all --azure-creds creds.json --config cluster.yaml --output-dir demo",
    ],
    required: ["name", "infraId", "baseDomain", "dnsZoneRgName", "outputDir"],
    options: [...changes, ...infrastructure, ...identitySet, ...madeIdentities, ...issuerPlace, "userTags"],
  },
  "destroy all": {
    summary: "remove what create all made",
    description:
      "Removes infrastructure, identities and issuer, each only where it is provably ours. Files and signing key stay where they are. " +
      "Azure keeps the vault and the applications recoverable for a while; --purge does away with them at once.",
    examples: ["aro-hcp destroy all --cloud local --name demo --infra-id demo-x7k2 --purge"],
    required: ["name", "infraId"],
    options: [...changes, ...identitySet, ...issuerPlace, "purge", "deleteForeign"],
  },
  doctor: {
    summary: "check what a create needs, before anything is made",
    description:
      "Looks at this machine, the sign-in and the subscription, and tells what a create with the same settings would fail for, why, and what to do. " +
      "Writes nothing, but for providers with --register. Exits with 6 where a check failed, with 3 where there are warnings only.",
    examples: [
      "aro-hcp doctor --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns",
      "aro-hcp doctor infra --azure-creds creds.json --config cluster.yaml --output json",
    ],
    word: { name: "what", help: "what is to be made: all (as where it is absent), infra, identities or oidc-issuer" },
    options: [
      ...reads,
      "location",
      "name",
      "infraId",
      "baseDomain",
      "resourceGroupName",
      ...placement,
      "egress",
      ...identitySet,
      "oidcResourceGroupName",
      "storageAccountName",
      "only",
      "register",
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;
