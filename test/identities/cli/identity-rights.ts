/** The permitted and forbidden actions of each identity in Azure Resource Manager: one request of each kind, by role and scope. */
import { groupId, groups, ids, inGroup } from "../../cli/demo-cluster.js";

export interface ArmRequest {
  readonly method: string;
  /** ID of the requested resource. */
  readonly id: string;
  readonly apiVersion: string;
  readonly body?: object;
}

export interface Rights {
  readonly name: string;
  /** Its key in the identity files. */
  readonly field: string;
  /** The role allows it, on one of its scopes. */
  readonly may: ArmRequest;
  /** The role allows it, but not on this scope. */
  readonly elsewhere: ArmRequest;
  /** On one of the scopes, but the role lacks the action. */
  readonly mayNot: ArmRequest;
}

const inManaged = (type: string, name: string): string => `${groupId(groups.managed)}/providers/${type}/${name}`;

const readGroup = (name: string): ArmRequest => ({ method: "GET", id: groupId(name), apiVersion: "2025-04-01" });
const onNetwork = (method: string, id: string, body?: object): ArmRequest => ({
  method,
  id,
  apiVersion: "2025-05-01",
  ...(body && { body }),
});
const onZone = (type: string, body?: object): ArmRequest => ({
  method: "PUT",
  id: `${ids.publicZone}/${type}/apps`,
  apiVersion: "2018-05-01",
  ...(body && { body }),
});
const account = (group: string, name: string): ArmRequest => ({
  method: "PUT",
  id: `${groupId(group)}/providers/Microsoft.Storage/storageAccounts/${name}`,
  apiVersion: "2025-01-01",
  body: { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" } },
});
const deleteGroup: ArmRequest = { method: "DELETE", id: groupId(groups.managed), apiVersion: "2025-04-01" };
const assignRole: ArmRequest = {
  method: "PUT",
  id: inManaged("Microsoft.Authorization/roleAssignments", "00000000-0000-4000-8000-0000000000aa"),
  apiVersion: "2022-04-01",
  body: { properties: { roleDefinitionId: "any", principalId: "00000000-0000-4000-8000-0000000000ab" } },
};
const address = { location: "eastus", sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } };
const rule = {
  ...{ protocol: "Tcp", access: "Allow", direction: "Inbound", priority: 500 },
  ...{ sourceAddressPrefix: "*", sourcePortRange: "*", destinationAddressPrefix: "*", destinationPortRange: "443" },
};

/** By roles as HyperShift assigns them: M, N, V and D are the groups of cluster, security group, network and zone. */
export const controlPlaneRights: readonly Rights[] = [
  {
    // Contributor on M, N, V.
    name: "cpo",
    field: "controlPlaneOperator",
    may: onNetwork("PUT", `${ids.nsg}/securityRules/cpo`, { properties: rule }),
    elsewhere: readGroup("dns"),
    mayNot: assignRole,
  },
  {
    // Contributor on M, V.
    name: "nodepool-mgmt",
    field: "nodePoolManagement",
    may: onNetwork("GET", ids.vnet),
    elsewhere: onNetwork("GET", ids.nsg),
    mayNot: assignRole,
  },
  {
    // Cloud Controller Manager on M, N, V.
    name: "cloud-provider",
    field: "cloudProvider",
    may: onNetwork("PUT", inGroup(groups.managed, "publicIPAddresses/service"), address),
    elsewhere: onNetwork("PUT", inGroup("dns", "publicIPAddresses/service"), address),
    mayNot: onNetwork("DELETE", ids.nsg),
  },
  {
    // Disk Storage Operator on M.
    name: "disk",
    field: "disk",
    may: readGroup(groups.managed),
    elsewhere: readGroup(groups.vnet),
    mayNot: onNetwork("GET", ids.loadBalancer),
  },
  {
    // File Storage Operator on M, N, V.
    name: "file",
    field: "file",
    may: account(groups.managed, "demofiles"),
    elsewhere: account("dns", "demofiles"),
    mayNot: onNetwork("GET", ids.nsg),
  },
  {
    // Cluster Ingress Operator on M, V, D.
    name: "ingress",
    field: "ingress",
    may: onZone("A", { properties: { TTL: 30, ARecords: [{ ipv4Address: "192.0.2.7" }] } }),
    elsewhere: onNetwork("GET", `${inGroup(groups.nsg, "virtualNetworks/demo")}/subnets/default`),
    mayNot: onZone("TXT", { properties: { TTL: 30, TXTRecords: [{ value: ["x"] }] } }),
  },
  {
    // Network Operator on M, V.
    name: "network",
    field: "network",
    may: onNetwork("GET", ids.vnet),
    elsewhere: onNetwork("GET", inGroup(groups.nsg, "virtualNetworks/demo")),
    mayNot: onNetwork("DELETE", ids.subnet),
  },
  {
    // Image Registry Operator on M.
    name: "image-registry",
    field: "imageRegistry",
    may: account(groups.managed, "demoregistry"),
    elsewhere: account(groups.vnet, "demoregistry"),
    mayNot: deleteGroup,
  },
];

interface GuestRights extends Rights {
  /** The service account whose tokens it trusts. */
  readonly subject: string;
}

const drivers = "system:serviceaccount:openshift-cluster-csi-drivers";

/** Each with its role on M alone. */
export const dataPlaneRights: readonly GuestRights[] = [
  {
    name: "image-registry",
    field: "imageRegistryMSIClientID",
    subject: "system:serviceaccount:openshift-image-registry:registry",
    may: account(groups.managed, "demoregistrypods"),
    elsewhere: account(groups.vnet, "demoregistrypods"),
    mayNot: onNetwork("DELETE", ids.loadBalancer),
  },
  {
    name: "azure-disk",
    field: "diskMSIClientID",
    subject: `${drivers}:azure-disk-csi-driver-node-sa`,
    may: readGroup(groups.managed),
    elsewhere: readGroup(groups.nsg),
    mayNot: deleteGroup,
  },
  {
    name: "azure-file",
    field: "fileMSIClientID",
    subject: `${drivers}:azure-file-csi-driver-node-sa`,
    may: account(groups.managed, "demofilepods"),
    elsewhere: readGroup(groups.vnet),
    mayNot: deleteGroup,
  },
];
