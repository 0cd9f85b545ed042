/** Graph's view of the tenant itself. Only beta says how much of the directory is used. */
import type { Answer, Call } from "../../core/service.js";
import { applicationsOf, deletedApplicationsOf, principalsOfDeleted, servicePrincipalsOf } from "./objects.js";
import { deletedPrincipalsOf, peopleOf } from "./people.js";
import { checkOptions, selectedOf } from "./query.js";

/** Of a tenant without a verified domain: https://learn.microsoft.com/entra/identity/users/directory-service-limits-restrictions */
const usualSize = 50_000;

/** Deleted ones take room until they are purged. */
const counted = [
  ...[applicationsOf, servicePrincipalsOf, deletedApplicationsOf, principalsOfDeleted, deletedPrincipalsOf],
  ...[true, false].flatMap((deleted) => [peopleOf("user", { deleted }), peopleOf("group", { deleted })]),
];

const unset = {
  deletedDateTime: null,
  businessPhones: [],
  city: null,
  country: null,
  countryLetterCode: "US",
  defaultUsageLocation: null,
  isMultipleDataLocationsForServicesEnabled: null,
  marketingNotificationEmails: [],
  onPremisesLastSyncDateTime: null,
  onPremisesSyncEnabled: null,
  partnerTenantType: null,
  postalCode: null,
  preferredLanguage: "en",
  privacyProfile: null,
  securityComplianceNotificationMails: [],
  securityComplianceNotificationPhones: [],
  state: null,
  street: null,
  technicalNotificationMails: [],
  assignedPlans: [],
  provisionedPlans: [],
};

export function listOrganizations(call: Call): Answer {
  const { request, state } = call;
  checkOptions(request, new Set(["$select"]));
  const [version = ""] = request.path;
  const used = counted.reduce((sum, objectsOf) => sum + objectsOf(state).length, 0);
  const properties = {
    id: state.tenantId,
    ...unset,
    displayName: "Contoso",
    tenantType: "AAD",
    verifiedDomains: [
      {
        capabilities: "Email, OfficeCommunicationsOnline",
        isDefault: true,
        isInitial: true,
        name: "contoso.onmicrosoft.com",
        type: "Managed",
      },
    ],
    ...(version === "beta" && { directorySizeQuota: { used, total: state.knobs?.directorySize ?? usualSize } }),
  };
  const context = `https://graph.microsoft.com/${version}/$metadata#organization`;
  return {
    status: 200,
    takes: call.sample("read"),
    body: { "@odata.context": context, value: [selectedOf(request, "organization", properties)] },
  };
}
