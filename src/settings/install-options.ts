/** The options that define the installation of HyperShift's operator. Part of the table of options. */
import type { Option } from "./option.js";

export const installOptions = {
  externalDnsCredentials: {
    key: "externalDnsCredentials",
    flag: "--external-dns-credentials",
    kind: "file",
    group: "identity",
    help: "credentials of the service principal that writes the records of hosted clusters: a file as for --azure-creds, or external-dns's azure.json",
  },
  pullSecret: {
    key: "pullSecret",
    flag: "--pull-secret",
    kind: "file",
    group: "identity",
    help: "pull secret of the images, as console.redhat.com offers it",
  },
  installKubeconfig: {
    key: "kubeconfig",
    flag: "--kubeconfig",
    kind: "file",
    group: "identity",
    help: "kubeconfig of the management cluster to install on; by default, the current context of kubectl is used",
  },
  plsClientId: {
    key: "azurePlsManagedIdentityClientId",
    flag: "--azure-pls-managed-identity-client-id",
    kind: "text",
    group: "identity",
    help: "client ID of the managed identity that manages private link services, with --private-platform Azure",
  },
  externalDnsDomainFilter: {
    key: "externalDnsDomainFilter",
    flag: "--external-dns-domain-filter",
    kind: "text",
    group: "network",
    help: "public DNS zone whose records external-dns manages; required with --external-dns-credentials",
  },
  externalDnsZoneGroup: {
    key: "dnsZoneRgName",
    flag: "--dns-zone-rg-name",
    kind: "text",
    group: "network",
    help: "resource group of the zone in --external-dns-domain-filter, if the credentials file does not name it",
  },
  sharedIngressIpTags: {
    key: "ingressIpTags",
    flag: "--ingress-ip-tags",
    kind: "text",
    group: "network",
    help: "IP tags of the shared ingress's address: type:tag,type:tag; default: those in the options of --management-cluster-json",
  },
  privatePlatform: {
    key: "privatePlatform",
    flag: "--private-platform",
    kind: "choice",
    choices: ["None", "Azure"],
    default: "None",
    group: "network",
    help: "platform on which the operator supports private hosted clusters",
  },
  plsGroup: {
    key: "azurePlsResourceGroup",
    flag: "--azure-pls-resource-group",
    kind: "text",
    group: "network",
    help: "resource group for private link services, with --private-platform Azure; default: the node resource group in --management-cluster-json",
  },
  hypershiftImage: {
    key: "hypershiftImage",
    flag: "--hypershift-image",
    kind: "text",
    group: "placement",
    help: "image of the operator; default: that of the hypershift CLI",
  },
  installOutputDir: {
    key: "outputDir",
    flag: "--output-dir",
    kind: "text",
    group: "output",
    help: "directory for the script and its secrets, created if missing; without it, the commands are printed",
  },
} as const satisfies Readonly<Record<string, Option>>;
