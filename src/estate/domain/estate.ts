/** What Azure has in several subscriptions, read once: origins, limits and candidates are decided from it alone. */
import type { Failure } from "../../errors/failure.js";

/** A resource group or a resource. */
export interface Entry {
  readonly id: string;
  /** In lower case: "microsoft.network/virtualnetworks". */
  readonly type: string;
  readonly name: string;
  /** In lower case. */
  readonly subscriptionId: string;
  /** The name of its group, in lower case; of a group its own. */
  readonly group: string;
  /** "eastus"; "global" or "" for what has no region. */
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Undefined where Azure does not say. */
  readonly createdAt: Date | undefined;
  /** Of a managed identity. */
  readonly principalId: string | undefined;
  /** The ID of the resource that manages it, such as the AKS cluster of a node group. */
  readonly managedBy: string | undefined;
  /** "Failed", "Updating", "Deleting": undefined if its last operation has succeeded, or Azure does not say. */
  readonly unready: string | undefined;
}

export interface Assignment {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly principalId: string;
  /** "ServicePrincipal", "User", "Group", "ForeignGroup": as it was when the role was assigned. */
  readonly principalType: string | undefined;
  readonly roleDefinitionId: string | undefined;
  /** Who assigned it: an object ID. */
  readonly createdBy: string | undefined;
  readonly createdOn: Date | undefined;
  readonly updatedOn: Date | undefined;
  readonly description: string | undefined;
  /** It limits what the role allows. */
  readonly condition: string | undefined;
  /** Only Azure Lighthouse sets it. */
  readonly delegatedManagedIdentityResourceId: string | undefined;
}

export interface ListedSubscription {
  /** In lower case. */
  readonly id: string;
  readonly name: string;
  /** "Enabled", "Warned", "PastDue", "Disabled". */
  readonly state: string;
  /** The tenant whose directory has its principals. */
  readonly tenantId: string | undefined;
  /** Tenants whose principals have roles in it through Azure Lighthouse. */
  readonly managedByTenants: readonly string[];
}

/** What could not be read: what depends on it is unknown, not absent. */
export interface Unread {
  /** Undefined for the directory. */
  readonly subscriptionId?: string;
  /** Names what was not read. */
  readonly failure: Failure;
}

export interface Estate {
  /** Whether no subscription was left out. */
  readonly isAll: boolean;
  readonly subscriptions: readonly ListedSubscription[];
  readonly entries: readonly Entry[];
  readonly assignments: readonly Assignment[];
  readonly unread: readonly Unread[];
}

/** What one way to read has found. */
export type Contents = Omit<Estate, "subscriptions" | "isAll">;

export function isType({ type }: Pick<Entry, "type">, { type: wanted }: { readonly type: string }): boolean {
  return type === wanted.toLowerCase();
}
