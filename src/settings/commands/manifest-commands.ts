/** The commands that print manifests and schemas. Part of the table of commands. */
import type { Command } from "./command.js";
import { everywhere, hostedClusterChoices, identityFiles, manifests } from "./shared-options.js";

export const manifestCommands = {
  "render secret-provider-classes": {
    summary: "print the SecretProviderClasses that mount the credentials in control plane pods",
    description:
      "Prints one SecretProviderClass for each identity of the control plane, as HyperShift's operators create them, to compare, or to apply before " +
      "the operators run. --management-cluster-json has the client ID of the identity that the AKS add-on mounts secrets with. For another AKS cluster, " +
      "pass --key-vault-user-client-id: the property addonProfiles.azureKeyvaultSecretsProvider.identity.clientId of the cluster. Sends no requests to " +
      "Azure.",
    examples: [
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --management-cluster-json mgmt.json | kubectl apply -f -",
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --key-vault-user-client-id 1f0e... --format json --output-file classes.json",
    ],
    options: [
      ...everywhere,
      "name",
      "keyVaultUserClientId",
      "managementClusterJson",
      "inputDir",
      "managedIdentitiesFile",
      "disableClusterCapabilities",
      "namespace",
      "kmsCredentialsSecretName",
      ...manifests,
    ],
  },
  "render hosted-cluster": {
    summary: "print the manifests of a hosted cluster: HostedCluster, NodePools and Namespace, and write their Secrets",
    description:
      "Prints the manifests that `hypershift create cluster azure --render` prints, with all values from the files, after validating them by the rules " +
      "of HyperShift's API. Missing and invalid values are reported together, with file and line. Secrets are never printed: standard error shows " +
      "the kubectl commands that create them. With --output-dir, all manifests and their Secrets are written for kubectl apply -k; only their owner " +
      "can read the Secrets. Sends no requests to Azure.",
    examples: [
      "aro-hcp render hosted-cluster --input-dir demo --release-image quay.io/... > hosted-cluster.yaml",
      "aro-hcp render hosted-cluster --input-dir demo --release-image quay.io/... --pull-secret pull-secret.json --node-pool-replicas 2 --output-dir manifests",
    ],
    required: ["releaseImage"],
    options: [
      ...everywhere,
      "azureCreds",
      "managementClusterJson",
      "name",
      "infraJson",
      "inputDir",
      ...identityFiles,
      "workloadIdentitiesFile",
      "disableClusterCapabilities",
      "oidcIssuerUrl",
      "namespace",
      "kmsCredentialsSecretName",
      "encryptionKeyId",
      "backupEncryptionKeyId",
      "signingKeyFile",
      "pullSecret",
      "sshKey",
      ...hostedClusterChoices,
      ...manifests,
      "kustomizationDir",
    ],
  },
  "render hypershift-install": {
    summary: "print the commands that install HyperShift's operator on a management cluster",
    description:
      "Prints the kubectl and hypershift commands that install the operator for ARO HCP, with the client ID, tags and groups from the output file of " +
      "create management-cluster. With --output-dir, writes them as a script, and the secrets that it passes to hypershift as files that only " +
      "their owner can read. Sends no requests to Azure.",
    examples: [
      "aro-hcp render hypershift-install --management-cluster-json management-cluster.json --pull-secret pull-secret.json",
      "aro-hcp render hypershift-install --management-cluster-json management-cluster.json --external-dns-credentials zone.json " +
        "--external-dns-domain-filter hcp.example.com --dns-zone-rg-name zones --output-dir install",
    ],
    options: [
      ...everywhere,
      "managementClusterJson",
      "keyVaultUserClientId",
      "installKubeconfig",
      "externalDnsCredentials",
      "externalDnsDomainFilter",
      "externalDnsZoneGroup",
      "pullSecret",
      "hypershiftImage",
      "sharedIngressIpTags",
      "privatePlatform",
      "plsGroup",
      "plsClientId",
      "installOutputDir",
    ],
  },
  "render ingress": {
    summary: "print the manifests of a service cluster's ingress: gateways, routes and TLS secret",
    description:
      "Prints the annotations that put the gateway of AKS's Istio add-on at its address, an Istio Gateway and a VirtualService for each hostname, and " +
      "the SecretProviderClass of the TLS certificate with a Deployment that mounts it. With an address of the operators, also a Gateway of the " +
      "Gateway API and its HTTPRoutes. The settings that the cluster was created with are read from --service-cluster-json; flags override them. " +
      "Sends no requests to Azure.",
    examples: [
      "aro-hcp render ingress --service-cluster-json service-cluster.json | kubectl apply --server-side -f -",
      "aro-hcp render ingress --service-cluster-json service-cluster.json --ops-backend admin=admin-api.aro-hcp:8443 --output-dir manifests",
    ],
    required: ["serviceClusterJson"],
    options: [
      ...everywhere,
      "regionalZone",
      "ingressHost",
      "opsHost",
      "ingressBackend",
      "opsBackend",
      "certificateVaultId",
      "certificateName",
      ...manifests,
      "manifestDir",
    ],
  },
  init: {
    summary: "write a commented configuration file",
    description:
      "Writes a file for --config with what create all requires, sections for the commands that follow it, and every other setting as a comment, and " +
      "beside it the JSON Schema with which editors complete the file. Asks for missing values on a terminal; elsewhere, pass them as flags.",
    examples: [
      "aro-hcp init",
      "aro-hcp init --name demo --infra-id demo-x7k2 --base-domain example.com --dns-zone-rg-name dns --output-dir demo --cloud local",
    ],
    options: [
      "color",
      "debug",
      "name",
      "infraId",
      "baseDomain",
      "dnsZoneRgName",
      "outputDir",
      "location",
      "cloud",
      "subscription",
      "azureCreds",
      "configOutputFile",
    ],
  },
  "show settings": {
    summary: "show the value of each setting of a command, and where it comes from",
    description:
      "Takes the flags of the named command, and shows its settings as that command would get them: from a flag, a variable, the configuration file, the " +
      "record of the cluster, or the default. Reads the record from the cluster's output file or its tags, as the command does. Changes nothing.",
    examples: [
      "aro-hcp show settings create infra --config cluster.yaml",
      "aro-hcp show settings verify infra --name demo --infra-id demo-x7k2 --output json",
    ],
    argument: { name: "command", help: "words of the command: create infra", isRequired: true, isRepeated: true },
    options: [...everywhere, "output"],
  },
  schema: {
    summary: "print the JSON Schema of a file that aro-hcp reads or writes",
    description: "Prints the schema of the document (JSON Schema 2020-12), or without a name the names of all documents.",
    examples: ["aro-hcp schema identities"],
    argument: { name: "document", help: "name of the document" },
    options: [...everywhere],
  },
} as const satisfies Readonly<Record<string, Command>>;
