/** How many directory objects a principal may own. */
import { ApiError, type Call } from "../../service.js";

/** Soft-deleted objects count too. @throws ApiError 403 Directory_QuotaExceeded */
export function checkQuota({ state, caller }: Call): void {
  const quota = state.knobs?.directoryQuota;
  if (quota === undefined || caller === undefined) return;
  const held = [...state.applications, ...(state.deletedApplications ?? [])].reduce(
    (sum, { owners = [], servicePrincipal }) =>
      sum + Number(owners.includes(caller.objectId)) + Number(servicePrincipal?.owners.includes(caller.objectId) ?? false),
    0,
  );
  if (held < quota) return;
  throw new ApiError(
    403,
    "Directory_QuotaExceeded",
    "The directory object quota limit for the Principal has been exceeded. " +
      "Please ask your administrator to increase the quota limit or delete objects to reduce the used quota.",
  );
}
