/** From settings to what is wanted: shared by every command that speaks of a cluster's infrastructure. */
import type { InfraSpec } from "../../domain/spec.js";
import type { CreateAllSettings, CreateInfraSettings } from "../../settings/settings.js";
import { assigneesOf, enabledComponents, type Identities } from "./identities.js";

type DescribedNetwork = Pick<
  CreateInfraSettings,
  | "name"
  | "infraId"
  | "location"
  | "baseDomain"
  | "naming"
  | "vnetCidr"
  | "subnetCidr"
  | "resourceGroupTags"
  | "singleResourceGroup"
  | "networkSecurityGroupId"
  | "vnetId"
  | "subnetId"
  | "dnsZoneRgName"
>;

/** The settings that say which infrastructure is wanted. */
export type DescribedInfra = DescribedNetwork &
  Pick<CreateInfraSettings, "resourceGroupName" | "assignIdentityRoles" | "assignCustomHcpRoles" | "disableClusterCapabilities">;

/** Where the identities are given in files. */
export function infraSpec(settings: DescribedInfra, subscriptionId: string, identities: Omit<Identities, "seen">): InfraSpec {
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

function withoutRoles(settings: DescribedNetwork, subscriptionId: string): WithoutRoles {
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
