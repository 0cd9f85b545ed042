/** The names of the resources of an AKS cluster. */
import { createHash } from "node:crypto";
import type { AksClusterKey } from "../../domain/cluster-kind.js";

export interface AksClusterNames {
  readonly group: string;
  /** Made by AKS, which refuses one that exists. */
  readonly nodeGroup: string;
  readonly cluster: string;
  readonly vnet: string;
  readonly nodeSubnet: string;
  readonly podSubnet: string;
  readonly securityGroup: string;
  readonly outboundAddress: string;
  readonly ingressAddress: string;
  readonly opsIngressAddress: string;
  readonly clusterIdentity: string;
  readonly kubeletIdentity: string;
  /** Globally unique, so it has a suffix of subscription and name. */
  readonly etcdVault: string;
  readonly etcdKey: string;
}

export function aksClusterNames({ name }: AksClusterKey, subscriptionId: string): AksClusterNames {
  return {
    group: name,
    nodeGroup: `${name}-nodes`,
    cluster: name,
    vnet: `${name}-vnet`,
    nodeSubnet: "ClusterSubnet-001",
    podSubnet: "PodSubnet-001",
    securityGroup: `${name}-node-nsg`,
    outboundAddress: `${name}-outbound-ip`,
    ingressAddress: `${name}-ingress-ip`,
    opsIngressAddress: `${name}-ops-ingress-ip`,
    clusterIdentity: `${name}-msi`,
    kubeletIdentity: `${name}-kubelet-msi`,
    etcdVault: vaultName(name, subscriptionId),
    etcdKey: "aks-etcd-encryption",
  };
}

/** 3 to 24 characters: letters, digits and hyphens, none of them doubled. */
function vaultName(name: string, subscriptionId: string): string {
  const suffix = createHash("sha256").update(`${subscriptionId.toLowerCase()}/etcd/${name}`).digest("hex").slice(0, 6);
  const stem = `ah-${name}`.replace(/-+/g, "-").slice(0, 17).replace(/-+$/, "");
  return `${stem}-${suffix}`;
}
