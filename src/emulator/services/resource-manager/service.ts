/** Azure Resource Manager: everything that answers at management.azure.com. */
import type { ArmCall } from "../../arm/resource-type.js";
import { authenticate } from "../../core/authenticate.js";
import type { Answer, Service } from "../../core/service.js";
import { requireEnabled, requireSubscriptionId } from "../../arm/scopes.js";
import { computeEndpoints } from "../../arm/types/compute/compute-lists.js";
import { keepDeletedPrincipals } from "../../arm/deleted-principals.js";
import { denyAssignmentEndpoints } from "../../arm/deny-assignments.js";
import { deploymentEndpoints } from "../../arm/deployments.js";
import { emptyListEndpoints } from "../../arm/empty-lists.js";
import { featureEndpoints } from "../../arm/features.js";
import { groupExportEndpoint } from "../../arm/resource-groups.js";
import { managementGroupEndpoints } from "../../arm/management-groups.js";
import { roleScheduleEndpoints } from "../../arm/role-schedules.js";
import { subscriptionEndpoints } from "../../arm/subscriptions.js";
import { policyEndpoints } from "../../arm/policies.js";
import { policyWriteEndpoints } from "../../arm/policy-writes.js";
import { policyStateEndpoints } from "../../arm/types/kubernetes-configuration/policy-states.js";
import { tagNameEndpoints } from "../../arm/tag-names.js";
import { answerEndpoint, type Endpoint } from "../../arm/endpoint.js";
import { missingApiVersion, notEmulated } from "../../arm/errors.js";
import { genericListEndpoints } from "../../arm/generic-lists.js";
import { lockEndpoints } from "../../arm/locks.js";
import { poll, advance } from "../../arm/operations.js";
import { parseResourcePath } from "../../arm/resource-id.js";
import { handleResource } from "../../arm/resources.js";
import { providerEndpoints } from "../../arm/providers.js";
import { permissionEndpoints, roleDefinitionEndpoints } from "../../arm/role-definitions.js";
import { resourceGraphEndpoints } from "../../arm/resource-graph/resource-graph-endpoints.js";
import { rememberUnseen } from "../../arm/resource-graph/unseen-changes.js";
import { policyRestrictionEndpoints } from "../../arm/policy-restrictions.js";
import { roleAssignmentEndpoints } from "../../arm/role-assignments.js";
import { tagEndpoints } from "../../arm/tags-at-scope.js";
import { usageEndpoints } from "../../arm/types/usages.js";
import { credentialEndpoints, changeEndpoints, upgradeEndpoints } from "../../arm/types/container-service/cluster-actions.js";
import { kubernetesVersionsEndpoint } from "../../arm/types/container-service/kubernetes-versions.js";
import { clusterListEndpoints } from "../../arm/types/container-service/cluster-lists.js";
import { poolActionEndpoints } from "../../arm/types/container-service/pool-actions.js";
import { trustedAccessRolesEndpoint } from "../../arm/types/container-service/trusted-access.js";
import { meshEndpoints } from "../../arm/types/container-service/mesh.js";
import { clusterConnectEndpoint } from "../../arm/types/kubernetes/cluster-connect.js";
import { openShiftCredentialEndpoints } from "../../arm/types/red-hat-open-shift/clusters.js";
import { privateRecordLists } from "../../arm/types/dns/private-zones.js";
import { publicRecordLists } from "../../arm/types/dns/public-zones.js";
import { dnsReferenceEndpoint } from "../../arm/types/dns/record-lists.js";
import { privateLinkResourceEndpoints } from "../../arm/types/private-link-resources.js";
import { emulatedTypes } from "../../arm/types/index.js";
import { deletedVaultEndpoints } from "../../arm/types/key-vaults/deleted-vaults.js";
import { accessPolicyEndpoint } from "../../arm/types/key-vaults/access-policies.js";
import { vaultNameEndpoint } from "../../arm/types/key-vaults/vaults.js";
import { delegationEndpoints } from "../../arm/types/network/delegations.js";
import { networkQueryEndpoints } from "../../arm/types/network/network-queries.js";
import { relatedListEndpoints } from "../../arm/types/network/related-lists.js";
import { asksForMetadata, cloudMetadata } from "./cloud-metadata.js";
import { accountKeyEndpoints } from "../../arm/types/storage/account-keys.js";
import { restoreShareEndpoint } from "../../arm/types/storage/file-shares.js";
import { accountNameEndpoint } from "../../arm/types/storage/account-names.js";

export const armEndpoints: readonly Endpoint[] = [
  ...subscriptionEndpoints,
  ...providerEndpoints,
  ...featureEndpoints,
  ...genericListEndpoints,
  ...resourceGraphEndpoints,
  ...lockEndpoints,
  ...tagEndpoints,
  ...tagNameEndpoints,
  ...deploymentEndpoints,
  groupExportEndpoint,
  ...managementGroupEndpoints,
  ...emptyListEndpoints,
  ...policyEndpoints,
  ...policyWriteEndpoints,
  ...policyStateEndpoints,
  ...roleAssignmentEndpoints,
  ...permissionEndpoints,
  ...denyAssignmentEndpoints,
  ...roleScheduleEndpoints,
  ...policyRestrictionEndpoints,
  ...usageEndpoints,
  ...networkQueryEndpoints,
  ...delegationEndpoints,
  ...relatedListEndpoints,
  ...computeEndpoints,
  ...roleDefinitionEndpoints,
  ...deletedVaultEndpoints,
  ...publicRecordLists,
  ...privateRecordLists,
  dnsReferenceEndpoint,
  vaultNameEndpoint,
  accessPolicyEndpoint,
  accountNameEndpoint,
  ...accountKeyEndpoints,
  restoreShareEndpoint,
  ...privateLinkResourceEndpoints,
  ...credentialEndpoints,
  ...changeEndpoints,
  ...poolActionEndpoints,
  ...clusterListEndpoints,
  trustedAccessRolesEndpoint,
  ...meshEndpoints,
  ...upgradeEndpoints,
  kubernetesVersionsEndpoint,
  clusterConnectEndpoint,
  ...openShiftCredentialEndpoints,
];

export const armService: Service = {
  hosts: (host) => host === "management.azure.com",
  identify: (asking) => (asksForMetadata(asking.request) ? undefined : authenticate(asking)),
  handle(call) {
    if (asksForMetadata(call.request)) return cloudMetadata(call);
    const known = { ...call, types: emulatedTypes };
    return rememberUnseen(known, () => keepDeletedPrincipals(known, () => handle(known)));
  },
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
