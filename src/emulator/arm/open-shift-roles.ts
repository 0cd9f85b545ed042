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

type Row = readonly [guid: string, roleName: string, description: string, actions: readonly string[], dataActions?: readonly string[]];

export const openShiftRoles: readonly Row[] = [
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
