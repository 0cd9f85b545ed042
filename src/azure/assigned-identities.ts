/** Finds the identities that have a cluster's roles, so that a create takes no role from an existing identity. */
import type { Azure } from "./azure.js";
import { dataPlaneComponents } from "../domain/components.js";
import { managedIdentityName, namedApplication } from "../domain/identity-names.js";
import type { RoleOptions } from "../domain/infra-spec.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import type { Principal } from "./directory.js";

/**
 * "shared-ingress (client ID …) of identity set shared in resource group os4-common"; undefined if the principal does not exist any more, or is of
 * the set that gets the roles.
 */
export async function assignedTo(
  azure: Azure,
  principalId: string,
  { set: own }: Pick<RoleOptions["identities"], "set">,
): Promise<string | undefined> {
  const directory = await azure.directory();
  const [principal] = await directory.principals([principalId]);
  if (principal === undefined) return undefined;
  const [application] = principal.servicePrincipalType === "Application" ? await directory.applicationsOf([principal.appId]) : [];
  const set = namedApplication(application?.uniqueName ?? "")?.set;
  if (own !== undefined && (set === undefined ? isManagedIdentityOf(own, principal) : isSame(set, own))) return undefined;
  const name = `${principal.displayName} (client ID ${principal.appId})`;
  return set === undefined ? name : `${name} of identity set ${set.name} in resource group ${set.groupName}`;
}

/** `assignment`: its title. `holder`: what `assignedTo` returns. */
export function takenRole(
  assignment: string,
  holder: string,
  { infraId, identities }: { readonly infraId: string; readonly identities: RoleOptions["identities"] },
): Failure {
  return new Failure("ARO-ROLE-007", `${assignment} belongs to ${holder}`, {
    because: `this run would take the roles of ${infraId} from identities that exist, and give them to ${identities.title}`,
  });
}

type Set = NonNullable<RoleOptions["identities"]["set"]>;

function isSame(one: Set, other: Set): boolean {
  return sameText(one.name, other.name) && sameText(one.groupName, other.groupName) && sameText(one.subscriptionId, other.subscriptionId);
}

/** The name has no group: the applications of a set with this name in another group are refused. */
function isManagedIdentityOf(set: Set, { servicePrincipalType, displayName }: Principal): boolean {
  const names = dataPlaneComponents.map((component) => managedIdentityName(set, component));
  return servicePrincipalType === "ManagedIdentity" && names.some((name) => sameText(name, displayName));
}
