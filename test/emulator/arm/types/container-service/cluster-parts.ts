/** What a cluster of the tests refers to: identities, a network, an address and a vault with a key, each as Azure Resource Manager makes it. */
import { expect } from "vitest";
import { sampleUuid } from "../../../../../src/emulator/state/sampling.js";
import { ArmState, subscription, type Reply } from "../../arm-state.js";

/** AKS refuses without `error` around it, which Azure's published description does not have. */
export const unrecorded = { unrecorded: true } as const;

export const roles = {
  operator: "f1a07417-d97a-45cb-824c-7a7467783830",
  network: "4d97b98b-1d4f-4787-a291-c67834d212e7",
  crypto: "12338af0-0e69-4776-bea7-57ae8d297424",
} as const;

export class ClusterParts {
  readonly arm = new ArmState();
  readonly group = this.arm.group("mgmt");
  readonly id = `${this.group}/providers/Microsoft.ContainerService/managedClusters/demo`;
  readonly nodeGroup = `${subscription}/resourceGroups/MC_mgmt_demo_eastus`;
  readonly network = `${this.group}/providers/Microsoft.Network/virtualNetworks/net`;
  readonly nodes = `${this.network}/subnets/nodes`;
  readonly pods = `${this.network}/subnets/pods`;
  readonly address = `${this.group}/providers/Microsoft.Network/publicIPAddresses/out`;
  readonly clusterIdentity = this.identity("cluster");
  readonly kubeletIdentity = this.identity("kubelet");

  constructor() {
    this.arm.put(this.network, {
      location: "eastus",
      properties: {
        addressSpace: { addressPrefixes: ["10.128.0.0/14"] },
        subnets: [
          { name: "nodes", properties: { addressPrefix: "10.128.8.0/21" } },
          { name: "pods", properties: { addressPrefix: "10.128.64.0/18" } },
        ],
      },
    });
    this.publicAddress("out");
  }

  identity(name: string): string {
    const id = `${this.group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
    this.arm.put(id, { location: "eastus" });
    return id;
  }

  publicAddress(name: string): string {
    const id = `${this.group}/providers/Microsoft.Network/publicIPAddresses/${name}`;
    this.arm.put(id, { location: "eastus", sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } });
    return id;
  }

  principalOf(identity: string): string {
    return (this.arm.get(identity).body as { properties: { principalId: string } }).properties.principalId;
  }

  /** Gives the cluster's identity a role. */
  grant(role: keyof typeof roles, scope: string): void {
    // The answer to a GET replaces the state.
    const principalId = this.principalOf(this.clusterIdentity);
    const { state } = this.arm;
    const name = sampleUuid(state);
    const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`;
    state.roleAssignments[id.toLowerCase()] = {
      id,
      name,
      scope,
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${roles[role]}`,
      principalId,
      principalType: "ServicePrincipal",
      createdOn: "2026-01-01T00:00:00Z",
    };
  }

  grantAll(): void {
    this.grant("operator", this.kubeletIdentity);
    this.grant("network", this.network);
    this.grant("network", this.address);
  }

  /** The body of a cluster with both identities, subnets and the address. */
  body(properties: Readonly<Record<string, unknown>> = {}, pools: readonly object[] = [this.pool("system", "System")]): object {
    return {
      location: "eastus",
      sku: { name: "Base", tier: "Standard" },
      identity: { type: "UserAssigned", userAssignedIdentities: { [this.clusterIdentity]: {} } },
      properties: {
        dnsPrefix: "demo",
        identityProfile: { kubeletidentity: { resourceId: this.kubeletIdentity } },
        agentPoolProfiles: pools,
        networkProfile: {
          networkPlugin: "azure",
          serviceCidr: "10.130.0.0/16",
          dnsServiceIP: "10.130.0.10",
          loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: this.address }] } },
        },
        ...properties,
      },
    };
  }

  pool(name: string, mode: "System" | "User", more: object = {}): object {
    return { name, ...this.settings(mode, more) };
  }

  settings(mode: "System" | "User", more: object = {}): object {
    return { mode, count: 2, vnetSubnetID: this.nodes, podSubnetID: this.pods, ...more };
  }

  /** Creates the cluster, with all roles. */
  create(properties: Readonly<Record<string, unknown>> = {}, pools?: readonly object[]): Reply {
    this.grantAll();
    const reply = this.arm.put(this.id, this.body(properties, pools));
    expect(reply.status).toBe(201);
    return reply;
  }
}

/** The code of a refusal, and what it is about. */
export function refused({ status, body }: Reply): readonly unknown[] {
  const { code, target } = body as { readonly code?: string; readonly target?: string };
  return [status, code, ...(target === undefined ? [] : [target])];
}
