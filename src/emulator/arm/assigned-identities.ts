/** The managed identities that a resource is given: one of its own, and those of the client. */
import { z } from "zod";
import type { AzureState } from "../state/state.js";
import { isRecord, known, oneOf } from "./body-schema.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";

/** An identity that is removed by PATCH is `null`. */
export const identityBody = known(
  {
    type: oneOf("None", "SystemAssigned", "UserAssigned", "SystemAssigned,UserAssigned"),
    userAssignedIdentities: z.record(z.string(), z.looseObject({}).nullable()).optional(),
  },
  ["principalId", "tenantId"],
);

export type IdentityBody = z.output<typeof identityBody>;

/** The first of the client's identities that does not exist. */
export function missingIdentity(state: AzureState, { userAssignedIdentities = {} }: IdentityBody): string | undefined {
  return Object.entries(userAssignedIdentities).find(([id, held]) => held !== null && state.resources[keyOf(id)] === undefined)?.[0];
}

/** As stored and answered; undefined for none. An own identity keeps its principal. */
export function storedIdentity(
  { state, uuid }: Pick<ArmCall, "state" | "uuid">,
  { type, userAssignedIdentities = {} }: IdentityBody,
  before: unknown,
): Record<string, unknown> | undefined {
  if (type === "None") return undefined;
  const had = isRecord(before) ? before : {};
  const own = { principalId: had["principalId"] ?? uuid(), tenantId: state.tenantId };
  const ids = Object.entries(userAssignedIdentities).filter(([, held]) => held !== null);
  const assigned = ids.map(([id]) => {
    const { principalId, clientId } = state.resources[keyOf(id)]?.properties ?? {};
    return [id, { principalId, clientId }] as const;
  });
  return {
    ...(type.startsWith("SystemAssigned") && own),
    type,
    ...(type.endsWith("UserAssigned") && { userAssignedIdentities: Object.fromEntries(assigned) }),
  };
}
