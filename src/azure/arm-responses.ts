/** Schemas of the Resource Manager responses that no SDK parses. */
import { z } from "zod";

const text = z.string();
const textOrNone = text.default("");
const texts = z.array(text).default([]);

/** https://learn.microsoft.com/rest/api/resources/subscriptions/get */
export const subscriptionResponse = z.object({
  displayName: text,
  /** "Enabled", "Warned", "PastDue", "Disabled", "Deleted". */
  state: text,
  tenantId: text.optional(),
});
export type SubscriptionResponse = z.infer<typeof subscriptionResponse>;

/** https://learn.microsoft.com/rest/api/resources/subscriptions/list */
const optional = text.nullish();

export const listedSubscription = z.object({
  subscriptionId: text,
  displayName: textOrNone,
  state: textOrNone,
  tenantId: text.optional(),
  managedByTenants: z.array(z.object({ tenantId: text })).default([]),
});

/** A row of a query for groups or resources. */
export const graphResource = z.object({
  id: text,
  type: text,
  location: optional,
  tags: z.record(text, text).nullish(),
  principalId: optional,
  managedBy: optional,
  provisioningState: optional,
});
export type GraphResource = z.infer<typeof graphResource>;

/** A row of a query for role assignments. */
export const graphAssignment = z.object({
  id: text,
  name: text,
  scope: text,
  principalId: text,
  principalType: optional,
  roleDefinitionId: optional,
  createdBy: optional,
  createdOn: optional,
  updatedOn: optional,
  description: optional,
  condition: optional,
  delegatedManagedIdentityResourceId: optional,
});
export type GraphAssignment = z.infer<typeof graphAssignment>;

/** A resource group, with its age if the list is asked to expand it. */
export const datedGroup = z.object({
  id: text,
  location: textOrNone,
  tags: z.record(text, text).optional(),
  managedBy: text.optional(),
  createdTime: text.optional(),
  properties: z.object({ provisioningState: text.optional() }).optional(),
});

/** https://learn.microsoft.com/rest/api/resources/providers/list */
export const providerResponse = z.object({
  /** "Microsoft.Network". */
  namespace: text,
  /** "Registered", "NotRegistered", "Registering", "Unregistering". */
  registrationState: text.default("NotRegistered"),
  /** `resourceType`: "virtualNetworks". `locations`: "East US"; a global type has none, or "global". */
  resourceTypes: z.array(z.object({ resourceType: text, locations: texts })).default([]),
});
export type ProviderResponse = z.infer<typeof providerResponse>;

/** `name`: "eastus". `displayName`: "East US". */
export const locationResponse = z.object({ name: text, displayName: text });

/**
 * The permissions of one role: https://learn.microsoft.com/rest/api/authorization/permissions/list-for-resource-group. `notActions` are subtracted
 * from the actions of this role only.
 */
export const permissionResponse = z.object({ actions: texts, notActions: texts });
export type PermissionResponse = z.infer<typeof permissionResponse>;

/** `type`: "User", "Group", "ServicePrincipal", "SystemDefined", "Everyone". */
const principals = z.array(z.object({ id: text, type: textOrNone })).default([]);

/** https://learn.microsoft.com/rest/api/authorization/deny-assignments/list */
export const denyAssignmentResponse = z.object({
  id: text,
  properties: z.object({
    denyAssignmentName: textOrNone,
    permissions: z.array(permissionResponse),
    scope: text,
    doNotApplyToChildScopes: z.boolean().default(false),
    /** The principal 00000000-0000-0000-0000-000000000000 stands for everyone. */
    principals,
    excludePrincipals: principals,
  }),
});
export type DenyAssignmentResponse = z.infer<typeof denyAssignmentResponse>;

/** https://learn.microsoft.com/rest/api/resources/management-locks/list-at-subscription-level. `level`: "ReadOnly" or "CanNotDelete". */
export const lockResponse = z.object({ id: text, name: text, properties: z.object({ level: text }) });

/** https://learn.microsoft.com/rest/api/virtualnetwork/usages/list; storage accounts return the same format. "PublicIPAddresses" is a name. */
export const usageResponse = z.object({ name: z.object({ value: text }), currentValue: z.number(), limit: z.number() });
export type UsageResponse = z.infer<typeof usageResponse>;

/** Classic administrators of a subscription, api-version 2019-08-01-preview. */
export const roleAssignmentUse = z.object({ roleAssignmentsCurrentCount: z.number(), roleAssignmentsLimit: z.number() });

/** Any resource, for its name only: a group, a file share. */
export const namedResponse = z.object({ name: text });

/** Any resource: the pipeline has checked its members. */
export const anyResponse = z.looseObject({});
