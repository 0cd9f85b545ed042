/** The desired state of `create management-cluster` and `create service-cluster`: validated settings in the terms of Azure. */
import type { IpTag } from "./ip-tags.js";
import type { AgentPoolSpec } from "./pools.js";
import type { AksClusterKey } from "./cluster-kind.js";

export const presets = ["recommended", "dev", "production"] as const;
export type Preset = (typeof presets)[number];

/** A preset's choices, each of which an option may override. */
export interface ClusterFeatures {
  /** Rotation of the Key Vault secrets provider's secrets; the add-on itself is always on. */
  readonly secretRotation: boolean;
  /** As Azure writes it: `1h`, `1m`. */
  readonly rotationPollInterval: string;
  readonly oidcIssuer: boolean;
  readonly workloadIdentity: boolean;
  /** Microsoft Entra sign-in with Azure RBAC, and no local accounts. */
  readonly entraOnly: boolean;
  readonly etcdEncryption: boolean;
  readonly maintenanceWindows: boolean;
  readonly autoUpgrade: boolean;
  readonly imageCleaner: boolean;
  readonly tier: "Free" | "Standard" | "Premium";
}

/** IDs of existing resources, which are used and never changed. */
export interface ExistingClusterParts {
  readonly vnetId?: string | undefined;
  readonly nodeSubnetId?: string | undefined;
  readonly podSubnetId?: string | undefined;
  readonly networkSecurityGroupId?: string | undefined;
  readonly outboundAddressId?: string | undefined;
  readonly clusterIdentityId?: string | undefined;
  readonly kubeletIdentityId?: string | undefined;
  /** Key identifier with a version: `https://VAULT.vault.azure.net/keys/NAME/VERSION`. */
  readonly etcdKeyId?: string | undefined;
}

export interface AksClusterSpec {
  readonly cluster: AksClusterKey;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** An existing group, or the name of the group to create. */
  readonly group: { readonly name: string; readonly isExisting: boolean };
  readonly nodeGroupName: string;
  readonly features: ClusterFeatures;
  /** Undefined: the region's default version. */
  readonly kubernetesVersion: string | undefined;
  readonly network: {
    readonly vnetCidr: string;
    readonly nodeSubnetCidr: string;
    /** Undefined: nodes and pods share the node subnet. */
    readonly podSubnetCidr: string | undefined;
    readonly serviceCidr: string;
    readonly dnsServiceIp: string;
  };
  readonly existing: ExistingClusterParts;
  readonly egressIpTags: readonly IpTag[];
  /** System pool first. */
  readonly pools: readonly AgentPoolSpec[];
  /** Resource IDs of the vaults of identity sets that the secrets provider's identity reads. */
  readonly vaultIds: readonly string[];
  /** Object IDs of the Entra groups whose members administer the cluster. */
  readonly adminGroupIds: readonly string[];
  /** Resource IDs of the container registries that the nodes pull from. */
  readonly registryIds: readonly string[];
  /** The user's tags for the created resource group and the cluster. */
  readonly tags: Readonly<Record<string, string>>;
  /** The cluster's choices as tags, which a create records. */
  readonly optionTags?: Readonly<Record<string, string>>;
  /** What enters through an address of its own; undefined without one. */
  readonly ingress: IngressSpec | undefined;
}

export interface IngressSpec {
  readonly ipTags: readonly IpTag[];
  readonly rules: readonly {
    readonly name: string;
    readonly priority: number;
    readonly serviceTag: string;
    readonly address: "ingress" | "ops";
  }[];
  /** A second address for the operators' ingress. */
  readonly ops: boolean;
  /** The A record of the ingress address, and the certificate for that hostname; undefined without a domain. */
  readonly domain?: { readonly zone: string; readonly host: string; readonly zoneGroup: string | undefined } | undefined;
  readonly certificate?:
    { readonly vaultId: string; readonly name: string; readonly issuer: string; readonly hostnames: readonly string[] } | undefined;
  readonly istioRevisions: readonly string[];
}
