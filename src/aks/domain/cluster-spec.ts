/** The desired state of `create management-cluster` and `create service-cluster`: validated settings in the terms of Azure. */
import type { IpTag } from "../../domain/ip-tags.js";
import type { PurgeProtection } from "../../domain/purge-protection.js";
import type { AgentPoolSpec } from "./pools.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";

export const presets = ["recommended", "dev", "production"] as const;
export type Preset = (typeof presets)[number];

/** The service tags from which the operators of ARO HCP reach a service cluster, unless the options name others. */
export const serviceTags = { geneva: "GenevaActions", sre: "CorpNetSaw" } as const;

/** The pricing tiers of AKS. */
export const tiers = ["Free", "Standard", "Premium"] as const;
export type Tier = (typeof tiers)[number];

/** A preset's choices; options override some of them. */
export interface ClusterFeatures {
  /** Rotation of the Key Vault secrets provider's secrets; the add-on itself is always on. */
  readonly secretRotation: boolean;
  /** The interval as Azure writes it: `1h`, `1m`. */
  readonly rotationPollInterval: string;
  readonly oidcIssuer: boolean;
  readonly workloadIdentity: boolean;
  /** Microsoft Entra sign-in with Azure RBAC, and no local accounts. */
  readonly entraOnly: boolean;
  readonly etcdEncryption: boolean;
  readonly maintenanceWindows: boolean;
  readonly autoUpgrade: boolean;
  readonly imageCleaner: boolean;
  /** Encrypts the nodes' disks and caches; the subscription must have the feature Microsoft.Compute/EncryptionAtHost. */
  readonly encryptionAtHost: boolean;
  readonly tier: Tier;
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
  /** The security group of the nodes, unless they use an existing one. */
  readonly securityGroupName: string;
  readonly features: ClusterFeatures;
  /** Undefined: the region's default version. */
  readonly kubernetesVersion: string | undefined;
  /** The version is that of an earlier create: a cluster that somebody has upgraded since keeps its own. */
  readonly isVersionRecorded?: boolean;
  readonly network: {
    readonly vnetCidr: string;
    readonly nodeSubnetCidr: string;
    /** Undefined: nodes and pods share the node subnet. */
    readonly podSubnetCidr: string | undefined;
    readonly serviceCidr: string;
    readonly dnsServiceIp: string;
  };
  readonly existing: ExistingClusterParts;
  /** The purge protection of the vault that is created for the etcd key. */
  readonly purgeProtection: PurgeProtection;
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
  /** What enters through an address of its own; undefined without one. */
  readonly ingress: IngressSpec | undefined;
}

export interface IngressSpec {
  /** IP tags of the service's address and of the operators'. */
  readonly ipTags: readonly IpTag[];
  /** A second address for the operators' ingress. */
  readonly ops: boolean;
  /** The service tags of the operators' tools, which the rules of the network security group allow. */
  readonly genevaServiceTag: string;
  readonly sreServiceTag: string;
  /** The hostnames of the addresses; undefined without a zone. */
  readonly domain: IngressDomain | undefined;
  readonly certificate: IngressCertificate | undefined;
  /** The revisions of Istio's add-on; empty for the newest that AKS offers. */
  readonly istioRevisions: readonly string[];
}

/** The public zone of the region, and the hostnames below it: `rp` in `eastus.hcp.example.com`. */
export interface IngressDomain {
  readonly zone: string;
  /** Undefined: the only zone of that name in the subscription. */
  readonly zoneGroup: string | undefined;
  readonly hosts: readonly string[];
  /** The hostnames of the operators, which have the address of the service without an ingress of their own. */
  readonly opsHosts: readonly string[];
  /** Whether the parent zone, if it is in the subscription, gets the delegation. */
  readonly delegate: boolean;
}

/** The TLS certificate of the ingress, in an existing vault that creates and renews it. */
export interface IngressCertificate {
  readonly vaultId: string;
  readonly name: string;
  /** `Self`, or the name of an issuer of the vault. */
  readonly issuer: string;
  /** All DNS names; the first is the subject. */
  readonly hostnames: readonly string[];
}
