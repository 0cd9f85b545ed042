/** The Azure resource types: one row with all facts for each, for the steps, titles, removal, verification and doctor. */
import type { GroupKind, Part } from "./create-parts.js";
import { outboundNames } from "./egress.js";
import type { InfraNames } from "./names.js";

/** To add a type, add a row here and the step that creates it. `test/steps/catalogue.test.ts` names what is missing. */
export interface ResourceType {
  /** As Azure spells it; a child has the path of its parent. */
  readonly type: string;
  /** Singular name, for titles and messages. */
  readonly label: string;
  /** Plural name, if that is not `label` with an "s". */
  readonly plural?: string;
  /** The rows that may refer to it. Those resources are deleted first; otherwise Azure refuses. */
  readonly heldBy: readonly string[];
  /** The `az` command group whose `update` rewrites a resource without changes. The default is `resource`. */
  readonly az?: string;
  /** Lists of named parts that others may add to. */
  readonly parts?: readonly string[];
  /** The operation group of the SDK's client. The build omits those that no row has. */
  readonly sdk?: SdkOperations;
  /** Azure bills it by time, also while nothing uses it: a plan that creates it says so. */
  readonly isBilledIdle?: true;
  /** How a create uses it; absent if only others create it and a destroy may find it. */
  readonly use?: ResourceUse;
}

export interface SdkOperations {
  readonly package: `@azure/arm-${string}`;
  readonly group: string;
}

export interface ResourceUse {
  /** ID of the step that creates or reads it, or the common prefix or suffix of several step IDs. */
  readonly step: string;
  /** The part of a create that uses it; for `several`, `required-actions.ts` lists them. */
  readonly part: Part | "several";
  readonly group: GroupKind | "several";
  /** The step's operations in the terms of Azure RBAC. A step that creates it has `write`. */
  readonly verbs: readonly ResourceVerb[];
  /** Further actions that the step needs on the subscription. */
  readonly subscriptionActions?: readonly string[];
  readonly location: "regional" | "global";
  /** For regional types: the API of the provider with the usage of the region's limit, or `not published`. */
  readonly quota?: RegionalQuota | "not published";
  /** A management or service cluster uses it too, in its own group. */
  readonly alsoByAks?: true;
  /** The names that a cluster may give its own: they and the group prove whose it is. `cluster-resource.ts` has those of private zones. */
  readonly names?: (names: InfraNames) => readonly string[];
  /** The flag for an existing resource. */
  readonly existingFlag?: `--${string}`;
}

/** A reference to another resource needs `join/action`: from a load balancer to an address, from a link to a network. */
export type ResourceVerb = "read" | "write" | "join/action";

export interface RegionalQuota {
  /** Names in the usage list of a region. Not every region lists all of them. */
  readonly names: readonly string[];
  /** API version of the usage list. */
  readonly apiVersion: string;
}

function networkQuota(...names: readonly string[]): RegionalQuota {
  return { names, apiVersion: "2024-10-01" };
}

function inNetwork<const Group extends string>(group: Group) {
  return { package: "@azure/arm-network", group } as const;
}

const group = {
  resourceGroup: {
    type: "Microsoft.Resources/resourceGroups",
    label: "resource group",
    heldBy: [],
    sdk: { package: "@azure/arm-resources", group: "resourceGroups" },
    use: {
      step: "group",
      part: "several",
      group: "several",
      verbs: ["read", "write"],
      location: "regional",
      quota: "not published",
      existingFlag: "--resource-group-name",
    },
  },
  roleAssignment: {
    type: "Microsoft.Authorization/roleAssignments",
    label: "role assignment",
    heldBy: [],
    sdk: { package: "@azure/arm-authorization", group: "roleAssignments" },
    use: { step: "role", part: "several", group: "several", verbs: ["read", "write"], location: "global" },
  },
} as const satisfies Record<string, ResourceType>;

const network = {
  virtualNetwork: {
    type: "Microsoft.Network/virtualNetworks",
    label: "virtual network",
    heldBy: [
      ...["virtualMachineScaleSet", "loadBalancer", "networkInterface", "privateEndpoint", "privateLinkService"],
      "virtualNetworkLink",
      "managedCluster",
    ],
    az: "network vnet",
    parts: ["subnets"],
    sdk: inNetwork("virtualNetworks"),
    use: {
      step: "vnet",
      part: "infra",
      group: "vnet",
      names: ({ vnet }) => [vnet],
      verbs: ["read", "write", "join/action"],
      location: "regional",
      quota: networkQuota("VirtualNetworks"),
      alsoByAks: true,
      existingFlag: "--vnet-id",
    },
  },
  networkSecurityGroup: {
    type: "Microsoft.Network/networkSecurityGroups",
    label: "network security group",
    heldBy: ["networkInterface", "virtualNetwork"],
    az: "network nsg",
    parts: ["securityRules"],
    sdk: inNetwork("networkSecurityGroups"),
    use: {
      step: "nsg",
      part: "infra",
      group: "nsg",
      names: ({ nsg }) => [nsg],
      verbs: ["read", "write", "join/action"],
      location: "regional",
      quota: networkQuota("NetworkSecurityGroups"),
      alsoByAks: true,
      existingFlag: "--network-security-group-id",
    },
  },
  publicIpAddress: {
    type: "Microsoft.Network/publicIPAddresses",
    label: "public IP address",
    plural: "public IP addresses",
    isBilledIdle: true,
    heldBy: ["loadBalancer", "natGateway", "networkInterface", "managedCluster"],
    az: "network public-ip",
    sdk: inNetwork("publicIPAddresses"),
    use: {
      step: "public-ip",
      part: "infra",
      group: "managed",
      names: ({ publicIp, natPublicIp }) => [...outboundNames(publicIp), ...outboundNames(natPublicIp)],
      verbs: ["read", "write", "join/action"],
      location: "regional",
      quota: networkQuota("PublicIPAddresses", "StandardSkuPublicIpAddresses", "IPv4StandardSkuPublicIpAddresses"),
      alsoByAks: true,
    },
  },
  loadBalancer: {
    type: "Microsoft.Network/loadBalancers",
    label: "load balancer",
    isBilledIdle: true,
    heldBy: ["virtualMachineScaleSet", "networkInterface", "privateLinkService"],
    az: "network lb",
    parts: ["frontendIPConfigurations", "backendAddressPools", "probes", "outboundRules"],
    sdk: inNetwork("loadBalancers"),
    use: {
      step: "load-balancer",
      part: "infra",
      group: "managed",
      names: ({ loadBalancer }) => [loadBalancer],
      verbs: ["read", "write"],
      location: "regional",
      quota: networkQuota("LoadBalancers", "StandardSkuLoadBalancers"),
    },
  },
  natGateway: {
    type: "Microsoft.Network/natGateways",
    label: "NAT gateway",
    isBilledIdle: true,
    heldBy: ["virtualNetwork"],
    az: "network nat gateway",
    sdk: inNetwork("natGateways"),
    use: {
      step: "nat-gateway",
      part: "infra",
      group: "managed",
      names: ({ natGateway }) => [natGateway],
      verbs: ["read", "write", "join/action"],
      location: "regional",
      quota: networkQuota("NatGateways"),
    },
  },
  publicDnsZone: {
    type: "Microsoft.Network/dnsZones",
    label: "public DNS zone",
    isBilledIdle: true,
    heldBy: [],
    az: "network dns zone",
    sdk: { package: "@azure/arm-dns", group: "zones" },
    use: { step: "public-zone", part: "dns", group: "dns", verbs: ["read", "write"], location: "global", existingFlag: "--base-domain" },
  },
  privateDnsZone: {
    type: "Microsoft.Network/privateDnsZones",
    label: "private DNS zone",
    isBilledIdle: true,
    heldBy: ["virtualNetworkLink"],
    az: "network private-dns zone",
    sdk: { package: "@azure/arm-privatedns", group: "privateZones" },
    use: { step: "private-zone", part: "infra", group: "privateZone", verbs: ["read", "write"], location: "global" },
  },
  virtualNetworkLink: {
    type: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
    label: "virtual network link",
    heldBy: [],
    az: "network private-dns link vnet",
    sdk: { package: "@azure/arm-privatedns", group: "virtualNetworkLinks" },
    use: { step: "private-zone-link", part: "infra", group: "privateZone", verbs: ["read", "write"], location: "global" },
  },
} as const satisfies Record<string, ResourceType>;

const identities = {
  keyVault: {
    type: "Microsoft.KeyVault/vaults",
    label: "Key Vault",
    heldBy: ["privateEndpoint", "managedCluster"],
    az: "keyvault",
    sdk: { package: "@azure/arm-keyvault", group: "vaults" },
    use: {
      step: "key-vault",
      part: "identities",
      group: "identities",
      verbs: ["read", "write"],
      subscriptionActions: ["Microsoft.KeyVault/checkNameAvailability/read", "Microsoft.KeyVault/deletedVaults/read"],
      location: "regional",
      quota: "not published",
      alsoByAks: true,
    },
  },
  managedIdentity: {
    type: "Microsoft.ManagedIdentity/userAssignedIdentities",
    label: "managed identity",
    plural: "managed identities",
    heldBy: ["virtualMachine", "virtualMachineScaleSet", "managedCluster"],
    sdk: { package: "@azure/arm-msi", group: "userAssignedIdentities" },
    use: {
      step: "identity",
      part: "identities",
      group: "identities",
      verbs: ["read", "write"],
      location: "regional",
      quota: "not published",
      alsoByAks: true,
    },
  },
  federatedIdentityCredential: {
    type: "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials",
    label: "federated identity credential",
    heldBy: [],
    sdk: { package: "@azure/arm-msi", group: "federatedIdentityCredentials" },
    use: { step: "federation", part: "identities", group: "identities", verbs: ["read", "write"], location: "global" },
  },
} as const satisfies Record<string, ResourceType>;

const issuer = {
  storageAccount: {
    type: "Microsoft.Storage/storageAccounts",
    label: "storage account",
    heldBy: ["privateEndpoint"],
    az: "storage account",
    sdk: { package: "@azure/arm-storage", group: "storageAccounts" },
    use: {
      step: "issuer-account",
      part: "issuer",
      group: "issuer",
      verbs: ["read", "write"],
      subscriptionActions: ["Microsoft.Storage/checkNameAvailability/read"],
      location: "regional",
      quota: { names: ["StorageAccounts"], apiVersion: "2025-01-01" },
    },
  },
  blobContainer: {
    type: "Microsoft.Storage/storageAccounts/blobServices/containers",
    label: "blob container",
    heldBy: [],
    sdk: { package: "@azure/arm-storage", group: "blobContainers" },
    use: { step: "issuer-container", part: "issuer", group: "issuer", verbs: ["read", "write"], location: "global" },
  },
} as const satisfies Record<string, ResourceType>;

/** Types that Kubernetes and others create. A destroy needs their labels and removal order. */
const foreignTypes = {
  virtualMachine: { type: "Microsoft.Compute/virtualMachines", label: "virtual machine", heldBy: [] },
  virtualMachineScaleSet: { type: "Microsoft.Compute/virtualMachineScaleSets", label: "virtual machine scale set", heldBy: [] },
  availabilitySet: { type: "Microsoft.Compute/availabilitySets", label: "availability set", heldBy: ["virtualMachine"] },
  snapshot: { type: "Microsoft.Compute/snapshots", label: "snapshot", heldBy: [] },
  disk: { type: "Microsoft.Compute/disks", label: "disk", heldBy: ["virtualMachine", "virtualMachineScaleSet", "snapshot"] },
  privateEndpoint: { type: "Microsoft.Network/privateEndpoints", label: "private endpoint", heldBy: [] },
  networkInterface: {
    type: "Microsoft.Network/networkInterfaces",
    label: "network interface",
    heldBy: ["virtualMachine", "virtualMachineScaleSet", "privateEndpoint", "privateLinkService"],
    sdk: inNetwork("networkInterfaces"),
  },
  privateLinkService: { type: "Microsoft.Network/privateLinkServices", label: "private link service", heldBy: ["privateEndpoint"] },
  subnet: { type: "Microsoft.Network/virtualNetworks/subnets", label: "subnet", heldBy: [], sdk: inNetwork("subnets") },
  containerRegistry: {
    type: "Microsoft.ContainerRegistry/registries",
    label: "container registry",
    plural: "container registries",
    heldBy: [],
    use: { step: "registry", part: "aks", group: "aks", verbs: ["read"], location: "regional", existingFlag: "--registry-id" },
  },
} as const satisfies Record<string, ResourceType>;

const arc = {
  connectedCluster: {
    type: "Microsoft.Kubernetes/connectedClusters",
    label: "connected cluster",
    heldBy: ["arcExtension"],
    az: "connectedk8s",
    use: {
      step: "connected-cluster",
      part: "arc",
      group: "arc",
      verbs: ["read", "write"],
      location: "regional",
      quota: "not published",
    },
  },
  arcExtension: {
    type: "Microsoft.KubernetesConfiguration/extensions",
    label: "cluster extension",
    heldBy: [],
    az: "k8s-extension",
    sdk: { package: "@azure/arm-kubernetesconfiguration", group: "extensions" },
    use: { step: "arc-extension", part: "arc", group: "arc", verbs: ["read", "write"], location: "global" },
  },
} as const satisfies Record<string, ResourceType>;

const aks = {
  managedCluster: {
    type: "Microsoft.ContainerService/managedClusters",
    label: "AKS cluster",
    isBilledIdle: true,
    heldBy: [],
    az: "aks",
    parts: ["agentPoolProfiles"],
    sdk: { package: "@azure/arm-containerservice", group: "managedClusters" },
    use: {
      step: "aks-cluster",
      part: "aks",
      group: "aks",
      verbs: ["read", "write"],
      location: "regional",
      quota: "not published",
    },
  },
  agentPool: {
    type: "Microsoft.ContainerService/managedClusters/agentPools",
    label: "agent pool",
    isBilledIdle: true,
    heldBy: [],
    az: "aks nodepool",
    sdk: { package: "@azure/arm-containerservice", group: "agentPools" },
    use: { step: "agent-pool", part: "aks", group: "aks", verbs: ["read", "write"], location: "regional", quota: "not published" },
  },
  maintenanceConfiguration: {
    type: "Microsoft.ContainerService/managedClusters/maintenanceConfigurations",
    label: "maintenance configuration",
    heldBy: [],
    sdk: { package: "@azure/arm-containerservice", group: "maintenanceConfigurations" },
    use: { step: "maintenance", part: "aks", group: "aks", verbs: ["read", "write"], location: "global" },
  },
  addressRecord: {
    type: "Microsoft.Network/dnsZones/A",
    label: "A record",
    heldBy: [],
    az: "network dns record-set a",
    sdk: { package: "@azure/arm-dns", group: "recordSets" },
    use: { step: "address-record", part: "aks", group: "dns", verbs: ["read", "write"], location: "global" },
  },
  nameServerRecord: {
    type: "Microsoft.Network/dnsZones/NS",
    label: "NS record set",
    heldBy: [],
    az: "network dns record-set ns",
    sdk: { package: "@azure/arm-dns", group: "recordSets" },
    use: { step: "zone-delegation", part: "aks", group: "dns", verbs: ["read", "write"], location: "global" },
  },
  securityRule: {
    type: "Microsoft.Network/networkSecurityGroups/securityRules",
    label: "security rules",
    plural: "security rules",
    heldBy: [],
    az: "network nsg rule",
    sdk: inNetwork("securityRules"),
    use: { step: "security-rules", part: "aks", group: "aks", verbs: ["read", "write"], location: "global" },
  },
  vaultKey: {
    type: "Microsoft.KeyVault/vaults/keys",
    label: "Key Vault key",
    heldBy: [],
    sdk: { package: "@azure/arm-keyvault", group: "keys" },
    use: { step: "etcd-key", part: "aks", group: "aks", verbs: ["read", "write"], location: "global" },
  },
} as const satisfies Record<string, ResourceType>;

const egress = {
  publicIpPrefix: {
    type: "Microsoft.Network/publicIPPrefixes",
    label: "public IP prefix",
    plural: "public IP prefixes",
    heldBy: ["publicIpAddress", "loadBalancer", "natGateway"],
    az: "network public-ip prefix",
    sdk: inNetwork("publicIPPrefixes"),
    use: {
      step: "public-ip-prefix",
      part: "infra",
      group: "managed",
      verbs: ["read", "join/action"],
      location: "regional",
      existingFlag: "--public-ip-prefix-id",
    },
  },
  routeTable: {
    type: "Microsoft.Network/routeTables",
    label: "route table",
    heldBy: ["virtualNetwork"],
    az: "network route-table",
    sdk: inNetwork("routeTables"),
    use: {
      step: "route-table",
      part: "infra",
      group: "vnet",
      verbs: ["read", "join/action"],
      location: "regional",
      existingFlag: "--route-table-id",
    },
  },
} as const satisfies Record<string, ResourceType>;

/** Rows by name: `resourceTypes.virtualNetwork.label`. */
export const resourceTypes = {
  ...group,
  ...network,
  ...egress,
  ...identities,
  ...issuer,
  ...aks,
  ...arc,
  ...foreignTypes,
} as const satisfies Record<string, ResourceType>;

export type ResourceTypeName = keyof typeof resourceTypes;
