/** Decides who may do what in Graph, and how many objects one principal may own. */
import { type Call, ApiError } from "../../core/service.js";
import { namedIn } from "../../common/named.js";
import { denied } from "./errors.js";
import { indexOf } from "../../state/index-of.js";
import type { Application } from "../../state/application.js";
import type { DeletedPrincipal } from "../../state/directory-objects.js";

const readAndWriteAll = "Application.ReadWrite.All";
const readAndWriteOwned = "Application.ReadWrite.OwnedBy";

export type Readable = "applications" | "users" | "groups" | "organization";

/**
 * Each of these lets an application read all of them: with OwnedBy, Azure lists all applications and service principals in the tenant.
 * Permissions on applications are none on people.
 */
const readPermissions: Readonly<Record<Readable, readonly string[]>> = {
  applications: ["Application.Read.All", readAndWriteOwned, readAndWriteAll, "Directory.Read.All"],
  users: ["Directory.Read.All", "User.Read.All"],
  groups: ["Directory.Read.All", "Group.Read.All"],
  organization: ["Directory.Read.All", "Organization.Read.All"],
};

function permissionsOf(call: Call): readonly string[] {
  return namedIn(call.state.applications, call.caller?.appId ?? "")?.graphPermissions ?? [];
}

export function mayRead(call: Call, what: Readable): boolean {
  return permissionsOf(call).some((permission) => readPermissions[what].includes(permission));
}

/** The right to read one of these kinds. @throws ApiError 403 Authorization_RequestDenied */
export function requireRead(call: Call, ...kinds: readonly Readable[]): void {
  if (!kinds.some((kind) => mayRead(call, kind))) throw denied();
}

/** The right to create objects. @throws ApiError 403 Authorization_RequestDenied */
export function requireCreate(call: Call): void {
  if (!permissionsOf(call).some((permission) => permission === readAndWriteAll || permission === readAndWriteOwned)) throw denied();
}

/** The right to change an object with these owners. @throws ApiError 403 Authorization_RequestDenied, with Graph's `message` if any. */
export function requireChange(call: Call, owners: readonly string[], message?: string): void {
  requireCreate(call);
  if (permissionsOf(call).includes(readAndWriteAll) || owners.includes(call.caller?.objectId ?? "")) return;
  throw denied(message);
}

/** The owner of what the caller creates: the caller itself. */
export function ownersOfNew(call: Call): string[] {
  return call.caller === undefined ? [] : [call.caller.objectId];
}

/** How many directory objects a principal may own. */
const applicationsByOwner = indexOf<Application>(({ owners = [] }) => owners);
const deletedPrincipalsByOwner = indexOf<DeletedPrincipal>(({ servicePrincipal }) => servicePrincipal?.owners ?? []);
const principalsByOwner = indexOf<Application>(({ servicePrincipal }) => servicePrincipal?.owners ?? []);

/** Soft-deleted objects count too. @throws ApiError 403 Directory_QuotaExceeded */
export function checkQuota({ state, caller }: Call): void {
  const quota = state.knobs?.directoryQuota;
  if (quota === undefined || caller === undefined) return;
  const counts = [state.applications, state.deletedApplications ?? {}].flatMap((all) =>
    [applicationsByOwner, principalsByOwner].map((index) => index.count(all, caller.objectId)),
  );
  const alone = deletedPrincipalsByOwner.count(state.deletedPrincipals ?? {}, caller.objectId);
  if (counts.reduce((sum, count) => sum + count, alone) < quota) return;
  throw new ApiError(
    403,
    "Directory_QuotaExceeded",
    "The directory object quota limit for the Principal has been exceeded. " +
      "Please ask your administrator to increase the quota limit or delete objects to reduce the used quota.",
  );
}
