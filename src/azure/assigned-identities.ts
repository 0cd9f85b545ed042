/** Finds the identities that have a cluster's roles, so that a create takes no role from an existing identity. */
import type { Identity } from "@azure/arm-msi";
import type { Azure } from "./azure.js";
import { dataPlaneComponents, type Plane } from "../domain/components.js";
import { applicationUniqueName, managedIdentityName, namedApplication } from "../domain/identity-names.js";
import type { SetPlace } from "../domain/unique-suffix.js";
import type { RoleOptions } from "../domain/infra-spec.js";
import { identitySetTag } from "../domain/ownership.js";
import { parseResourceId } from "../domain/resource-id.js";
import { tagValue } from "../domain/tags.js";
import { advise, withFlag } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";

/** An identity that has a role. */
export interface AssignedIdentity {
  /** "shared-ingress (client ID …) of identity set shared in resource group os4-common" */
  readonly title: string;
  /** What `create identities` created it as, by the names and tags that only this command sets. */
  readonly origin: { readonly set: SetPlace; readonly name: string } | undefined;
  /** Undefined if it is of an application. */
  readonly managedName: string | undefined;
}

/** By object ID, in lower case. Those that do not exist any more are missing. */
export async function assignedIdentities(azure: Azure, principalIds: readonly string[]): Promise<ReadonlyMap<string, AssignedIdentity>> {
  const directory = await azure.directory();
  const principals = await directory.principals(principalIds);
  const ofApplications = principals.filter(({ servicePrincipalType }) => servicePrincipalType === "Application");
  const applications = ofApplications.length === 0 ? [] : await directory.applicationsOf(ofApplications.map(({ appId }) => appId));
  const managed = ofApplications.length < principals.length ? await managedOrigins(azure) : undefined;
  return new Map(
    principals.map(({ id, appId, displayName, servicePrincipalType }) => {
      const named = namedApplication(applications.find((one) => sameText(one.appId, appId))?.uniqueName ?? "");
      const origin = named === undefined ? managed?.get(id.toLowerCase()) : { set: named.set, name: named.component };
      const title = `${displayName} (client ID ${appId})${origin === undefined ? "" : ` of ${setTitle(origin.set)}`}`;
      return [id.toLowerCase(), { title, origin, managedName: servicePrincipalType === "ManagedIdentity" ? displayName : undefined }];
    }),
  );
}

/** By object ID, in lower case. None if they cannot be listed. */
async function managedOrigins(azure: Azure): Promise<ReadonlyMap<string, AssignedIdentity["origin"]>> {
  const listed = await orRefused(azure.identities().then(({ userAssignedIdentities }) => all(userAssignedIdentities.listBySubscription())));
  return new Map(
    (listed ?? []).flatMap((one) => {
      const origin = managedOrigin(one);
      return origin === undefined ? [] : [[one.principalId?.toLowerCase() ?? "", origin] as const];
    }),
  );
}

/** Undefined if `create identities` did not create it. */
export function managedOrigin({ id = "", name = "", tags }: Identity): AssignedIdentity["origin"] {
  const { subscriptionId, resourceGroup: groupName = "" } = parseResourceId(id);
  const set = tagValue(tags, identitySetTag);
  return set === undefined || !isNamedAs({ name: set }, name) ? undefined : { set: { subscriptionId, groupName, name: set }, name };
}

/** The identity that has a role; undefined if it does not exist any more, or is of the set that gets the roles. */
export async function assignedTo(
  azure: Azure,
  principalId: string,
  { set: own }: Pick<RoleOptions["identities"], "set">,
): Promise<AssignedIdentity | undefined> {
  const held = (await assignedIdentities(azure, [principalId])).get(principalId.toLowerCase());
  if (held === undefined || own === undefined) return held;
  // The name has no group: the applications of a set with this name in another group are refused.
  const isOwn = held.origin === undefined ? isNamedAs(own, held.managedName) : sameSet(held.origin.set, own);
  return isOwn ? undefined : held;
}

/** Whether it is the name of a managed identity of the set. */
function isNamedAs(set: Pick<SetPlace, "name">, name: string | undefined): boolean {
  return dataPlaneComponents.some((component) => sameText(managedIdentityName(set, component), name));
}

interface TakenRole {
  /** Title of the assignment. */
  readonly assignment: string;
  readonly infraId: string;
  readonly identities: RoleOptions["identities"];
  readonly holder: AssignedIdentity;
  /** The identity that would get the role, and its plane; absent if the run creates it. */
  readonly next?: AssignedIdentity | undefined;
  readonly plane?: Plane;
}

/** All roles of a plane have the same failure if its file is of another set than the cluster uses, because then the file is the mistake. */
export function takenRole({ assignment, infraId, plane, identities, holder, next }: TakenRole): Failure {
  const [set, used] = [next?.origin?.set, holder.origin?.set];
  const file = plane && identities.files?.[plane];
  if (plane !== undefined && file !== undefined && set !== undefined && used !== undefined && !sameSet(set, used))
    return fileOfOtherSet({ plane, file, set, infraId, used });
  return new Failure("ARO-ROLE-007", `${assignment} belongs to ${holder.title}`, {
    because: `this run would take the roles of ${infraId} from identities that exist, and give them to ${identities.title}`,
  });
}

interface FileOfOtherSet {
  readonly plane: Plane;
  readonly file: string;
  /** That of the identities in the file. */
  readonly set: SetPlace;
  readonly infraId: string;
  /** That of the identities with the cluster's roles. */
  readonly used: SetPlace;
}

export function fileOfOtherSet({ plane, file, set, infraId, used }: FileOfOtherSet): Failure {
  const message = `${planeTitle(plane, file)} are of ${setTitle(set)}, but cluster ${infraId} uses ${setTitle(used)}`;
  return new Failure("ARO-ROLE-007", message, {
    next: [
      advise`pass the file of identity set ${used.name}; both files are correct for their sets${withFlag("--change-identities", `; only to move the cluster to identity set ${set.name}, pass --change-identities`)}`,
    ],
  });
}

export function planeTitle(plane: Plane, file: string): string {
  return `the ${plane}-plane identities in ${file}`;
}

export function setTitle({ name, groupName }: SetPlace): string {
  return `identity set ${name} in resource group ${groupName}`;
}

export function sameSet(one: SetPlace, other: SetPlace): boolean {
  return applicationUniqueName(one, { key: "" }) === applicationUniqueName(other, { key: "" });
}
