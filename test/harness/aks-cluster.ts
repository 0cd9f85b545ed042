/** An AKS cluster as `create management-cluster` leaves it, made in the emulator by a seed: for tests of what reads and deletes it. */
import { aksClusterNames } from "../../src/aks/domain/cluster-names.js";
import type { ClusterKind } from "../../src/domain/cluster-kind.js";
import { formatResourceId, idKey, resourceGroupId } from "../../src/domain/resource-id.js";
import { grantName } from "../../src/domain/role-assignment-name.js";
import { cryptoUser, managedIdentityOperator, networkContributor, secretsUser, type Role } from "../../src/domain/roles.js";
import { wellKnown } from "../../src/emulator/index.js";
import type { TestEmulator } from "./test-emulator.js";

export interface SeededCluster {
  readonly kind?: ClusterKind;
  readonly name?: string;
  /** An existing group, which gets no tag. */
  readonly group?: string;
  readonly location?: string;
  /** IDs of vaults that the secrets provider reads. */
  readonly vaultIds?: readonly string[];
  /** Also the addresses for ingress. */
  readonly ingress?: boolean;
}

export type SeededIds = ReturnType<typeof aksClusterIds>;

const { subscriptionId, tenantId } = wellKnown;

/** Object IDs by name, so that tests can give them roles. */
export const clusterPrincipal = "a1000000-0000-4000-8000-000000000001";
export const kubeletPrincipal = "a1000000-0000-4000-8000-000000000002";

export function aksClusterIds({ kind = "management-cluster", name = "mgmt", group }: SeededCluster = {}) {
  const names = aksClusterNames({ kind, name }, subscriptionId);
  const groupId = resourceGroupId(subscriptionId, group ?? names.group);
  const network = (type: string, one: string) => formatResourceId(groupId, `Microsoft.Network/${type}`, one);
  const identity = (one: string) => formatResourceId(groupId, "Microsoft.ManagedIdentity/userAssignedIdentities", one);
  return {
    names,
    group: groupId,
    nodeGroup: resourceGroupId(subscriptionId, names.nodeGroup),
    cluster: formatResourceId(groupId, "Microsoft.ContainerService/managedClusters", names.cluster),
    vnet: network("virtualNetworks", names.vnet),
    nsg: network("networkSecurityGroups", names.securityGroup),
    outbound: network("publicIPAddresses", names.outboundAddress),
    ingress: network("publicIPAddresses", names.ingressAddress),
    clusterIdentity: identity(names.clusterIdentity),
    kubeletIdentity: identity(names.kubeletIdentity),
    vault: formatResourceId(groupId, "Microsoft.KeyVault/vaults", names.etcdVault),
  };
}

/** Returns its IDs. */
export async function seedAksCluster(azure: TestEmulator, seeded: SeededCluster = {}): Promise<SeededIds> {
  const { kind = "management-cluster", name = "mgmt", group, location = "eastus", vaultIds = [], ingress = false } = seeded;
  const ids = aksClusterIds(seeded);
  const tags = { [`aro-hcp-${kind}`]: name };
  const address = { location, tags, sku: { name: "Standard", tier: "Regional" }, properties: { publicIPAllocationMethod: "Static" } };
  await azure.seed({
    resources: {
      [ids.group]: { location, ...(group === undefined && { tags }) },
      [ids.nsg]: { location, tags, properties: {} },
      [ids.vnet]: {
        location,
        tags,
        properties: {
          addressSpace: { addressPrefixes: ["10.128.0.0/14"] },
          subnets: [{ name: ids.names.nodeSubnet, properties: { addressPrefix: "10.128.8.0/21", networkSecurityGroup: { id: ids.nsg } } }],
        },
      },
      [ids.outbound]: address,
      ...(ingress && { [ids.ingress]: address }),
      [ids.vault]: {
        location,
        tags,
        properties: { sku: { family: "A", name: "standard" }, tenantId, enableRbacAuthorization: true },
      },
      [`${ids.vault}/keys/${ids.names.etcdKey}`]: { properties: { kty: "RSA", keySize: 2048 } },
    },
    identities: [
      { id: ids.clusterIdentity, location, tags, principalId: clusterPrincipal },
      { id: ids.kubeletIdentity, location, tags, principalId: kubeletPrincipal },
    ],
    roleAssignments: [
      assigned(clusterPrincipal, networkContributor, ids.vnet),
      assigned(clusterPrincipal, networkContributor, ids.outbound),
      assigned(clusterPrincipal, managedIdentityOperator, ids.kubeletIdentity),
      assigned(clusterPrincipal, cryptoUser, ids.vault),
    ],
  });
  await azure.seed({ resources: { [ids.cluster]: clusterBody(ids, location, tags) } });
  await azure.seed({ roleAssignments: await addOnRoles(azure, ids, vaultIds) });
  return ids;
}

/** As create assigns it. */
export function assigned(principalId: string, role: Role, scope: string) {
  return { scope, role: role.id, principalId, name: grantName(principalId, role.id, idKey(scope)) };
}

function clusterBody(
  { names, vnet, outbound, clusterIdentity, kubeletIdentity }: SeededIds,
  location: string,
  tags: Record<string, string>,
) {
  return {
    location,
    tags,
    identity: { type: "UserAssigned", userAssignedIdentities: { [clusterIdentity]: {} } },
    properties: {
      dnsPrefix: names.cluster,
      nodeResourceGroup: names.nodeGroup,
      addonProfiles: { azureKeyvaultSecretsProvider: { enabled: true } },
      identityProfile: { kubeletidentity: { resourceId: kubeletIdentity } },
      agentPoolProfiles: [{ name: "system", mode: "System", count: 1, vnetSubnetID: `${vnet}/subnets/${names.nodeSubnet}` }],
      networkProfile: {
        networkPlugin: "azure",
        loadBalancerSku: "standard",
        outboundType: "loadBalancer",
        loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: outbound }] } },
        serviceCidr: "10.130.0.0/16",
        dnsServiceIP: "10.130.0.10",
      },
    },
  };
}

/** Of the identity that AKS created for the add-on. */
async function addOnRoles(azure: TestEmulator, ids: SeededIds, vaultIds: readonly string[]) {
  const principalId = await addOnPrincipal(azure, ids);
  return vaultIds.map((vault) => assigned(principalId, secretsUser, vault));
}

export async function addOnPrincipal(azure: TestEmulator, { cluster }: Pick<SeededIds, "cluster">): Promise<string> {
  const live = (await azure.snapshot()).resources[cluster.toLowerCase()] as {
    readonly properties: {
      readonly addonProfiles: { readonly azureKeyvaultSecretsProvider: { readonly identity: { readonly objectId: string } } };
    };
  };
  return live.properties.addonProfiles.azureKeyvaultSecretsProvider.identity.objectId;
}
