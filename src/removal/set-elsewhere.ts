/** The refusal to destroy a whole cluster while its identity set is not where the destroy looks: the issuer would go, and the identities stay. */
import type { Azure } from "../azure/azure.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { sameText } from "../text/same-text.js";
import { Failure } from "../errors/failure.js";
import type { DestroyAllInventory } from "./all.js";
import { idsToRemove, type RemovalMode } from "./identities.js";
import { groupsOfSet } from "./nothing-found.js";

/** A few reads, and only if there is an issuer and nothing of the set. Sets of one name in two groups are two sets. */
export async function setElsewhere(
  azure: Azure,
  { name, groupName }: IdentitySetKey,
  { issuer, identities }: Pick<DestroyAllInventory, "issuer" | "identities">,
  mode: RemovalMode,
): Promise<Failure | undefined> {
  if (issuer.accounts.length === 0 || idsToRemove(identities, mode).length > 0) return undefined;
  const groups = (await groupsOfSet(azure, name)).filter((group) => !sameText(group, groupName));
  if (groups.length === 0) return undefined;
  return new Failure("ARO-USAGE-001", `the identity set "${name}" is not in resource group "${groupName}"`, {
    because: `a set of that name is in ${groups.join(", ")}`,
    next: [`pass its group: ${groups.map((group) => `--persistent-resource-group-name ${group}`).join(" or ")}`],
  });
}
