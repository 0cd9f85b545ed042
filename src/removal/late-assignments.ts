/** Adds the role assignments that a create makes during a destroy. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { assignmentsOfPrincipal } from "./assignments.js";
import type { OwnedRemoval } from "./owned.js";

/**
 * After the removal of what has the identities, deletes the role assignments that they have got since they were listed. Without the
 * identity that has them, no later destroy would find them.
 */
export function withLateAssignments(
  azure: Azure,
  removal: OwnedRemoval,
  principals: readonly (string | undefined)[],
  subscriptions: readonly string[],
): OwnedRemoval {
  return {
    ...removal,
    async remove(io) {
      await removal.remove(io);
      const pairs = subscriptions.flatMap((subscription) =>
        [...new Set(principals)].flatMap((principal) => (principal === undefined ? [] : [[subscription, principal] as const])),
      );
      const late = await Promise.all(pairs.map(([subscription, principal]) => assignmentsOfPrincipal(azure, subscription, principal)));
      const { roleAssignments } = await azure.authorization();
      for (const { scope, name } of late.flat()) {
        if (scope === undefined || name === undefined) continue;
        io.note("another client assigned a role to its identity");
        await found(roleAssignments.delete(scope, name));
      }
    },
  };
}
