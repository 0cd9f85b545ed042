/** The failures of a destroy whose resource group is not empty: it got new resources meanwhile, or deletions had no effect. */
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";

export function gotNewResources(group: string, newResources: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `resource group "${group}" got new resources during the destroy`, {
    because: newResources.join(", "),
    next: ["rerun the command"],
  });
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
