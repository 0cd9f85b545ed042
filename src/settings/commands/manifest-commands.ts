/** The commands that print manifests and schemas. Part of the table of commands. */
import type { Command } from "./command.js";
import { everywhere, identityFiles, manifests } from "./shared-options.js";

export const manifestCommands = {
  "render secret-provider-classes": {
    summary: "print the SecretProviderClasses that mount the credentials in control plane pods",
    description:
      "Prints one SecretProviderClass for each identity of the control plane, as HyperShift's operators create them, to compare, or to apply before\n" +
      "the operators run. --management-cluster-json has the client ID of the identity that the AKS add-on mounts secrets with. For another AKS cluster, " +
      "pass --key-vault-user-client-id:\n" +
      "az aks show --query addonProfiles.azureKeyvaultSecretsProvider.identity.clientId" +
      "\nSends no requests to Azure.",
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
    summary: "print the part of a HostedCluster that depends on its infrastructure, identities and issuer",
    description:
      "Prints a HostedCluster with all values from the files, after validating them by the rules of its API. Missing and invalid values are\n" +
      "reported together, with file and line. Add release, pull secret, networking, services and etcd yourself. The signing key is never printed:\n" +
      "standard error shows the kubectl command that creates its Secret from the file. Sends no requests to Azure.",
    examples: [
      "aro-hcp render hosted-cluster --infra-json demo/infra.json --oidc-issuer-url https://demo.blob.core.windows.net/demo > hc.yaml",
      "aro-hcp render hosted-cluster --infra-json infra.json --managed-identities-file ids.json --oidc-issuer-url https://... --encryption-key-id https://...",
    ],
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
      ...manifests,
    ],
  },
  "render hypershift-install": {
    summary: "print the commands that install HyperShift's operator on a management cluster",
    description:
      "Prints the kubectl and hypershift commands that install the operator for ARO HCP, with the client ID, tags and groups from the output file of\n" +
      "create management-cluster. With --output-dir, writes them as a script, and the secrets that it passes to hypershift as files that only\n" +
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
      "Prints the annotations that put the gateway of AKS's Istio add-on at its address, an Istio Gateway and a VirtualService for each hostname, and\n" +
      "the SecretProviderClass of the TLS certificate with a Deployment that mounts it. With an address of the operators, also a Gateway of the\n" +
      "Gateway API and its HTTPRoutes. The settings that the cluster was created with are read from --service-cluster-json; flags override them.\n" +
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
  schema: {
    summary: "print the JSON Schema of a file that aro-hcp reads or writes",
    description: "Prints the schema of the document (JSON Schema 2020-12), or without a name the names of all documents.",
    examples: ["aro-hcp schema identities"],
    argument: { name: "document", help: "name of the document" },
    options: [...everywhere],
  },
} as const satisfies Readonly<Record<string, Command>>;
