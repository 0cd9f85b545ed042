/** The service principals of deleted managed identities, which the directory keeps in its bin. */
import type { Answer } from "../core/service.js";
import { membersBefore } from "../state/draft.js";
import type { ArmCall } from "./resource-type.js";
import { keyOf } from "./resource-id.js";

const identityType = "microsoft.managedidentity/userassignedidentities";

/** However an identity is deleted while `answer` runs: by itself, with its group, or with its cluster. */
export function keepDeletedPrincipals({ state, now }: ArmCall, answer: () => Answer): Answer {
  const before = membersBefore(state.resources);
  const answered = answer();
  for (const [key, was] of before) {
    if (was === undefined || keyOf(was.type) !== identityType || key in state.resources) continue;
    const { id: identity, name: displayName, createdAt = 0, properties } = was;
    const [id, appId] = [String(properties["principalId"]), String(properties["clientId"])];
    state.deletedPrincipals ??= {};
    state.deletedPrincipals[id] = { id, appId, displayName, identity, createdAt, deletedAt: now };
  }
  return answered;
}
