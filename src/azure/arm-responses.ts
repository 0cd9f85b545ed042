/** Validators for the Resource Manager responses that no SDK parses. Each takes a response body and returns it typed, or throws. */
import { z } from "zod";

export const shape =
  <T>(schema: z.ZodType<T>) =>
  (answered: unknown): T =>
    schema.parse(answered);

/** https://learn.microsoft.com/rest/api/resources/subscriptions/get */
export interface SubscriptionResponse {
  readonly displayName: string;
  /** "Enabled", "Warned", "PastDue", "Disabled", "Deleted". */
  readonly state: string;
  readonly tenantId?: string | undefined;
}

export const subscriptionResponse = shape<SubscriptionResponse>(
  z.object({ displayName: z.string(), state: z.string(), tenantId: z.string().optional() }),
);

/** https://learn.microsoft.com/rest/api/resources/providers/list */
export interface ProviderResponse {
  /** "Microsoft.Network". */
  readonly namespace: string;
  /** "Registered", "NotRegistered", "Registering", "Unregistering". */
  readonly registrationState: string;
  readonly resourceTypes: readonly {
    /** "virtualNetworks". */
    readonly resourceType: string;
    /** "East US"; a global type has no location, or "global". */
    readonly locations: readonly string[];
  }[];
}

export const providerResponse = shape<ProviderResponse>(
  z.object({
    namespace: z.string(),
    registrationState: z.string().default("NotRegistered"),
    resourceTypes: z.array(z.object({ resourceType: z.string(), locations: z.array(z.string()).default([]) })).default([]),
  }),
);

export interface LocationResponse {
  /** "eastus". */
  readonly name: string;
  /** "East US". */
  readonly displayName: string;
}

export const locationResponse = shape<LocationResponse>(z.object({ name: z.string(), displayName: z.string() }));

/** The permissions of one role: https://learn.microsoft.com/rest/api/authorization/permissions/list-for-resource-group. */
export interface PermissionResponse {
  readonly actions: readonly string[];
  /** Subtracted from the actions of this role only. */
  readonly notActions: readonly string[];
}

const permission = z.object({ actions: z.array(z.string()).default([]), notActions: z.array(z.string()).default([]) });

export const permissionResponse = shape<PermissionResponse>(permission);

/** https://learn.microsoft.com/rest/api/authorization/deny-assignments/list */
export interface DenyAssignmentResponse {
  readonly id: string;
  readonly properties: {
    readonly denyAssignmentName: string;
    readonly permissions: readonly PermissionResponse[];
    readonly scope: string;
    readonly doNotApplyToChildScopes: boolean;
    /** The principal 00000000-0000-0000-0000-000000000000 stands for everyone. */
    readonly principals: readonly DeniedPrincipal[];
    readonly excludePrincipals: readonly DeniedPrincipal[];
  };
}

interface DeniedPrincipal {
  readonly id: string;
  /** "User", "Group", "ServicePrincipal", "SystemDefined", "Everyone". */
  readonly type: string;
}

const principals = z.array(z.object({ id: z.string(), type: z.string().default("") })).default([]);

export const denyAssignmentResponse = shape<DenyAssignmentResponse>(
  z.object({
    id: z.string(),
    properties: z.object({
      denyAssignmentName: z.string().default(""),
      permissions: z.array(permission),
      scope: z.string(),
      doNotApplyToChildScopes: z.boolean().default(false),
      principals,
      excludePrincipals: principals,
    }),
  }),
);

/** https://learn.microsoft.com/rest/api/resources/management-locks/list-at-subscription-level */
export interface LockResponse {
  readonly id: string;
  readonly name: string;
  readonly properties: {
    /** "ReadOnly" or "CanNotDelete". */
    readonly level: string;
  };
}

export const lockResponse = shape<LockResponse>(
  z.object({ id: z.string(), name: z.string(), properties: z.object({ level: z.string() }) }),
);

/** https://learn.microsoft.com/rest/api/virtualnetwork/usages/list; storage accounts return the same format. */
export interface UsageResponse {
  /** "PublicIPAddresses" */
  readonly name: { readonly value: string };
  readonly currentValue: number;
  readonly limit: number;
}

export const usageResponse = shape<UsageResponse>(
  z.object({ name: z.object({ value: z.string() }), currentValue: z.number(), limit: z.number() }),
);

/** Classic administrators of a subscription, api-version 2019-08-01-preview. */
export interface RoleAssignmentUse {
  readonly roleAssignmentsCurrentCount: number;
  readonly roleAssignmentsLimit: number;
}

export const roleAssignmentUse = shape<RoleAssignmentUse>(
  z.object({ roleAssignmentsCurrentCount: z.number(), roleAssignmentsLimit: z.number() }),
);

/** Any resource, for its name only: a group, a file share. */
export const namedResponse = shape<{ readonly name: string }>(z.object({ name: z.string() }));

/** https://learn.microsoft.com/rest/api/keyvault/keys/get-deleted-keys */
export interface DeletedKeyResponse {
  /** "https://demo.vault.azure.net/keys/<name>" */
  readonly kid: string;
  /** Whether it belongs to a certificate. */
  readonly managed?: boolean | undefined;
}

export const deletedKeyResponse = shape<DeletedKeyResponse>(z.object({ kid: z.url(), managed: z.boolean().optional() }));

/** The effect of policies on a planned resource: https://learn.microsoft.com/rest/api/policyinsights/policy-restrictions. */
export interface RestrictionsResponse {
  /** Restrictions of the requested fields. */
  readonly fieldRestrictions: readonly {
    readonly field: string;
    readonly restrictions: readonly {
      /** "Required", "Removed", "Deny", "Audit". */
      readonly result: string;
      readonly defaultValue?: string | undefined;
      readonly values: readonly string[];
      readonly policy: PolicyReference;
      readonly policyEffect: string;
    }[];
  }[];
  /** The policies that the resource as a whole violates. */
  readonly contentEvaluationResult: {
    readonly policyEvaluations: readonly {
      readonly policyInfo: PolicyReference;
      /** "NonCompliant". */
      readonly evaluationResult: string;
      /** "deny", "modify". */
      readonly effectDetails: { readonly policyEffect: string };
    }[];
  };
}

export interface PolicyReference {
  readonly policyDefinitionId: string;
  readonly policyAssignmentId: string;
}

const policyReference = z.object({ policyDefinitionId: z.string().default(""), policyAssignmentId: z.string().default("") });

export const restrictionsResponse = shape<RestrictionsResponse>(
  z.object({
    fieldRestrictions: z
      .array(
        z.object({
          field: z.string().default(""),
          restrictions: z
            .array(
              z.object({
                result: z.string().default(""),
                defaultValue: z.string().optional(),
                values: z.array(z.string()).default([]),
                policy: policyReference,
                policyEffect: z.string().default(""),
              }),
            )
            .default([]),
        }),
      )
      .default([]),
    contentEvaluationResult: z
      .object({
        policyEvaluations: z
          .array(
            z.object({
              policyInfo: policyReference,
              evaluationResult: z.string().default(""),
              effectDetails: z.object({ policyEffect: z.string().default("") }).default({ policyEffect: "" }),
            }),
          )
          .default([]),
      })
      .default({ policyEvaluations: [] }),
  }),
);

/** The identity that AKS created for an add-on. */
export interface AddOnIdentityResponse {
  readonly resourceId: string;
  readonly clientId: string;
  readonly objectId: string;
}

export interface AddOnResponse {
  readonly enabled: boolean;
  /** Every value is a string: "true", "2m". */
  readonly config?: Readonly<Record<string, string>> | null | undefined;
  readonly identity?: AddOnIdentityResponse | undefined;
}

/** https://learn.microsoft.com/rest/api/aks/managed-clusters/get */
export interface ManagedClusterResponse {
  readonly id: string;
  readonly name: string;
  readonly properties: {
    /** Name of the group that AKS created for the nodes. */
    readonly nodeResourceGroup: string;
    /** Keyed by add-on name, in any case. */
    readonly addonProfiles?: Readonly<Record<string, AddOnResponse>> | null | undefined;
  };
}

const addOn = z.object({
  enabled: z.boolean(),
  config: z.record(z.string(), z.string()).nullish(),
  identity: z.object({ resourceId: z.string(), clientId: z.string(), objectId: z.string() }).optional(),
});

export const managedClusterResponse = shape<ManagedClusterResponse>(
  z.object({
    id: z.string(),
    name: z.string(),
    properties: z.object({ nodeResourceGroup: z.string(), addonProfiles: z.record(z.string(), addOn).nullish() }),
  }),
);

/** https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets/list */
export interface ScaleSetResponse {
  readonly name: string;
  /** Keyed by the resource IDs of the identities. */
  readonly identity?: { readonly userAssignedIdentities?: Readonly<Record<string, unknown>> | undefined } | undefined;
}

export const scaleSetResponse = shape<ScaleSetResponse>(
  z.object({ name: z.string(), identity: z.object({ userAssignedIdentities: z.record(z.string(), z.unknown()).optional() }).optional() }),
);
