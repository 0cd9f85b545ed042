/** The failure of a destroy whose resource group got new resources meanwhile. */
import { Failure } from "../errors/failure.js";

export function gotNewResources(group: string, newResources: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `resource group "${group}" got new resources during the destroy`, {
    because: newResources.join(", "),
    next: ["rerun the command"],
  });
}
