/** Azure Resource Manager: everything that answers at management.azure.com. */
import type { ArmCall } from "./resource-type.js";
import { authenticate } from "../core/authenticate.js";
import type { Answer, Service } from "../core/service.js";
import { requireEnabled, requireSubscriptionId } from "./containers.js";
import { computeEndpoints } from "./compute-lists.js";
import { denyAssignmentEndpoints } from "./deny-assignments.js";
import { deploymentEndpoints } from "./deployments.js";
import { emptyListEndpoints } from "./empty-lists.js";
import { featureEndpoints } from "./features.js";
import { groupExportEndpoint } from "./group-export.js";
import { managementGroupEndpoints } from "./management-groups.js";
import { policyEndpoints } from "./policies.js";
import { policyAssignmentEndpoints } from "./policy-assignments.js";
import { policyStateEndpoints } from "./policy-states.js";
import { tagNameEndpoints } from "./tag-names.js";
import { answerEndpoint, type Endpoint } from "./endpoint.js";
import { missingApiVersion, notEmulated } from "./errors.js";
import { genericListEndpoints } from "./generic-lists.js";
import { lockEndpoints } from "./locks.js";
import { poll, advance } from "./operations.js";
import { parseResourcePath } from "./resource-id.js";
import { handleResource } from "./resources.js";
import { providerEndpoints } from "./providers.js";
import { permissionEndpoints } from "./permissions.js";
import { policyRestrictionEndpoints } from "./policy-restrictions.js";
import { roleAssignmentEndpoints } from "./role-assignments.js";
import { roleDefinitionEndpoints } from "./role-definitions.js";
import { tagEndpoints } from "./tags-at-scope.js";
import { subscriptionEndpoints } from "./subscriptions.js";
import { usageEndpoints } from "./usages.js";
import { credentialEndpoints } from "./types/container-service/credentials.js";
import { kubernetesVersionsEndpoint } from "./types/container-service/kubernetes-versions.js";
import { meshEndpoints } from "./types/container-service/mesh.js";
import { powerEndpoints } from "./types/container-service/power.js";
import { upgradeEndpoints } from "./types/container-service/upgrade-profiles.js";
import { clusterConnectEndpoint } from "./types/kubernetes/cluster-connect.js";
import { openShiftCredentialEndpoints } from "./types/red-hat-open-shift/clusters.js";
import { privateRecordLists } from "./types/dns/private-zones.js";
import { publicRecordLists } from "./types/dns/public-zones.js";
import { dnsReferenceEndpoint } from "./types/dns/references.js";
import { emulatedTypes } from "./types/index.js";
import { deletedVaultEndpoints } from "./types/key-vaults/deleted-vaults.js";
import { nameAvailabilityEndpoint } from "./types/key-vaults/name-availability.js";
import { networkQueryEndpoints } from "./types/network/network-queries.js";
import { relatedListEndpoints } from "./types/network/related-lists.js";
import { listKeysEndpoint } from "./types/storage/account-keys.js";
import { nameAvailabilityEndpoint as storageNameAvailabilityEndpoint } from "./types/storage/names.js";

export const armEndpoints: readonly Endpoint[] = [
  ...subscriptionEndpoints,
  ...providerEndpoints,
  ...featureEndpoints,
  ...genericListEndpoints,
  ...lockEndpoints,
  ...tagEndpoints,
  ...tagNameEndpoints,
  ...deploymentEndpoints,
  groupExportEndpoint,
  ...managementGroupEndpoints,
  ...emptyListEndpoints,
  ...policyEndpoints,
  ...policyAssignmentEndpoints,
  ...policyStateEndpoints,
  ...roleAssignmentEndpoints,
  ...permissionEndpoints,
  ...denyAssignmentEndpoints,
  ...policyRestrictionEndpoints,
  ...usageEndpoints,
  ...networkQueryEndpoints,
  ...relatedListEndpoints,
  ...computeEndpoints,
  ...roleDefinitionEndpoints,
  ...deletedVaultEndpoints,
  ...publicRecordLists,
  ...privateRecordLists,
  dnsReferenceEndpoint,
  nameAvailabilityEndpoint,
  storageNameAvailabilityEndpoint,
  listKeysEndpoint,
  ...credentialEndpoints,
  ...powerEndpoints,
  ...meshEndpoints,
  ...upgradeEndpoints,
  kubernetesVersionsEndpoint,
  clusterConnectEndpoint,
  ...openShiftCredentialEndpoints,
];

export const armService: Service = {
  hosts: (host) => host === "management.azure.com",
  identify: authenticate,
  handle: (call) => handle({ ...call, types: emulatedTypes }),
};

function handle(call: ArmCall): Answer {
  advance(call);
  const polled = poll(call);
  if (polled !== undefined) return polled;
  if (!call.request.query.get("api-version")) throw missingApiVersion();
  requireSubscriptionId(call);
  requireEnabled(call);
  const answered = answerEndpoint(call, armEndpoints);
  if (answered !== undefined) return answered;
  const path = parseResourcePath(call.request.path);
  if (path === undefined) throw notEmulated(call.request.method, call.request.path);
  return handleResource(call, path);
}
