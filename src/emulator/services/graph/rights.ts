/** Decides who may do what in Graph, and how many objects one principal may own. */
import { type Call, ApiError } from "../../core/service.js";
import { namedIn } from "../../common/named.js";
import { denied } from "./errors.js";
import { indexOf } from "../../state/index-of.js";
import type { Application } from "../../state/application.js";

const readAndWriteAll = "Application.ReadWrite.All";
const readAndWriteOwned = "Application.ReadWrite.OwnedBy";

/** Each of these lets an application read service principals and applications: with OwnedBy, Azure lists all in the tenant. */
const readPermissions = ["Application.Read.All", readAndWriteOwned, readAndWriteAll, "Directory.Read.All"];

function permissionsOf(call: Call): readonly string[] {
  return namedIn(call.state.applications, call.caller?.appId ?? "")?.graphPermissions ?? [];
}

/** Permissions on applications are none on people. */
const readPermissionsOfPeople = ["Directory.Read.All", "User.Read.All", "Group.Read.All"];

/** @throws ApiError 403 Authorization_RequestDenied */
export function requireRead(call: Call, what: "applications" | "people"): void {
  const allowed = what === "people" ? readPermissionsOfPeople : readPermissions;
  if (!permissionsOf(call).some((permission) => allowed.includes(permission))) throw denied();
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
const principalsByOwner = indexOf<Application>(({ servicePrincipal }) => servicePrincipal?.owners ?? []);

/** Soft-deleted objects count too. @throws ApiError 403 Directory_QuotaExceeded */
export function checkQuota({ state, caller }: Call): void {
  const quota = state.knobs?.directoryQuota;
  if (quota === undefined || caller === undefined) return;
  const counts = [state.applications, state.deletedApplications ?? {}].flatMap((all) =>
    [applicationsByOwner, principalsByOwner].map((index) => index.count(all, caller.objectId)),
  );
  if (counts.reduce((sum, count) => sum + count) < quota) return;
  throw new ApiError(
    403,
    "Directory_QuotaExceeded",
    "The directory object quota limit for the Principal has been exceeded. " +
      "Please ask your administrator to increase the quota limit or delete objects to reduce the used quota.",
  );
}
