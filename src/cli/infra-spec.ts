/** From settings to what is wanted: shared by every command that speaks of a cluster's infrastructure. */
import type { InfraSpec } from "../infra/spec.js";
import type { CreateInfraSettings, GraphSettings, ShowInfraSettings } from "../settings/settings.js";
import { assigneesOf, type Identities } from "./identities.js";

export function infraSpec(
  settings: CreateInfraSettings | ShowInfraSettings | GraphSettings,
  subscriptionId: string,
  identities: Identities,
): InfraSpec {
  const { dnsZoneRgName } = settings;
  return {
    cluster: { name: settings.name, infraId: settings.infraId },
    subscriptionId,
    location: settings.location,
    baseDomain: settings.baseDomain,
    naming: settings.naming,
    vnetCidr: settings.vnetCidr,
    subnetCidr: settings.subnetCidr,
    groupTags: settings.resourceGroupTags,
    existingGroup: settings.resourceGroupName,
    singleResourceGroup: settings.singleResourceGroup,
    brought: { networkSecurityGroupId: settings.networkSecurityGroupId, vnetId: settings.vnetId, subnetId: settings.subnetId },
    dnsZoneGroup: dnsZoneRgName,
    roles:
      settings.assignIdentityRoles && dnsZoneRgName !== undefined
        ? {
            assignees: assigneesOf(identities, settings.disableClusterCapabilities),
            customHcpRoles: settings.assignCustomHcpRoles,
            dnsZoneGroup: dnsZoneRgName,
          }
        : undefined,
  };
}
