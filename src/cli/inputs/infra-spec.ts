/** From settings to what is wanted: shared by every command that speaks of a cluster's infrastructure. */
import type { InfraSpec } from "../../domain/spec.js";
import type { CreateAllSettings, CreateInfraSettings, GraphSettings, ShowInfraSettings } from "../../settings/settings.js";
import { assigneesOf, enabledComponents, type Identities } from "./identities.js";

/** A drawing of something else does without these. */
type DrawnSettings = GraphSettings & Record<"name" | "infraId" | "baseDomain", string>;

/** Where the identities are given in files. */
export function infraSpec(
  settings: CreateInfraSettings | ShowInfraSettings | DrawnSettings,
  subscriptionId: string,
  identities: Identities,
): InfraSpec {
  const { assignIdentityRoles, assignCustomHcpRoles, disableClusterCapabilities } = settings;
  return {
    ...withoutRoles(settings, subscriptionId),
    existingGroup: settings.resourceGroupName,
    roles: assignIdentityRoles
      ? { assignees: assigneesOf(identities, disableClusterCapabilities), customHcpRoles: assignCustomHcpRoles }
      : undefined,
  };
}

/** Where the identities are made in the same run. */
export function infraSpecOfAll(settings: CreateAllSettings, subscriptionId: string): InfraSpec {
  return {
    ...withoutRoles(settings, subscriptionId),
    existingGroup: undefined,
    roles: {
      assignees: enabledComponents(settings.disableClusterCapabilities).map((component) => ({ component, clientId: undefined })),
      customHcpRoles: settings.assignCustomHcpRoles,
    },
  };
}

type WithoutRoles = Omit<InfraSpec, "roles" | "existingGroup">;

function withoutRoles(
  settings: CreateInfraSettings | ShowInfraSettings | DrawnSettings | CreateAllSettings,
  subscriptionId: string,
): WithoutRoles {
  return {
    cluster: { name: settings.name, infraId: settings.infraId },
    subscriptionId,
    location: settings.location,
    baseDomain: settings.baseDomain,
    naming: settings.naming,
    vnetCidr: settings.vnetCidr,
    subnetCidr: settings.subnetCidr,
    groupTags: settings.resourceGroupTags,
    singleResourceGroup: settings.singleResourceGroup,
    existing: { networkSecurityGroupId: settings.networkSecurityGroupId, vnetId: settings.vnetId, subnetId: settings.subnetId },
    dnsZoneGroup: settings.dnsZoneRgName,
  };
}
