/** The options that say what the cluster's infrastructure is to be. Part of the table of options. */
import {
  azureCommands as all,
  doctorCommands,
  identityCommands,
  infraCommands,
  issuerCommands,
  verifyCommands,
  renderCommands,
  wholeCommands,
  type CommandName,
  type Option,
} from "./option.js";

const destroy = ["destroy infra"] as const satisfies readonly CommandName[];
const hostedCluster = ["render hosted-cluster"] as const satisfies readonly CommandName[];
/** What decides which resources a cluster has: whoever shows or draws them needs it as well as who creates them. */
const wanted = ["create infra", "show infra", "graph"] as const satisfies readonly CommandName[];
/** The same where the identities are made in the same run, and need no files. */
const wantedOrWhole = [...wanted, "create all"] as const satisfies readonly CommandName[];
/** The same where it is compared with what there is. */
const described = [...wantedOrWhole, "verify infra"] as const satisfies readonly CommandName[];
/** Those that cannot do without the cluster; `graph --flow` can, which `checks/graph.ts` knows. */
const ofOneCluster = ["create infra", "show infra"] as const satisfies readonly CommandName[];
const live = [
  "create infra",
  "destroy infra",
  "show infra",
  ...identityCommands,
  ...issuerCommands,
  ...wholeCommands,
  ...verifyCommands,
  ...doctorCommands,
] as const satisfies readonly CommandName[];
/** Where Azure is, whatever is asked of it. */
const anywhere = [...all, ...verifyCommands, ...doctorCommands] as const satisfies readonly CommandName[];
/** Which identities there are, in files. */
const ofIdentities = [...wanted, ...verifyCommands] as const satisfies readonly CommandName[];
const infra = infraCommands;
/** What says where things are made and what they are named. */
const placed = [...described, ...doctorCommands] as const satisfies readonly CommandName[];

export const clusterOptions = [
  {
    key: "name",
    flag: "--name",
    kind: "text",
    group: "required",
    help: "name of the cluster, or of the set of identities",
    commands: [...all, ...doctorCommands, ...verifyCommands, ...renderCommands],
    required: [...ofOneCluster, ...identityCommands, ...issuerCommands, ...wholeCommands],
  },
  {
    key: "infraId",
    flag: "--infra-id",
    kind: "text",
    group: "required",
    help: "short unique id of the infrastructure, part of most names",
    commands: [...infra, ...wholeCommands, ...doctorCommands, "verify infra"],
    required: [...ofOneCluster, ...wholeCommands],
  },
  {
    key: "baseDomain",
    flag: "--base-domain",
    kind: "text",
    group: "required",
    help: "DNS domain of the cluster, whose public zone exists",
    commands: placed,
    required: [...ofOneCluster, "create all"],
  },
  {
    key: "infraJson",
    flag: "--infra-json",
    kind: "file",
    group: "required",
    help: "output file of create infra: in place of name and infra id, or beside the identities",
    commands: [...destroy, ...verifyCommands, ...hostedCluster, "graph"],
  },

  {
    key: "azureCreds",
    flag: "--azure-creds",
    kind: "file",
    group: "placement",
    help: "credentials file (subscriptionId, tenantId, clientId, clientSecret); without it the SDK's own chain signs in",
    commands: [...live, ...hostedCluster],
  },
  {
    key: "subscription",
    flag: "--subscription",
    otherVariable: "AZURE_SUBSCRIPTION_ID",
    kind: "text",
    group: "placement",
    help: "id of the subscription, where the credentials file does not say",
    commands: anywhere,
  },
  {
    key: "cloud",
    flag: "--cloud",
    kind: "choice",
    choices: ["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud", "AzureBleuCloud", "local"],
    default: "AzurePublicCloud",
    group: "placement",
    help: "which Azure; local is the embedded one",
    commands: anywhere,
  },
  {
    key: "location",
    flag: "--location",
    aliases: ["--region"],
    kind: "text",
    default: "eastus",
    group: "placement",
    help: "Azure location of everything that is made; destroy finds it out by itself",
    commands: [...all, ...doctorCommands, "verify infra"],
  },
  {
    key: "naming",
    flag: "--naming",
    kind: "choice",
    choices: ["documented", "hypershift"],
    default: "documented",
    group: "placement",
    help: "names as ARO HCP documents them, or as the hypershift CLI makes them",
    commands: placed,
  },
  {
    key: "resourceGroupName",
    flag: "--resource-group-name",
    kind: "text",
    group: "placement",
    help: "an existing group that takes the managed group's place",
    commands: [...infra, "verify infra", ...doctorCommands],
  },
  {
    key: "singleResourceGroup",
    flag: "--single-resource-group",
    kind: "switch",
    group: "placement",
    help: "put network, security group and DNS into the managed group too",
    commands: placed,
  },
  {
    key: "resourceGroupTags",
    flag: "--resource-group-tags",
    short: "-t",
    kind: "tags",
    group: "placement",
    help: "tags for the groups that are made: key=value,key=value; may be repeated",
    commands: described,
  },

  {
    key: "vnetCidr",
    flag: "--vnet-cidr",
    kind: "text",
    default: "10.0.0.0/16",
    group: "network",
    help: "address space of the virtual network that is made",
    commands: described,
  },
  {
    key: "subnetCidr",
    flag: "--subnet-cidr",
    kind: "text",
    default: "10.0.0.0/24",
    group: "network",
    help: "address range of its subnet",
    commands: described,
  },
  {
    key: "vnetId",
    flag: "--vnet-id",
    kind: "text",
    group: "network",
    help: "id of an existing virtual network to use",
    commands: placed,
  },
  {
    key: "subnetId",
    flag: "--subnet-id",
    kind: "text",
    group: "network",
    help: "id of an existing subnet to use",
    commands: placed,
  },
  {
    key: "networkSecurityGroupId",
    flag: "--network-security-group-id",
    kind: "text",
    group: "network",
    help: "id of an existing network security group to use",
    commands: placed,
  },
  {
    key: "dnsZoneRgName",
    flag: "--dns-zone-rg-name",
    kind: "text",
    group: "network",
    help: "group of the public DNS zone; needed to assign roles",
    commands: placed,
    required: ["create all"],
  },

  {
    key: "managedIdentitiesFile",
    flag: "--managed-identities-file",
    kind: "file",
    group: "identity",
    help: "identities of the control plane, as JSON or YAML",
    commands: [...ofIdentities, ...renderCommands],
  },
  {
    key: "dataPlaneIdentitiesFile",
    flag: "--data-plane-identities-file",
    kind: "file",
    group: "identity",
    help: "managed identities of the data plane, as JSON or YAML",
    commands: [...ofIdentities, ...hostedCluster],
  },
  {
    key: "workloadIdentitiesFile",
    flag: "--workload-identities-file",
    kind: "file",
    group: "identity",
    help: "workload identities of a self-managed control plane, in place of the two files above",
    commands: [...wanted, "verify infra"],
  },
  {
    key: "assignIdentityRoles",
    flag: "--assign-identity-roles",
    aliases: ["--assign-service-principal-roles", "--auto-assign-roles"],
    kind: "switch",
    group: "identity",
    help: "give the identities their roles on the groups",
    commands: wanted,
  },
  {
    key: "assignCustomHcpRoles",
    flag: "--assign-custom-hcp-roles",
    kind: "switch",
    group: "identity",
    help: "give the identities the hosted control planes' own narrower roles",
    commands: [...wantedOrWhole, ...verifyCommands],
  },
  {
    key: "disableClusterCapabilities",
    flag: "--disable-cluster-capabilities",
    kind: "list",
    choices: ["ImageRegistry", "openshift-samples", "Insights", "baremetal", "Console", "NodeTuning", "Ingress"],
    group: "identity",
    help: "capabilities the cluster will not have; without ImageRegistry its identities get no role",
    commands: [...wantedOrWhole, ...verifyCommands, ...renderCommands],
  },
] as const satisfies readonly Option[];
