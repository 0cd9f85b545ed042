/** The row of role assignments of deleted principals on the cluster's groups. */
import type { RoleAssignment } from "@azure/arm-authorization";
import { assignedComponents } from "../../domain/components.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked } from "../../verify/check.js";
import type { Subject } from "../../verify/row.js";
import { rowOfGroups, unlessDirectoryRefused, type IdentityReads } from "./reads.js";
import { catchGroupNotFound, namesOn, scopesIn, unassign } from "./scopes.js";

/** The groups of the cluster, without duplicates. */
export function groupsOf({ azure, chain: { infra } }: IdentityReads): (Subject & { readonly id: string })[] {
  const ids = infra === undefined ? [] : Object.values(scopesIn(infra, azure.connection.subscriptionId));
  return ids
    .filter((id, index, every) => every.findIndex((other) => sameId(other, id)) === index)
    .map((id) => ({ key: parseResourceId(id).resourceGroup ?? id, id }));
}

export const roleDangling = rowOfGroups("role-dangling", {}, (_needs, reads, { id }) =>
  catchGroupNotFound(
    () =>
      unlessDirectoryRefused(async () => {
        const [live, existing] = [await others(reads, id), await existingPrincipals(reads)];
        const left = live.filter((one) => canBeDangling(one) && !existing.has((one.principalId ?? "").toLowerCase()));
        if (left.length === 0)
          return passed(
            live.length === 0
              ? "no assignments other than the cluster's own"
              : `${plural(live.length, "assignment")} besides the cluster's own, all of existing principals`,
          );
        return failed(
          `the principals of ${String(left.length)} of ${plural(live.length, "assignment")} no longer exist: ${[...new Set(left.map(({ principalId = "" }) => principalId))].join(", ")}`,
          unassign(left),
        );
      }),
    notChecked,
  ),
);

/** Leaves out the cluster's own assignments: the components' rows cover them, and a deleted principal may be restored. */
async function others(reads: IdentityReads, scope: string): Promise<RoleAssignment[]> {
  const infraId = reads.chain.infra?.infraID ?? "";
  const live = await reads.assignments.on(scope);
  const own = (await Promise.all(assignedComponents.map((component) => namesOn(reads, scope, infraId, component)))).flat();
  return live.filter(({ name }) => !own.includes(name?.toLowerCase() ?? ""));
}

/** Looking up users and groups needs more permissions, and clusters do not leave their assignments. */
function canBeDangling({ principalType = "Unknown" }: RoleAssignment): boolean {
  return ["ServicePrincipal", "Unknown"].includes(principalType);
}

/** The principals of all groups are looked up together. */
function existingPrincipals(reads: IdentityReads): Promise<ReadonlySet<string>> {
  return reads.once("assignees", async () => {
    const live = (await Promise.all(groupsOf(reads).map(({ id }) => others(reads, id)))).flat();
    const wanted = [...new Set(live.filter(canBeDangling).map(({ principalId = "" }) => principalId.toLowerCase()))];
    const found = wanted.length === 0 ? [] : await (await reads.azure.directory()).principals(wanted);
    return new Set(found.map(({ id }) => id.toLowerCase()));
  });
}
