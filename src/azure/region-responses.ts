/** Validators for what Resource Manager says about the sizes and preview features that a subscription may use. */
import { z } from "zod";
import { shape } from "./arm-responses.js";

/** https://learn.microsoft.com/rest/api/compute/resource-skus/list */
export interface SkuResponse {
  /** "Standard_D4ds_v5" */
  readonly name: string;
  readonly resourceType: string;
  /** The name of its quota: "standardDDSv5Family". */
  readonly family: string;
  readonly locationInfo: readonly { readonly location: string; readonly zones: readonly string[] }[];
  readonly capabilities: readonly { readonly name: string; readonly value: string }[];
  /** What the subscription cannot use: the whole location, or zones of it. */
  readonly restrictions: readonly {
    /** "Location" or "Zone". */
    readonly type: string;
    readonly restrictionInfo: { readonly locations: readonly string[]; readonly zones: readonly string[] };
  }[];
}

const texts = z.array(z.string()).default([]);

export const skuResponse = shape<SkuResponse>(
  z.object({
    name: z.string(),
    resourceType: z.string(),
    family: z.string().default(""),
    locationInfo: z.array(z.object({ location: z.string(), zones: texts })).default([]),
    capabilities: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    restrictions: z
      .array(
        z.object({
          type: z.string().default(""),
          restrictionInfo: z.object({ locations: texts, zones: texts }).default({ locations: [], zones: [] }),
        }),
      )
      .default([]),
  }),
);

/** https://learn.microsoft.com/rest/api/resources/features/get */
export interface FeatureResponse {
  /** "Registered", "NotRegistered", "Pending". */
  readonly properties: { readonly state: string };
}

export const featureResponse = shape<FeatureResponse>(z.object({ properties: z.object({ state: z.string() }) }));
