/** Role assignments on the cluster's groups whose principal is gone: they do nothing, and count against the subscription's limit of 4000. */
import { shell, type ShellCommand } from "../../errors/advice.js";
import type { RoleAssignment } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { oncePerKey } from "../../azure/concurrency.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import type { AssignmentLists } from "../../steps/assignment-lists.js";
import { broken, holds, notChecked, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { identityChecks } from "./checks.js";
import { unlessGone, type Scopes } from "./scopes.js";
import { unlessDirectoryDenied } from "./directory-lookup.js";

/** Names of the cluster's own assignments on a scope. */
type OwnNames = (scope: string) => Promise<ReadonlySet<string>>;

/** One for each group. Of the cluster's own assignments the checks of their components tell: a principal that was deleted may be restored. */
export function danglingCheckInstances(azure: Azure, lists: AssignmentLists, scopes: Scopes, ownNames: OwnNames): CheckInstance[] {
  const ids = Object.values(scopes).filter((id, index, every) => every.findIndex((other) => sameId(other, id)) === index);
  const lookups = oncePerKey<ReadonlySet<string>>();
  const others = async (id: string) => {
    const [live, own] = await Promise.all([lists.on(id), ownNames(id)]);
    return live.filter(({ name }) => !own.has(name?.toLowerCase() ?? ""));
  };
  const there = () => lookups.get("all", async () => known(azure, (await Promise.all(ids.map(others))).flat()));
  return ids.map((id) =>
    checkInstance(identityChecks["role-dangling"], parseResourceId(id).resourceGroup ?? id, {}, () =>
      unlessGone(() => unlessDirectoryDenied(async () => decideOwned(await others(id), await there())), notChecked),
    ),
  );
}

/** Users and groups need more rights to be looked up, and are not what a cluster leaves behind. */
function mayDangle({ principalType = "Unknown" }: RoleAssignment): boolean {
  return ["ServicePrincipal", "Unknown"].includes(principalType);
}

async function known(azure: Azure, live: readonly RoleAssignment[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(live.filter(mayDangle).map(({ principalId = "" }) => principalId.toLowerCase()))];
  const found = wanted.length === 0 ? [] : await (await azure.directory()).principals(wanted);
  return new Set(found.map(({ id }) => id.toLowerCase()));
}

export function unassign(assignments: readonly RoleAssignment[]): ShellCommand {
  return shell`az role assignment delete --ids ${assignments.map(({ id = "" }) => id)}`;
}

function decideOwned(live: readonly RoleAssignment[], there: ReadonlySet<string>): Finding<unknown> {
  const left = live.filter((one) => mayDangle(one) && !there.has((one.principalId ?? "").toLowerCase()));
  if (left.length === 0)
    return holds(
      live.length === 0
        ? "no assignments but the cluster's own"
        : `${String(live.length)} beside the cluster's own, all of principals that are there`,
    );
  return broken(
    `${String(left.length)} of ${String(live.length)} assignments are of principals that are gone: ${[...new Set(left.map(({ principalId = "" }) => principalId))].join(", ")}`,
    unassign(left),
  );
}
