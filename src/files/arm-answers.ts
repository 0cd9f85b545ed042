/** What Resource Manager answers where no SDK reads it for us, as far as it is read: each a function that takes the answer, or throws. */
import { z } from "zod";

const shape =
  <T>(schema: z.ZodType<T>) =>
  (answered: unknown): T =>
    schema.parse(answered);

/** https://learn.microsoft.com/rest/api/resources/subscriptions/get */
export interface SubscriptionAnswer {
  readonly displayName: string;
  /** "Enabled", "Warned", "PastDue", "Disabled", "Deleted". */
  readonly state: string;
  readonly tenantId?: string | undefined;
}

export const subscriptionAnswer = shape<SubscriptionAnswer>(
  z.object({ displayName: z.string(), state: z.string(), tenantId: z.string().optional() }),
);

export interface LocationAnswer {
  /** "eastus". */
  readonly name: string;
  /** "East US". */
  readonly displayName: string;
}

export const locationAnswer = shape<LocationAnswer>(z.object({ name: z.string(), displayName: z.string() }));
