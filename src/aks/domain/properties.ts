/** The properties of an AKS cluster that a create sets, as the body of its PUT. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import { ownershipTags } from "../../domain/ownership.js";
import type { AksClusterSpec } from "./cluster-spec.js";
import { wantedProfile, type PoolParts } from "./pool-properties.js";

/** What other steps create, or look up. */
export interface ClusterParts extends PoolParts {
  readonly outboundAddressId: string;
  readonly clusterIdentityId: string;
  readonly kubelet: { readonly id: string; readonly clientId: string; readonly objectId: string };
  /** Identifier of the key that encrypts etcd, with its version; undefined without one. */
  readonly etcdKeyId: string | undefined;
}

/** Azure/ARO-HCP's values: nodes are added fast, and removed only after half an hour. */
const autoScaler = {
  scanInterval: "10s",
  scaleDownDelayAfterAdd: "30m",
  scaleDownDelayAfterDelete: "60s",
  scaleDownDelayAfterFailure: "3m",
  scaleDownUnneededTime: "30m",
  scaleDownUnreadyTime: "20m",
  scaleDownUtilizationThreshold: "0.3",
  skipNodesWithLocalStorage: "false",
  maxGracefulTerminationSec: "600",
  maxNodeProvisionTime: "15m",
  balanceSimilarNodeGroups: "true",
  daemonsetEvictionForEmptyNodes: true,
  daemonsetEvictionForOccupiedNodes: true,
} as const;

/** The cluster with its system pools; other pools are resources of their own. */
export function wantedCluster(spec: AksClusterSpec, parts: ClusterParts): ManagedCluster {
  const { cluster, features, pools } = spec;
  return {
    location: spec.location,
    tags: { ...spec.tags, ...ownershipTags(cluster) },
    sku: { name: "Base", tier: features.tier },
    identity: { type: "UserAssigned", userAssignedIdentities: { [parts.clusterIdentityId]: {} } },
    dnsPrefix: dnsPrefix(cluster.name),
    nodeResourceGroup: spec.nodeGroupName,
    ...(parts.kubernetesVersion !== undefined && { kubernetesVersion: parts.kubernetesVersion }),
    enableRbac: true,
    supportPlan: "KubernetesOfficial",
    servicePrincipalProfile: { clientId: "msi" },
    identityProfile: {
      kubeletidentity: { resourceId: parts.kubelet.id, clientId: parts.kubelet.clientId, objectId: parts.kubelet.objectId },
    },
    addonProfiles: {
      azureKeyvaultSecretsProvider: {
        enabled: true,
        // Azure accepts only text here.
        config: { enableSecretRotation: String(features.secretRotation), rotationPollInterval: features.rotationPollInterval },
      },
    },
    agentPoolProfiles: pools.filter(({ role }) => role === "system").map((pool) => wantedProfile(spec, pool, parts)),
    ...(pools.some(({ isAutoscaled }) => isAutoscaled) && { autoScalerProfile: autoScaler }),
    ...(features.autoUpgrade && { autoUpgradeProfile: { upgradeChannel: "patch", nodeOSUpgradeChannel: "NodeImage" } }),
    networkProfile: networkProfile(spec, parts),
    ...(features.oidcIssuer && { oidcIssuerProfile: { enabled: true } }),
    ...securityProfile(spec, parts),
    storageProfile: {
      diskCSIDriver: { enabled: true },
      fileCSIDriver: { enabled: true },
      snapshotController: { enabled: true },
    },
    ...access(spec),
    ...(cluster.kind === "service-cluster" && mesh(spec)),
  };
}

/** Microsoft Entra sign-in with Azure RBAC. Groups administer also a cluster that has local accounts. */
function access({ features, adminGroupIds, tenantId }: AksClusterSpec): Pick<ManagedCluster, "aadProfile" | "disableLocalAccounts"> {
  if (!features.entraOnly && adminGroupIds.length === 0) return {};
  const groups = adminGroupIds.length === 0 ? {} : { adminGroupObjectIDs: [...adminGroupIds] };
  const aadProfile = { managed: true, tenantID: tenantId, ...(features.entraOnly && { enableAzureRbac: true }), ...groups };
  return { aadProfile, ...(features.entraOnly && { disableLocalAccounts: true }) };
}

function networkProfile({ cluster, network }: AksClusterSpec, parts: ClusterParts): ManagedCluster["networkProfile"] & object {
  // Cilium gives pods their addresses from a subnet of their own.
  const isCilium = cluster.kind === "service-cluster" && parts.podSubnetId !== undefined;
  const engine = isCilium ? "cilium" : "azure";
  return {
    networkPlugin: "azure",
    networkDataplane: engine,
    networkPolicy: engine,
    serviceCidr: network.serviceCidr,
    dnsServiceIP: network.dnsServiceIp,
    ipFamilies: ["IPv4"],
    loadBalancerSku: "standard",
    loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: parts.outboundAddressId }] } },
  };
}

function securityProfile({ features }: AksClusterSpec, { etcdKeyId }: ClusterParts): Pick<ManagedCluster, "securityProfile"> {
  const securityProfile = {
    ...(features.workloadIdentity && { workloadIdentity: { enabled: true } }),
    ...(features.imageCleaner && { imageCleaner: { enabled: true, intervalHours: 24 } }),
    ...(etcdKeyId !== undefined && { azureKeyVaultKms: { enabled: true, keyId: etcdKeyId, keyVaultNetworkAccess: "Public" } }),
  };
  return Object.keys(securityProfile).length === 0 ? {} : { securityProfile };
}

/** Without a revision, AKS chooses the newest one, and an upgrade of the mesh may change it. */
function mesh({ ingress }: AksClusterSpec): Pick<ManagedCluster, "serviceMeshProfile" | "ingressProfile"> {
  const revisions = ingress?.istioRevisions ?? [];
  const istio = {
    components: { ingressGateways: [{ mode: "External", enabled: true }] },
    ...(revisions.length > 0 && { revisions: [...revisions] }),
  };
  return { serviceMeshProfile: { mode: "Istio", istio }, ingressProfile: { gatewayAPI: { installation: "Standard" } } };
}

/** At most 54 characters: letters, digits and inner hyphens. */
function dnsPrefix(name: string): string {
  return name.slice(0, 54).replace(/-+$/, "");
}
