/** The failures of a destroy that finds new contents, or contents whose deletion had no effect. */
import { idKey } from "../domain/resource-id.js";
import { certificatesOfficer, secretsOfficer } from "../domain/roles.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

/** `where`: `resource group "demo"`. Whoever confirmed the plan did not see them. */
export function gotNewContents(where: string, contents: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `${where} got new contents during the destroy`, {
    because: contents.join(", "),
    next: [`rerun the command to see the plan with ${contents.length === 1 ? "it" : "them"}`],
  });
}

/** `vault`: one that could not be read for the plan. */
export function hasOtherContents(vault: string, contents: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `${vault} also contains what aro-hcp did not create, so it was not deleted`, {
    because: contents.join(", "),
    next: [
      `ask an owner for "${certificatesOfficer.name}" and "${secretsOfficer.name}" on it, then rerun the command: the plan shows what stays`,
    ],
  });
}

/** @throws Failure if something is there now that was not there for the plan */
export function requireNothingNew(where: string, planned: readonly string[], now: readonly string[]): void {
  const known = new Set(planned.map(idKey));
  const fresh = now.filter((one) => !known.has(idKey(one)));
  if (fresh.length > 0) throw gotNewContents(where, fresh);
}

/** Azure reported their deletions as successful. */
export function stillContains(group: string, deleted: readonly string[]): Failure {
  return new Failure(
    "ARO-DELETE-003",
    `resource group "${group}" still contains ${plural(deleted.length, "resource")} after the deletion`,
    {
      because: deleted.join(", "),
    },
  );
}
