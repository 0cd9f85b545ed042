/** The rotation policy of a key, for Resource Manager and for the vault. */
import { z } from "zod";
import type { KeyRotation } from "../../../state/vault-content.js";
import { known, oneOf } from "../../body-schema.js";

/** ISO 8601, in whole days, months and years. */
const duration = z.string().regex(/^P(?=\d)(\d+Y)?(\d+M)?(\d+D)?$/);

export const rotationPolicyBody = known(
  {
    lifetimeActions: z
      .array(
        known({
          trigger: known({ timeAfterCreate: duration.optional(), timeBeforeExpiry: duration.optional() }),
          action: known({ type: oneOf("rotate", "notify") }),
        }),
      )
      .optional(),
    attributes: known({ expiryTime: duration.optional() }, ["created", "updated"]).optional(),
  },
  ["id"],
);

/** Times are epoch seconds. */
export function rotationOf(
  { lifetimeActions = [], attributes }: z.output<typeof rotationPolicyBody>,
  now: number,
  before: KeyRotation | undefined,
): KeyRotation {
  const expiryTime = attributes?.expiryTime;
  return {
    lifetimeActions,
    attributes: { ...(expiryTime !== undefined && { expiryTime }), created: before?.attributes.created ?? now, updated: now },
  };
}
