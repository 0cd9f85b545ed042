/** Azure's built-in roles, as far as needed, by GUID. */
import { roleIds } from "../state/well-known.js";
import { rulesOf, type RoleRules } from "./role-rules.js";

/** What most of Azure's narrow roles allow in addition to their subject. */
const customary = [
  "Microsoft.Authorization/*/read",
  "Microsoft.Insights/alertRules/*",
  "Microsoft.Resources/deployments/*",
  "Microsoft.Resources/subscriptions/resourceGroups/read",
  "Microsoft.Support/*",
];

const vaultReading = [
  "Microsoft.KeyVault/checkNameAvailability/read",
  "Microsoft.KeyVault/deletedVaults/read",
  "Microsoft.KeyVault/locations/*/read",
  "Microsoft.KeyVault/vaults/*/read",
  "Microsoft.KeyVault/operations/read",
];

const vault = "Microsoft.KeyVault/vaults";
const identity = "Microsoft.ManagedIdentity/userAssignedIdentities";
const blobServices = "Microsoft.Storage/storageAccounts/blobServices";
const blobs = `${blobServices}/containers/blobs`;

type Row = readonly [
  guid: string,
  roleName: string,
  description: string,
  actions: readonly string[],
  dataActions?: readonly string[],
  notActions?: readonly string[],
];

const rows: readonly Row[] = [
  [roleIds.owner, "Owner", "Manage everything, and who may do what.", ["*"]],
  [
    roleIds.contributor,
    "Contributor",
    "Manage everything, but not who may do what.",
    ["*"],
    [],
    [
      "Microsoft.Authorization/*/Delete",
      "Microsoft.Authorization/*/Write",
      "Microsoft.Authorization/elevateAccess/Action",
      "Microsoft.Blueprint/blueprintAssignments/write",
      "Microsoft.Blueprint/blueprintAssignments/delete",
      "Microsoft.Compute/galleries/share/action",
      "Microsoft.Purview/consents/write",
      "Microsoft.Purview/consents/delete",
      "Microsoft.Resources/deploymentStacks/manageDenySetting/action",
    ],
  ],
  ["acdd72a7-3385-48ef-bd42-f606fba81ae7", "Reader", "View everything.", ["*/read"]],
  [
    roleIds.userAccessAdministrator,
    "User Access Administrator",
    "Manage who may do what.",
    ["*/read", "Microsoft.Authorization/*", "Microsoft.Support/*"],
  ],
  [
    "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
    "Role Based Access Control Administrator",
    "Assign roles, and nothing else of who may do what.",
    ["Microsoft.Authorization/roleAssignments/write", "Microsoft.Authorization/roleAssignments/delete", "*/read", "Microsoft.Support/*"],
  ],
  [
    "4a9ae827-6dc8-4573-8ac7-8239d42aa03f",
    "Tag Contributor",
    "Manage tags, but not what has them.",
    [
      ...customary,
      "Microsoft.Resources/subscriptions/resourceGroups/resources/read",
      "Microsoft.Resources/subscriptions/resources/read",
      "Microsoft.Resources/tags/*",
    ],
  ],
  [
    "4d97b98b-1d4f-4787-a291-c67834d212e7",
    "Network Contributor",
    "Manage networks.",
    [...customary, "Microsoft.Network/*", "Microsoft.ResourceHealth/availabilityStatuses/read"],
  ],
  [
    "befefa01-2a29-4197-83a8-272ff33ce314",
    "DNS Zone Contributor",
    "Manage public DNS zones and their records.",
    [...customary, "Microsoft.Network/dnsZones/*", "Microsoft.ResourceHealth/availabilityStatuses/read"],
  ],
  [
    "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
    "Private DNS Zone Contributor",
    "Manage private DNS zones, but not the networks they are linked to.",
    [
      ...customary,
      "Microsoft.Network/privateDnsZones/*",
      "Microsoft.Network/privateDnsOperationResults/*",
      "Microsoft.Network/privateDnsOperationStatuses/*",
      "Microsoft.Network/virtualNetworks/read",
      "Microsoft.Network/virtualNetworks/join/action",
    ],
  ],
  [
    "f25e0fa2-a7c8-4377-a976-54943a77a395",
    "Key Vault Contributor",
    "Manage key vaults, but neither their contents nor who may do what.",
    [...customary, "Microsoft.KeyVault/*"],
    [],
    ["Microsoft.KeyVault/locations/deletedVaults/purge/action", "Microsoft.KeyVault/hsmPools/*", "Microsoft.KeyVault/managedHsms/*"],
  ],
  [
    "a68e7c17-0ab2-4c09-9a58-125dae29748c",
    "Key Vault Purge Operator",
    "Purge deleted vaults.",
    [
      "Microsoft.KeyVault/deletedVaults/read",
      "Microsoft.KeyVault/locations/*/read",
      "Microsoft.KeyVault/locations/deletedVaults/purge/action",
    ],
  ],
  [
    "00482a5a-887f-4fb3-b363-3b7fe8e74483",
    "Key Vault Administrator",
    "All of a vault's content.",
    [...customary, ...vaultReading],
    [`${vault}/*`],
  ],
  [
    "21090545-7ca7-4776-b22c-e363652d74d2",
    "Key Vault Reader",
    "A vault's content without its secrets.",
    [...customary, ...vaultReading],
    [`${vault}/*/read`, `${vault}/secrets/readMetadata/action`],
  ],
  [
    "4633458b-17de-408a-b874-0445c86b69e6",
    "Key Vault Secrets User",
    "Read secrets.",
    [],
    [`${vault}/secrets/getSecret/action`, `${vault}/secrets/readMetadata/action`],
  ],
  [
    "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
    "Key Vault Secrets Officer",
    "Manage secrets.",
    [...customary, ...vaultReading],
    [`${vault}/secrets/*`],
  ],
  [
    "db79e9a7-68ee-4b58-9aeb-b90e7c24fcba",
    "Key Vault Certificate User",
    "Read certificates with their keys.",
    [],
    [`${vault}/certificates/read`, `${vault}/secrets/getSecret/action`, `${vault}/secrets/readMetadata/action`, `${vault}/keys/read`],
  ],
  [
    "a4417e6f-fecd-4de8-b567-7b0420556985",
    "Key Vault Certificates Officer",
    "Manage certificates.",
    [...customary, ...vaultReading],
    [`${vault}/certificatecas/*`, `${vault}/certificates/*`, `${vault}/certificatecontacts/write`],
  ],
  [
    "14b46e9e-c2b7-41b4-b07b-48a6ebf60603",
    "Key Vault Crypto Officer",
    "Manage keys.",
    [...customary, ...vaultReading],
    [`${vault}/keys/*`, `${vault}/keyrotationpolicies/*`],
  ],
  [
    "12338af0-0e69-4776-bea7-57ae8d297424",
    "Key Vault Crypto User",
    "Use keys.",
    [],
    [
      "read",
      "update/action",
      "backup/action",
      "encrypt/action",
      "decrypt/action",
      "wrap/action",
      "unwrap/action",
      "sign/action",
      "verify/action",
    ].map((verb) => `${vault}/keys/${verb}`),
  ],
  [
    "e40ec5ca-96e0-45a2-b4ff-59039f2c2b59",
    "Managed Identity Contributor",
    "Manage user-assigned identities and their federated credentials.",
    [
      ...["read", "write", "delete", "revokeTokens/action"].map((verb) => `${identity}/${verb}`),
      ...["read", "write", "delete"].map((verb) => `${identity}/federatedIdentityCredentials/${verb}`),
      ...customary,
    ],
  ],
  [
    "f1a07417-d97a-45cb-824c-7a7467783830",
    "Managed Identity Operator",
    "Read and assign user-assigned identities.",
    [`${identity}/*/read`, `${identity}/*/assign/action`, ...customary],
  ],
  [
    "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
    "Storage Blob Data Reader",
    "Read blobs.",
    [`${blobServices}/containers/read`, `${blobServices}/generateUserDelegationKey/action`],
    [`${blobs}/read`],
  ],
  [
    "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    "Storage Blob Data Contributor",
    "Read and write blobs.",
    ["delete", "read", "write"]
      .map((verb) => `${blobServices}/containers/${verb}`)
      .concat(`${blobServices}/generateUserDelegationKey/action`),
    ["delete", "read", "write", "move/action", "add/action"].map((verb) => `${blobs}/${verb}`),
  ],
  [
    "17d1049b-9a84-46fb-8f53-869881c3d3ab",
    "Storage Account Contributor",
    "Manage storage accounts.",
    [
      ...customary,
      "Microsoft.Insights/diagnosticSettings/*",
      "Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action",
      "Microsoft.ResourceHealth/availabilityStatuses/read",
      "Microsoft.Storage/storageAccounts/*",
    ],
  ],
  [
    "34e09817-6cbe-4d01-b1a2-e0eac5743d41",
    "Kubernetes Cluster - Azure Arc Onboarding",
    "Connect clusters to Azure Arc.",
    [
      "Microsoft.Authorization/*/read",
      "Microsoft.Insights/alertRules/*",
      "Microsoft.Resources/deployments/write",
      "Microsoft.Resources/subscriptions/operationresults/read",
      "Microsoft.Resources/subscriptions/read",
      "Microsoft.Resources/subscriptions/resourceGroups/read",
      "Microsoft.Kubernetes/connectedClusters/Write",
      "Microsoft.Kubernetes/connectedClusters/read",
      "Microsoft.Support/*",
    ],
  ],
  [
    "85cb6faf-e071-4c9b-8136-154b5a04f717",
    "Kubernetes Extension Contributor",
    "Manage the extensions of clusters.",
    [
      "Microsoft.Authorization/*/read",
      "Microsoft.Insights/alertRules/*",
      "Microsoft.Resources/deployments/*",
      "Microsoft.Resources/subscriptions/resourceGroups/read",
      ...["write", "read", "delete", "operations/read"].map((verb) => `Microsoft.KubernetesConfiguration/extensions/${verb}`),
    ],
  ],
  ["7f951dda-4ed3-4680-a7ca-43fe172d538d", "AcrPull", "Pull images.", ["Microsoft.ContainerRegistry/registries/pull/read"]],
  [
    "8311e382-0749-4cb8-b61a-304f252e45ec",
    "AcrPush",
    "Pull and push images.",
    ["Microsoft.ContainerRegistry/registries/pull/read", "Microsoft.ContainerRegistry/registries/push/write"],
  ],
];

/**
 * The built-in roles of OpenShift's components on Azure. Azure publishes those of ingress, network, disk storage, cluster API and the
 * control-plane operator. The others follow the permissions that the operators request, and may differ from Azure's in detail.
 */
const network = "Microsoft.Network";
const storage = "Microsoft.Storage/storageAccounts";
const compute = "Microsoft.Compute";
const groupRead = "Microsoft.Resources/subscriptions/resourceGroups/read";

/** "Microsoft.Network/loadBalancers" with "read" and "write" gives both actions. */
function on(type: string, ...verbs: readonly string[]): string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

const openShiftRoles: readonly Row[] = [
  [
    "a1f96423-95ce-4224-ab27-4e3dc72facd4",
    "Azure Red Hat OpenShift Cloud Controller Manager",
    "Load balancers, addresses and node information for the cloud controller manager.",
    [
      ...on(`${compute}/virtualMachines`, "read"),
      ...on(`${network}/loadBalancers`, "read", "write", "delete"),
      ...on(`${network}/loadBalancers/backendAddressPools`, "join/action"),
      ...on(`${network}/networkInterfaces`, "read", "write"),
      ...on(`${network}/networkSecurityGroups`, "read", "write", "join/action"),
      ...on(`${network}/publicIPAddresses`, "read", "write", "delete", "join/action"),
      ...on(`${network}/publicIPPrefixes`, "join/action"),
      ...on(`${network}/virtualNetworks/subnets`, "read", "join/action"),
    ],
  ],
  [
    "0336e1d3-7a87-462b-b6db-342b63f7802c",
    "Azure Red Hat OpenShift Cluster Ingress Operator",
    "DNS records of the OpenShift router.",
    [
      ...on(`${network}/dnsZones/A`, "delete", "write"),
      ...on(`${network}/privateDnsZones/A`, "delete", "write"),
      ...on(`${network}/virtualNetworks/subnets`, "read", "join/action"),
    ],
  ],
  [
    "5b7237c5-45e1-49d6-bc18-a1f62f400748",
    "Azure Red Hat OpenShift Disk Storage Operator",
    "Azure Disks for the CSI driver.",
    [
      ...on(`${compute}/virtualMachines`, "read", "write"),
      ...on(`${compute}/virtualMachineScaleSets/virtualMachines`, "read", "write"),
      ...on(`${compute}/virtualMachineScaleSets`, "read"),
      ...on(`${compute}/snapshots`, "read", "write", "delete"),
      ...on(`${compute}/locations`, "operations/read", "DiskOperations/read"),
      ...on(`${compute}/disks`, "read", "write", "delete", "beginGetAccess/action"),
      ...on(`${compute}/diskEncryptionSets`, "read"),
      groupRead,
    ],
  ],
  [
    "0d7aedc0-15fd-4a67-a412-efad370c947e",
    "Azure Red Hat OpenShift File Storage Operator",
    "Azure Files for the CSI driver.",
    [
      ...on(storage, "read", "write", "delete", "listKeys/action"),
      ...on(`${storage}/fileServices`, "read"),
      ...on(`${storage}/fileServices/shares`, "read", "write", "delete"),
      ...on(`${network}/networkSecurityGroups`, "join/action"),
      ...on(`${network}/virtualNetworks/subnets`, "read", "write"),
      groupRead,
    ],
  ],
  [
    "be7a6435-15ae-4171-8f30-4a343eff9e8f",
    "Azure Red Hat OpenShift Network Operator",
    "Egress addresses on the nodes' interfaces.",
    [
      ...on(`${network}/networkInterfaces`, "read", "write"),
      ...on(`${network}/virtualNetworks`, "read", "subnets/join/action"),
      ...on(`${network}/loadBalancers/backendAddressPools`, "read", "join/action"),
      ...on(`${compute}/virtualMachines`, "read"),
    ],
  ],
  [
    "8b32b316-c2f5-4ddf-b05b-83dacd2d08b5",
    "Azure Red Hat OpenShift Image Registry Operator",
    "The storage of the image registry.",
    [
      ...on(storage, "read", "write", "delete", "listKeys/action"),
      ...on(`${storage}/blobServices`, "read", "generateUserDelegationKey/action"),
      ...on(`${storage}/blobServices/containers`, "read", "write"),
      ...on(
        `${network}/privateDnsZones`,
        "read",
        "write",
        "join/action",
        "A/write",
        "virtualNetworkLinks/read",
        "virtualNetworkLinks/write",
      ),
      ...on(`${network}/privateEndpoints`, "read", "write", "privateDnsZoneGroups/read", "privateDnsZoneGroups/write"),
      ...on(`${network}/networkInterfaces`, "read"),
      ...on(`${network}/virtualNetworks`, "join/action", "subnets/read", "subnets/join/action"),
      ...on("Microsoft.Resources/tags", "write"),
    ],
    on(`${storage}/blobServices/containers/blobs`, "read", "write", "delete", "add/action", "move/action"),
  ],
  [
    "fc0c873f-45e9-4d0d-a7d1-585aab30c6ed",
    "Azure Red Hat OpenShift Hosted Control Planes Control Plane Operator",
    "What the control-plane operator reads.",
    [groupRead, ...on(`${network}/virtualNetworks`, "read"), ...on(`${network}/networkSecurityGroups`, "read")],
  ],
  [
    "88366f10-ed47-4cc0-9fab-c8a06148393e",
    "Azure Red Hat OpenShift Hosted Control Planes Cluster API Provider",
    "Nodes, their interfaces and disks.",
    [
      ...on(`${compute}/disks`, "read", "write", "delete"),
      ...on(`${compute}/diskEncryptionSets`, "read"),
      ...on(`${compute}/availabilitySets`, "read", "write", "delete"),
      ...on(`${compute}/virtualMachines`, "read", "write", "delete"),
      ...on(`${network}/loadBalancers/backendAddressPools`, "join/action"),
      ...on(`${network}/networkInterfaces`, "read", "write", "delete", "join/action"),
      ...on(`${network}/virtualNetworks/subnets`, "join/action"),
    ],
  ],
  [
    "c0ff367d-66d8-445e-917c-583feb0ef0d4",
    "Azure Red Hat OpenShift Hosted Control Planes Service Managed Identity",
    "What the service does in the customer's network.",
    [
      ...on(`${network}/virtualNetworks`, "read", "join/action"),
      ...on(`${network}/virtualNetworks/subnets`, "read", "write", "join/action"),
      ...on(`${network}/networkSecurityGroups`, "read", "write", "join/action"),
      ...on(`${network}/routeTables`, "read", "join/action"),
      ...on(`${network}/natGateways`, "read", "join/action"),
    ],
  ],
  [
    "ef318e2a-8334-4a05-9e4a-295a196c6a6e",
    "Azure Red Hat OpenShift Federated Credential",
    "Federated credentials of user-assigned identities.",
    [
      ...on("Microsoft.ManagedIdentity/userAssignedIdentities", "read"),
      ...on("Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials", "read", "write", "delete"),
    ],
  ],
];

export const builtInRoles: Readonly<Record<string, RoleRules>> = Object.fromEntries(
  [...rows, ...openShiftRoles].map(([guid, roleName, description, actions, dataActions = [], notActions = []]) => [
    guid,
    { roleName, description, ...rulesOf({ actions, notActions, dataActions, notDataActions: [] }) },
  ]),
);
