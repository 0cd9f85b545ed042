/** The settings of a seed document (`knobs`): limits, delays and policies of the emulated cloud. */

/** A Kubernetes API server outside the emulator, for the kubeconfigs of all AKS clusters. */
export interface ApiServer {
  /** "https://127.0.0.1:6443" */
  server: string;
  /** Base64 of the PEM of its authority. */
  certificateAuthorityData: string;
  /** What a static credential signs in with. */
  token: string;
}

export const subscriptionStates = ["Enabled", "Warned", "PastDue", "Disabled", "Deleted"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** A missing setting behaves as on Azure. */
export interface SeedSettings {
  /** Entries on one page of a list. */
  pageSize?: number;
  /** Role assignments a subscription may hold (Azure: 4000). */
  roleAssignmentLimit?: number;
  /** Public IP addresses a subscription may hold in a region (Azure: 1000). */
  publicIpLimit?: number;
  /** vCPUs that a subscription may use in a region, by VM family, or `cores` for all of them (Azure: 100 here). */
  coreQuotas?: Record<string, number>;
  /** Zones that offer a VM size; all of the region's if absent. */
  sizeZones?: Record<string, string[]>;
  /** VM sizes that the subscription may not have, in these zones, or nowhere in a region if the list is empty. */
  restrictedSizes?: Record<string, string[]>;
  /** Storage accounts a subscription may hold in a region (Azure: 250). */
  storageAccountLimit?: number;
  /** Record sets that a zone may hold (Azure: 10,000 in a public zone, 25,000 in a private one). */
  recordSetLimit?: number;
  /** Seconds (as on real Azure) until Graph and role assignments see a new principal. */
  replicationLagSeconds?: number;
  /** Seconds until federated credentials can be written under a new managed identity. */
  identityLagSeconds?: number;
  /** Seconds until a new role assignment applies to ARM actions (Azure: up to ten minutes, mostly none). */
  rightsLagSeconds?: number;
  /** Seconds until a new role assignment applies to data actions (vaults, blobs); if absent, sampled from the profile. */
  dataRightsLagSeconds?: number;
  /** Seconds until Entra accepts a certificate that was added to an application. */
  credentialLagSeconds?: number;
  /** Seconds for which Entra remembers a missing federated credential, even if it exists by then. */
  federationMissSeconds?: number;
  /** Directory objects, including soft-deleted ones, that a principal may own (Azure: 250 without an administrator role). */
  directoryQuota?: number;
  /** Directory objects that the tenant may have (Azure: 50,000 without a verified domain). */
  directorySize?: number;
  /** What a provider of certificates does with requests, by provider: leaves them pending, or rejects them. Others are signed. */
  certificateIssuance?: Record<string, "held" | "rejected">;
  /** GUIDs of built-in roles that this cloud does not have. */
  missingRoles?: string[];
  /** Names of storage accounts that another tenant uses. */
  takenStorageNames?: string[];
  /** Locations that do not offer a type, by type: "Microsoft.KeyVault/vaults". */
  notOffered?: Record<string, string[]>;
  /** A policy against public blobs: refuses the account, or switches its public blobs off. */
  publicBlobPolicy?: "deny" | "modify";
  /** A policy that refuses vaults without purge protection. */
  vaultPolicy?: "deny";
  /** GUIDs of the roles that a policy refuses to assign. */
  deniedRoles?: string[];
  /** What answers for every AKS cluster; if absent, a kubeconfig names a host that does not exist. */
  apiServer?: ApiServer;
  /** Of every subscription that has none of its own; "Disabled" and "Deleted" refuse all writes. */
  subscriptionState?: SubscriptionState;
  /** Seconds until Resource Graph sees a change (Azure: mostly less than 30, without a limit). */
  resourceGraphLagSeconds?: number;
  /** Rows after which Resource Graph cuts off a result, without a token for the rest. */
  resourceGraphRowLimit?: number;
  /** IDs of subscriptions that Resource Graph leaves out without a word. */
  resourceGraphHiddenSubscriptions?: string[];
}
