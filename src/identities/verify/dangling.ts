/** Role assignments of deleted principals on the cluster's groups: they have no effect, and count against the subscription's limit of 4000. */
import { shell, type ShellCommand } from "../../errors/advice.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import type { AssignmentLists } from "../../steps/assignment-lists.js";
import { plural } from "../../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { identityChecks } from "./checks.js";
import { catchGroupNotFound, type Scopes } from "./scopes.js";
import { catchDirectoryDenied } from "./directory-lookup.js";

/** Names of the cluster's own assignments on a scope. */
type OwnNames = (scope: string) => Promise<ReadonlySet<string>>;

/** One for each group. Excludes the cluster's own assignments: the components' checks cover them, and a deleted principal may be restored. */
export function danglingCheckInstances(azure: Azure, lists: AssignmentLists, scopes: Scopes, ownNames: OwnNames): CheckInstance[] {
  const ids = Object.values(scopes).filter((id, index, every) => every.findIndex((other) => sameId(other, id)) === index);
  const lookups = oncePerKey<ReadonlySet<string>>();
  const others = async (id: string) => {
    const [live, own] = await Promise.all([lists.on(id), ownNames(id)]);
    return live.filter(({ name }) => !own.has(name?.toLowerCase() ?? ""));
  };
  const existing = () => lookups.get("all", async () => known(azure, (await Promise.all(ids.map(others))).flat()));
  return ids.map((id) =>
    checkInstance(identityChecks["role-dangling"], parseResourceId(id).resourceGroup ?? id, {}, () =>
      catchGroupNotFound(() => catchDirectoryDenied(async () => checkPrincipals(await others(id), await existing())), notChecked),
    ),
  );
}

/** Looking up users and groups needs more permissions, and clusters do not leave their assignments. */
function canBeDangling({ principalType = "Unknown" }: RoleAssignment): boolean {
  return ["ServicePrincipal", "Unknown"].includes(principalType);
}

async function known(azure: Azure, live: readonly RoleAssignment[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(live.filter(canBeDangling).map(({ principalId = "" }) => principalId.toLowerCase()))];
  const found = wanted.length === 0 ? [] : await (await azure.directory()).principals(wanted);
  return new Set(found.map(({ id }) => id.toLowerCase()));
}

export function unassign(assignments: readonly RoleAssignment[]): ShellCommand {
  return shell`az role assignment delete --ids ${assignments.map(({ id = "" }) => id)}`;
}

function checkPrincipals(live: readonly RoleAssignment[], existing: ReadonlySet<string>): Finding<unknown> {
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
}
