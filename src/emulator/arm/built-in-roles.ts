/** Azure's built-in roles that clusters, their resources and common tools use, by GUID. */
import { roleIds } from "../state/well-known.js";
import { rulesOf, type RoleRules } from "./role-rules.js";

const [authorizationRead, alertRules, deployments, groupRead, support] = [
  "Microsoft.Authorization/*/read",
  "Microsoft.Insights/alertRules/*",
  "Microsoft.Resources/deployments/*",
  "Microsoft.Resources/subscriptions/resourceGroups/read",
  "Microsoft.Support/*",
];
const health = "Microsoft.ResourceHealth/availabilityStatuses/read";

/** What most of Azure's narrow roles allow in addition to their subject. Its order differs from role to role. */
const customary = [authorizationRead, alertRules, deployments, groupRead, support];

const vaultReading = [
  "Microsoft.KeyVault/checkNameAvailability/read",
  "Microsoft.KeyVault/deletedVaults/read",
  "Microsoft.KeyVault/locations/*/read",
  "Microsoft.KeyVault/vaults/*/read",
  "Microsoft.KeyVault/operations/read",
];

const network = "Microsoft.Network";
const compute = "Microsoft.Compute";
const vault = "Microsoft.KeyVault/vaults";
const identity = "Microsoft.ManagedIdentity/userAssignedIdentities";
const storage = "Microsoft.Storage/storageAccounts";
const blobServices = `${storage}/blobServices`;
const blobs = `${blobServices}/containers/blobs`;
const queues = `${storage}/queueServices/queues`;
const tables = `${storage}/tableServices/tables`;
const fileServices = `${storage}/fileServices`;
const files = `${fileServices}/fileshares/files`;
const registries = "Microsoft.ContainerRegistry/registries";
const clusters = "Microsoft.ContainerService/managedClusters";
const workspaces = "Microsoft.OperationalInsights/workspaces";
const recoveryVaults = "Microsoft.RecoveryServices/Vaults";

/** "Microsoft.Network/loadBalancers" with "read" and "write" gives both actions. */
function on(type: string, ...verbs: readonly string[]): string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

const subscriptionReading = on("Microsoft.Resources/subscriptions", "operationresults/read", "read", "resourceGroups/read");
const clusterAccess = [authorizationRead, ...subscriptionReading, `${clusters}/listClusterUserCredential/action`];

type Row = readonly [
  guid: string,
  roleName: string,
  description: string,
  actions: readonly string[],
  dataActions?: readonly string[],
  notActions?: readonly string[],
  notDataActions?: readonly string[],
];

const forVaults = "Only works for key vaults that use the 'Azure role-based access control' permission model.";

/**
 * As Azure answers them: names, descriptions, and actions in Azure's order. The source is the JSON of each role in
 * https://github.com/MicrosoftDocs/azure-docs/tree/main/articles/role-based-access-control/built-in-roles.
 * Compute, identity, management, security and storage are of commit 1b4e136a (July 2026). Privileged roles are of 0b8729ea (July 2026).
 * General roles and monitoring are of 03e5750a (February 2026). Containers are of 0088bfa7 (June 2025), networking of 295d5b3d.
 * Key Vault Purge Operator is from https://azure-rbac-catalog.org/roles/a68e7c17-0ab2-4c09-9a58-125dae29748c/key-vault-purge-operator.
 */
const rows: readonly Row[] = [
  [roleIds.owner, "Owner", "Grants full access to manage all resources, including the ability to assign roles in Azure RBAC.", ["*"]],
  [
    roleIds.contributor,
    "Contributor",
    "Grants full access to manage all resources, but does not allow you to assign roles in Azure RBAC, manage assignments in Azure Blueprints, or share image galleries.",
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
      "Microsoft.Subscription/cancel/action",
      "Microsoft.Subscription/enable/action",
    ],
  ],
  ["acdd72a7-3385-48ef-bd42-f606fba81ae7", "Reader", "View all resources, but does not allow you to make any changes.", ["*/read"]],
  [
    roleIds.userAccessAdministrator,
    "User Access Administrator",
    "Lets you manage user access to Azure resources.",
    ["*/read", "Microsoft.Authorization/*", support],
  ],
  [
    "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
    "Role Based Access Control Administrator",
    "Manage access to Azure resources by assigning roles using Azure RBAC. This role does not allow you to manage access using other ways, such as Azure Policy.",
    [...on("Microsoft.Authorization/roleAssignments", "write", "delete"), "*/read", support],
  ],
  [
    "4a9ae827-6dc8-4573-8ac7-8239d42aa03f",
    "Tag Contributor",
    "Lets you manage tags on entities, without providing access to the entities themselves.",
    [
      authorizationRead,
      groupRead,
      "Microsoft.Resources/subscriptions/resourceGroups/resources/read",
      "Microsoft.Resources/subscriptions/resources/read",
      deployments,
      alertRules,
      support,
      "Microsoft.Resources/tags/*",
    ],
  ],
  [
    "cfd33db0-3dd1-45e3-aa9d-cdbdf3b6f24e",
    "Support Request Contributor",
    "Lets you create and manage Support requests",
    [authorizationRead, groupRead, support],
  ],
  [
    "28bf596f-4eb7-45ce-b5bc-6cf482fec137",
    "Locks Contributor",
    "Can Manage Locks Operations.",
    on("Microsoft.Authorization/locks", "read", "write", "delete"),
  ],
  [
    "36243c78-bf99-498c-9df9-86d9f8d28608",
    "Resource Policy Contributor",
    "Users with rights to create/modify resource policy, create support ticket and read resources/hierarchy.",
    [
      "*/read",
      ...["policyassignments", "policydefinitions", "policyexemptions", "policyenrollments", "policysetdefinitions"].map(
        (type) => `Microsoft.Authorization/${type}/*`,
      ),
      "Microsoft.PolicyInsights/*",
      deployments,
      support,
    ],
  ],
  [
    "4d97b98b-1d4f-4787-a291-c67834d212e7",
    "Network Contributor",
    "Lets you manage networks, but not access to them.",
    [authorizationRead, alertRules, `${network}/*`, health, deployments, groupRead, support],
  ],
  [
    "befefa01-2a29-4197-83a8-272ff33ce314",
    "DNS Zone Contributor",
    "Lets you manage DNS zones and record sets in Azure DNS, but does not let you control who has access to them.",
    [authorizationRead, alertRules, `${network}/dnsZones/*`, health, deployments, groupRead, support],
  ],
  [
    "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
    "Private DNS Zone Contributor",
    "Lets you manage private DNS zone resources, but not the virtual networks they are linked to.",
    [
      alertRules,
      deployments,
      groupRead,
      support,
      ...["privateDnsZones", "privateDnsOperationResults", "privateDnsOperationStatuses"].map((type) => `${network}/${type}/*`),
      ...on(`${network}/virtualNetworks`, "read", "join/action"),
      authorizationRead,
    ],
  ],
  [
    "a4b10055-b0c7-44c2-b00f-c7b5b3550cf7",
    "Traffic Manager Contributor",
    "Lets you manage Traffic Manager profiles, but does not let you control who has access to them.",
    [authorizationRead, alertRules, `${network}/trafficManagerProfiles/*`, health, deployments, groupRead, support],
  ],
  [
    "f25e0fa2-a7c8-4377-a976-54943a77a395",
    "Key Vault Contributor",
    "Lets you manage key vaults, but not access to them.",
    [authorizationRead, alertRules, "Microsoft.KeyVault/*", deployments, groupRead, support],
    [],
    ["Microsoft.KeyVault/locations/deletedVaults/purge/action", "Microsoft.KeyVault/hsmPools/*", "Microsoft.KeyVault/managedHsms/*"],
  ],
  [
    "a68e7c17-0ab2-4c09-9a58-125dae29748c",
    "Key Vault Purge Operator",
    "Allows permanent deletion of soft-deleted vaults.",
    [
      authorizationRead,
      alertRules,
      deployments,
      groupRead,
      "Microsoft.KeyVault/deletedVaults/read",
      ...on("Microsoft.KeyVault/locations", "deletedVaults/read", "deletedVaults/purge/action", "operationResults/read"),
    ],
  ],
  [
    "00482a5a-887f-4fb3-b363-3b7fe8e74483",
    "Key Vault Administrator",
    `Perform all data plane operations on a key vault and all objects in it, including certificates, keys, and secrets. Cannot manage key vault resources or manage role assignments. ${forVaults}`,
    [...customary, ...vaultReading],
    [`${vault}/*`],
  ],
  [
    "21090545-7ca7-4776-b22c-e363652d74d2",
    "Key Vault Reader",
    `Read metadata of key vaults and its certificates, keys, and secrets. Cannot read sensitive values such as secret contents or key material. ${forVaults}`,
    [authorizationRead, alertRules, groupRead, support, ...vaultReading],
    [`${vault}/*/read`, `${vault}/secrets/readMetadata/action`],
  ],
  [
    "4633458b-17de-408a-b874-0445c86b69e6",
    "Key Vault Secrets User",
    `Read secret contents. ${forVaults}`,
    [],
    on(`${vault}/secrets`, "getSecret/action", "readMetadata/action"),
  ],
  [
    "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
    "Key Vault Secrets Officer",
    `Perform any action on the secrets of a key vault, except manage permissions. ${forVaults}`,
    [...customary, ...vaultReading],
    [`${vault}/secrets/*`],
  ],
  [
    "db79e9a7-68ee-4b58-9aeb-b90e7c24fcba",
    "Key Vault Certificate User",
    `Read certificate contents. ${forVaults}`,
    [],
    [`${vault}/certificates/read`, ...on(`${vault}/secrets`, "getSecret/action", "readMetadata/action"), `${vault}/keys/read`],
  ],
  [
    "a4417e6f-fecd-4de8-b567-7b0420556985",
    "Key Vault Certificates Officer",
    `Perform any action on the certificates of a key vault, except manage permissions. ${forVaults}`,
    [...customary, ...vaultReading],
    [`${vault}/certificatecas/*`, `${vault}/certificates/*`, `${vault}/certificatecontacts/write`],
  ],
  [
    "14b46e9e-c2b7-41b4-b07b-48a6ebf60603",
    "Key Vault Crypto Officer",
    `Perform any action on the keys of a key vault, except manage permissions. ${forVaults}`,
    [...customary, ...vaultReading],
    [`${vault}/keys/*`, `${vault}/keyrotationpolicies/*`],
  ],
  [
    "12338af0-0e69-4776-bea7-57ae8d297424",
    "Key Vault Crypto User",
    `Perform cryptographic operations using keys. ${forVaults}`,
    [],
    on(
      `${vault}/keys`,
      "read",
      "update/action",
      "backup/action",
      "encrypt/action",
      "decrypt/action",
      "wrap/action",
      "unwrap/action",
      "sign/action",
      "verify/action",
    ),
  ],
  [
    "e147488a-f6f5-4113-8e2d-b22465e65bf6",
    "Key Vault Crypto Service Encryption User",
    `Read metadata of keys and perform wrap/unwrap operations. ${forVaults}`,
    on("Microsoft.EventGrid/eventSubscriptions", "write", "read", "delete"),
    on(`${vault}/keys`, "read", "wrap/action", "unwrap/action"),
  ],
  [
    "08bbd89e-9f13-488c-ac41-acfcb10c90ab",
    "Key Vault Crypto Service Release User",
    `Release keys. ${forVaults}`,
    [],
    [`${vault}/keys/release/action`],
  ],
  [
    "e40ec5ca-96e0-45a2-b4ff-59039f2c2b59",
    "Managed Identity Contributor",
    "Create, Read, Update, and Delete User Assigned Identity",
    [
      ...on(identity, "read", "write", "delete"),
      ...on(`${identity}/federatedIdentityCredentials`, "read", "write", "delete"),
      `${identity}/revokeTokens/action`,
      authorizationRead,
      alertRules,
      groupRead,
      deployments,
      support,
    ],
  ],
  [
    "f1a07417-d97a-45cb-824c-7a7467783830",
    "Managed Identity Operator",
    "Read and Assign User Assigned Identity",
    [`${identity}/*/read`, `${identity}/*/assign/action`, authorizationRead, alertRules, groupRead, deployments, support],
  ],
  [
    "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
    "Storage Blob Data Reader",
    "Allows for read access to Azure Storage blob containers and data",
    on(blobServices, "containers/read", "generateUserDelegationKey/action"),
    [`${blobs}/read`],
  ],
  [
    "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    "Storage Blob Data Contributor",
    "Allows for read, write and delete access to Azure Storage blob containers and data",
    [...on(`${blobServices}/containers`, "delete", "read", "write"), `${blobServices}/generateUserDelegationKey/action`],
    on(blobs, "delete", "read", "write", "move/action", "add/action"),
  ],
  [
    "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
    "Storage Blob Data Owner",
    "Allows for full access to Azure Storage blob containers and data, including assigning POSIX access control.",
    on(blobServices, "containers/*", "generateUserDelegationKey/action"),
    [`${blobs}/*`],
  ],
  [
    "db58b8e5-c6ad-4a2a-8342-4190687cbf4a",
    "Storage Blob Delegator",
    "Allows for generation of a user delegation key which can be used to sign SAS tokens",
    [`${blobServices}/generateUserDelegationKey/action`],
  ],
  [
    "974c5e8b-45b9-4653-ba55-5f855dd0fb88",
    "Storage Queue Data Contributor",
    "Allows for read, write, and delete access to Azure Storage queues and queue messages",
    on(queues, "delete", "read", "write"),
    on(`${queues}/messages`, "delete", "read", "write", "process/action"),
  ],
  [
    "8a0f0c08-91a1-4084-bc3d-661d67233fed",
    "Storage Queue Data Message Processor",
    "Allows for peek, receive, and delete access to Azure Storage queue messages",
    [],
    on(`${queues}/messages`, "read", "process/action"),
  ],
  [
    "c6a89b2d-59bc-44d0-9896-0f6e12d7b80a",
    "Storage Queue Data Message Sender",
    "Allows for sending of Azure Storage queue messages",
    [],
    [`${queues}/messages/add/action`],
  ],
  [
    "19e7f393-937e-4f77-808e-94535e297925",
    "Storage Queue Data Reader",
    "Allows for read access to Azure Storage queues and queue messages",
    [`${queues}/read`],
    [`${queues}/messages/read`],
  ],
  [
    "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3",
    "Storage Table Data Contributor",
    "Allows for read, write and delete access to Azure Storage tables and entities",
    on(tables, "read", "write", "delete"),
    on(`${tables}/entities`, "read", "write", "delete", "add/action", "update/action"),
  ],
  [
    "76199698-9eea-4c19-bc75-cec21354c6b6",
    "Storage Table Data Reader",
    "Allows for read access to Azure Storage tables and entities",
    [`${tables}/read`],
    [`${tables}/entities/read`],
  ],
  [
    "0c867c2a-1d8c-454a-a3db-ab2ea1bdc8bb",
    "Storage File Data SMB Share Contributor",
    "Allows for read, write, and delete access in Azure Storage file shares over SMB",
    [],
    on(files, "read", "write", "delete"),
  ],
  [
    "aba4ae5f-2193-4029-9191-0cb91df5e314",
    "Storage File Data SMB Share Reader",
    "Allows for read access to Azure File Share over SMB",
    [],
    [`${files}/read`],
  ],
  [
    "a7264617-510b-434b-a828-9731dc254ea7",
    "Storage File Data SMB Share Elevated Contributor",
    "Allows for read, write, delete and modify NTFS permission access in Azure Storage file shares over SMB",
    [],
    on(files, "read", "write", "delete", "modifypermissions/action"),
  ],
  [
    "69566ab7-960f-475b-8e7c-b3118f30c6bd",
    "Storage File Data Privileged Contributor",
    "Customer has read, write, delete and modify NTFS permission access on Azure Storage file shares.",
    [],
    [
      ...on(files, "read", "write", "delete", "modifypermissions/action"),
      ...on(fileServices, "readFileBackupSemantics/action", "writeFileBackupSemantics/action"),
    ],
  ],
  [
    "b8eda974-7b85-4f76-af95-65846b26df6d",
    "Storage File Data Privileged Reader",
    "Customer has read access on Azure Storage file shares.",
    [],
    [`${files}/read`, `${fileServices}/readFileBackupSemantics/action`],
  ],
  [
    "17d1049b-9a84-46fb-8f53-869881c3d3ab",
    "Storage Account Contributor",
    "Lets you manage storage accounts, including accessing storage account keys which provide full access to storage account data.",
    [
      authorizationRead,
      alertRules,
      "Microsoft.Insights/diagnosticSettings/*",
      `${network}/virtualNetworks/subnets/joinViaServiceEndpoint/action`,
      health,
      deployments,
      groupRead,
      `${storage}/*`,
      support,
    ],
  ],
  [
    "81a9662b-bebf-436f-a333-f67b29880f12",
    "Storage Account Key Operator Service Role",
    "Storage Account Key Operators are allowed to list and regenerate keys on Storage Accounts",
    on(storage, "listkeys/action", "regeneratekey/action"),
  ],
  [
    "c12c1c16-33a1-487b-954d-41c89c60f349",
    "Reader and Data Access",
    "Lets you view everything but will not let you delete or create a storage account or contained resource. It will also allow read/write access to all data contained in a storage account via access to storage account keys.",
    on(storage, "listKeys/action", "ListAccountSas/action", "read"),
  ],
  [
    "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
    "Virtual Machine Contributor",
    "Lets you manage virtual machines, but not access to them, and not the virtual network or storage account they're connected to.",
    [
      authorizationRead,
      ...["availabilitySets", "locations", "virtualMachines", "virtualMachineScaleSets", "cloudServices"].map(
        (type) => `${compute}/${type}/*`,
      ),
      ...on(`${compute}/disks`, "write", "read", "delete"),
      ...on(`${compute}/hostgroups`, "write", "hosts/write"),
      "Microsoft.DevTestLab/schedules/*",
      alertRules,
      `${network}/applicationGateways/backendAddressPools/join/action`,
      ...["backendAddressPools", "inboundNatPools", "inboundNatRules", "probes"].map(
        (part) => `${network}/loadBalancers/${part}/join/action`,
      ),
      `${network}/loadBalancers/read`,
      `${network}/locations/*`,
      `${network}/networkInterfaces/*`,
      ...on(`${network}/networkSecurityGroups`, "join/action", "read"),
      ...on(`${network}/publicIPAddresses`, "join/action", "read"),
      ...on(`${network}/virtualNetworks`, "read", "subnets/join/action"),
      "Microsoft.RecoveryServices/locations/*",
      `${recoveryVaults}/backupFabrics/backupProtectionIntent/write`,
      ...on(`${recoveryVaults}/backupFabrics/protectionContainers/protectedItems`, "*/read", "read", "write"),
      ...on(`${recoveryVaults}/backupPolicies`, "read", "write"),
      ...on(recoveryVaults, "read", "usages/read", "write"),
      health,
      deployments,
      groupRead,
      "Microsoft.SerialConsole/serialPorts/connect/action",
      "Microsoft.SqlVirtualMachine/*",
      ...on(storage, "listKeys/action", "read"),
      support,
    ],
  ],
  [
    "1c0163c0-47e6-4577-8991-ea5c82e286e4",
    "Virtual Machine Administrator Login",
    "View Virtual Machines in the portal and login as administrator",
    [
      ...["publicIPAddresses", "virtualNetworks", "loadBalancers", "networkInterfaces"].map((type) => `${network}/${type}/read`),
      `${compute}/virtualMachines/*/read`,
      "Microsoft.HybridCompute/machines/*/read",
      "Microsoft.HybridConnectivity/endpoints/listCredentials/action",
    ],
    [
      ...on(`${compute}/virtualMachines`, "login/action", "loginAsAdmin/action"),
      ...on("Microsoft.HybridCompute/machines", "login/action", "loginAsAdmin/action"),
    ],
  ],
  [
    "43d0d8ad-25c7-4714-9337-8ba259a9fe05",
    "Monitoring Reader",
    "Can read all monitoring data.",
    ["*/read", `${workspaces}/search/action`, support],
  ],
  [
    "749f88d5-cbae-40b8-bcfc-e573ddc772fa",
    "Monitoring Contributor",
    "Can read all monitoring data and update monitoring settings.",
    [
      "*/read",
      ...on("Microsoft.AlertsManagement", "alerts/*", "alertsSummary/*", "issues/*"),
      ...on(
        "Microsoft.Insights",
        "actiongroups/*",
        "activityLogAlerts/*",
        "AlertRules/*",
        "components/*",
        "createNotifications/*",
        "dataCollectionEndpoints/*",
        "dataCollectionRules/*",
        "dataCollectionRuleAssociations/*",
        "DiagnosticSettings/*",
        "eventtypes/*",
        "LogDefinitions/*",
        "metricalerts/*",
        "MetricDefinitions/*",
        "Metrics/*",
        "notificationStatus/*",
        "Register/Action",
        "scheduledqueryrules/*",
        "webtests/*",
        "workbooks/*",
        "workbooktemplates/*",
        "privateLinkScopes/*",
        "privateLinkScopeOperationStatuses/*",
      ),
      ...on("Microsoft.Monitor", "accounts/*", "settings/*"),
      ...on(
        workspaces,
        "write",
        "intelligencepacks/*",
        "savedSearches/*",
        "search/action",
        "sharedKeys/action",
        "sharedKeys/read",
        "storageinsightconfigs/*",
      ),
      "Microsoft.OperationalInsights/locations/workspaces/failover/action",
      `${workspaces}/failback/action`,
      support,
      ...on(
        "Microsoft.AlertsManagement",
        "smartDetectorAlertRules/*",
        "actionRules/*",
        "smartGroups/*",
        "migrateFromSmartDetection/*",
        "investigations/*",
        "prometheusRuleGroups/*",
      ),
      "Microsoft.Monitor/investigations/*",
      deployments,
    ],
  ],
  [
    "3913510d-42f4-4e42-8a64-420c390055eb",
    "Monitoring Metrics Publisher",
    "Enables publishing metrics against Azure resources",
    ["Microsoft.Insights/Register/Action", support, groupRead],
    ["Microsoft.Insights/Metrics/Write", "Microsoft.Insights/Telemetry/Write"],
  ],
  [
    "73c42c96-874c-492b-b04d-ab87d138a893",
    "Log Analytics Reader",
    "Log Analytics Reader can view and search all monitoring data as well as and view monitoring settings, including viewing the configuration of Azure diagnostics on all Azure resources.",
    ["*/read", ...on(workspaces, "analytics/query/action", "search/action"), support],
    [],
    [`${workspaces}/sharedKeys/read`],
  ],
  [
    "92aaf0da-9dab-42b6-94a3-d43ce8d16293",
    "Log Analytics Contributor",
    "Log Analytics Contributor can read all monitoring data and edit monitoring settings. Editing monitoring settings includes adding the VM extension to VMs; reading storage account keys to be able to configure collection of logs from Azure Storage; adding solutions; and configuring Azure diagnostics on all Azure resources.",
    [
      "*/read",
      "Microsoft.ClassicCompute/virtualMachines/extensions/*",
      "Microsoft.ClassicStorage/storageAccounts/listKeys/action",
      `${compute}/virtualMachines/extensions/*`,
      "Microsoft.HybridCompute/machines/extensions/write",
      alertRules,
      "Microsoft.Insights/diagnosticSettings/*",
      "Microsoft.OperationalInsights/*",
      "Microsoft.OperationsManagement/*",
      deployments,
      "Microsoft.Resources/subscriptions/resourcegroups/deployments/*",
      `${storage}/listKeys/action`,
      support,
    ],
  ],
  [
    "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
    "Azure Kubernetes Service Cluster Admin Role",
    "List cluster admin credential action.",
    on(clusters, "listClusterAdminCredential/action", "accessProfiles/listCredential/action", "read", "runcommand/action"),
  ],
  [
    "1afdec4b-e479-420e-99e7-f82237c7c5e6",
    "Azure Kubernetes Service Cluster Monitoring User",
    "List cluster monitoring user credential action.",
    on(clusters, "listClusterMonitoringUserCredential/action", "read"),
  ],
  [
    "4abbcc35-e782-43d8-92c5-2d3f1bd2253f",
    "Azure Kubernetes Service Cluster User Role",
    "List cluster user credential action.",
    on(clusters, "listClusterUserCredential/action", "read"),
  ],
  [
    "ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8",
    "Azure Kubernetes Service Contributor Role",
    "Grants access to read and write Azure Kubernetes Service clusters",
    [
      authorizationRead,
      ...["locations", "managedClusters", "managedclustersnapshots", "snapshots"].map((type) => `Microsoft.ContainerService/${type}/*`),
      alertRules,
      deployments,
      groupRead,
    ],
  ],
  [
    "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b",
    "Azure Kubernetes Service RBAC Cluster Admin",
    "Lets you manage all resources in the cluster.",
    clusterAccess,
    [`${clusters}/*`],
  ],
  [
    "3498e952-d568-435e-9b2c-8d77e338d7f7",
    "Azure Kubernetes Service RBAC Admin",
    "Lets you manage all resources under cluster/namespace, except update or delete resource quotas and namespaces.",
    clusterAccess,
    [`${clusters}/*`],
    [],
    [...on(`${clusters}/resourcequotas`, "write", "delete"), ...on(`${clusters}/namespaces`, "write", "delete")],
  ],
  [
    "00493d72-78f6-4148-b6c5-d3ce8e4799dd",
    "Azure Arc Enabled Kubernetes Cluster User Role",
    "List cluster user credentials action.",
    [
      "Microsoft.Resources/deployments/write",
      ...subscriptionReading,
      "Microsoft.Kubernetes/connectedClusters/listClusterUserCredentials/action",
      authorizationRead,
      alertRules,
      support,
      "Microsoft.Kubernetes/connectedClusters/listClusterUserCredential/action",
    ],
  ],
  [
    "34e09817-6cbe-4d01-b1a2-e0eac5743d41",
    "Kubernetes Cluster - Azure Arc Onboarding",
    "Role definition to authorize any user/service to create connectedClusters resource",
    [
      authorizationRead,
      alertRules,
      "Microsoft.Resources/deployments/write",
      ...subscriptionReading,
      ...on("Microsoft.Kubernetes/connectedClusters", "Write", "read"),
      ...on("Microsoft.KubernetesConfiguration/extensions", "write", "read", "delete", "operations/read"),
      support,
    ],
  ],
  [
    "85cb6faf-e071-4c9b-8136-154b5a04f717",
    "Kubernetes Extension Contributor",
    "Can create, update, get, list and delete Kubernetes Extensions, and get extension async operations",
    [
      authorizationRead,
      alertRules,
      deployments,
      groupRead,
      ...on("Microsoft.KubernetesConfiguration/extensions", "write", "read", "delete", "operations/read"),
    ],
  ],
  ["7f951dda-4ed3-4680-a7ca-43fe172d538d", "AcrPull", "acr pull", [`${registries}/pull/read`]],
  ["8311e382-0749-4cb8-b61a-304f252e45ec", "AcrPush", "acr push", on(registries, "pull/read", "push/write")],
  ["c2f4ef07-c644-48eb-af81-4b1b4947fb11", "AcrDelete", "acr delete", [`${registries}/artifacts/delete`]],
  [
    "6cef56e8-d556-48e5-a04f-b8e64114680f",
    "AcrImageSigner",
    "acr image signer",
    [`${registries}/sign/write`],
    [`${registries}/trustedCollections/write`],
  ],
];

/**
 * The built-in roles of OpenShift's components on Azure. Azure publishes those of ingress, network, disk storage, cluster API and the
 * control-plane operator. The others follow the permissions that the operators request, and may differ from Azure's in detail.
 */
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
  [...rows, ...openShiftRoles].map(([guid, roleName, description, actions, dataActions = [], notActions = [], notDataActions = []]) => [
    guid,
    { roleName, description, ...rulesOf({ actions, notActions, dataActions, notDataActions }) },
  ]),
);
