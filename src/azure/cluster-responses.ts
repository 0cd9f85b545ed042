/** Schemas of Resource Manager's responses about AKS clusters, their nodes and the quotas of a subscription. */
import { z } from "zod";

const text = z.string();
const textOrNone = text.default("");
const texts = z.array(text).default([]);

/** The identity that AKS created for an add-on. */
const addOnIdentity = z.object({ resourceId: text, clientId: text, objectId: text });
export type AddOnIdentityResponse = z.infer<typeof addOnIdentity>;

const addOn = z.object({
  enabled: z.boolean(),
  /** Every value is a string: "true", "2m". */
  config: z.record(text, text).nullish(),
  identity: addOnIdentity.optional(),
});
export type AddOnResponse = z.infer<typeof addOn>;

/** https://learn.microsoft.com/rest/api/aks/managed-clusters/get */
export const managedClusterResponse = z.object({
  id: text,
  name: text,
  properties: z.object({
    /** Name of the group that AKS created for the nodes. */
    nodeResourceGroup: text,
    /** Keyed by add-on name, in any case. */
    addonProfiles: z.record(text, addOn).nullish(),
  }),
});

/** https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets/list. The identities are keyed by their resource IDs. */
export const scaleSetResponse = z.object({
  name: text,
  identity: z.object({ userAssignedIdentities: z.record(text, z.unknown()).optional() }).optional(),
});

/** https://learn.microsoft.com/rest/api/compute/resource-skus/list */
export const skuResponse = z.object({
  /** "Standard_D4ds_v5" */
  name: text,
  resourceType: text,
  /** The name of its quota: "standardDDSv5Family". */
  family: textOrNone,
  locationInfo: z.array(z.object({ location: text, zones: texts })).default([]),
  capabilities: z.array(z.object({ name: text, value: text })).default([]),
  /** What the subscription cannot use: the whole location ("Location"), or zones of it ("Zone"). */
  restrictions: z
    .array(
      z.object({
        type: textOrNone,
        restrictionInfo: z.object({ locations: texts, zones: texts }).default({ locations: [], zones: [] }),
      }),
    )
    .default([]),
});
export type SkuResponse = z.infer<typeof skuResponse>;

/** https://learn.microsoft.com/rest/api/resources/features/get. "Registered", "NotRegistered", "Pending". */
export const featureResponse = z.object({ properties: z.object({ state: text }) });
