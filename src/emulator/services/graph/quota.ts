/** How many directory objects a principal may own. */
import { ApiError, type Call } from "../../core/service.js";
import { indexOf } from "../../state/index-of.js";
import type { Application } from "../../state/state.js";

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
