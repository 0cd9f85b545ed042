/** From settings to what is wanted: shared by every command that speaks of a cluster's infrastructure. */
import type { ClusterKey } from "../../domain/names.js";
import type { PlacementChoice } from "../../domain/placement.js";
import type { InfraSpec } from "../../domain/spec.js";
import type { CreateAllSettings, CreateInfraSettings, GraphSettings, ShowInfraSettings } from "../../settings/settings.js";
import { assigneesOf, enabledRows, type Identities } from "./identities.js";

/** These commands can do without flags for the three: a drawing of something else, a cluster whose file or tags say them. */
type DrawnSettings = (GraphSettings | ShowInfraSettings) & Record<"name" | "infraId" | "baseDomain", string>;

/** Where the identities are given in files. */
export function infraSpec(settings: CreateInfraSettings | DrawnSettings, subscriptionId: string, identities: Identities): InfraSpec {
  const { assignIdentityRoles, assignCustomHcpRoles, disableClusterCapabilities } = settings;
  return {
    ...withoutRoles(settings, subscriptionId),
    roles: assignIdentityRoles
      ? { assignees: assigneesOf(identities, disableClusterCapabilities), customHcpRoles: assignCustomHcpRoles }
      : undefined,
  };
}

/** Where the identities are made in the same run. */
export function infraSpecOfAll(settings: CreateAllSettings, subscriptionId: string): InfraSpec {
  return {
    ...withoutRoles(settings, subscriptionId),
    roles: {
      assignees: enabledRows(settings.disableClusterCapabilities).map((row) => ({ row, clientId: undefined })),
      customHcpRoles: settings.assignCustomHcpRoles,
    },
  };
}

/** The settings that say where things are, of any command that has them. */
interface PlacementSettings {
  readonly naming: PlacementChoice["naming"];
  readonly resourceGroupName?: string | undefined;
  readonly singleResourceGroup: boolean;
  readonly vnetId: string | undefined;
  readonly subnetId: string | undefined;
  readonly networkSecurityGroupId: string | undefined;
  readonly dnsZoneRgName: string | undefined;
}

export function placementChoice(settings: PlacementSettings): PlacementChoice {
  return {
    naming: settings.naming,
    existingGroup: settings.resourceGroupName,
    singleResourceGroup: settings.singleResourceGroup,
    existing: { networkSecurityGroupId: settings.networkSecurityGroupId, vnetId: settings.vnetId, subnetId: settings.subnetId },
    dnsZoneGroup: settings.dnsZoneRgName,
  };
}

/** Undefined where the settings do not name one. */
export function clusterKey({
  name,
  infraId,
}: {
  readonly name: string | undefined;
  readonly infraId: string | undefined;
}): ClusterKey | undefined {
  return name === undefined || infraId === undefined ? undefined : { name, infraId };
}

type WithoutRoles = Omit<InfraSpec, "roles">;

function withoutRoles(settings: CreateInfraSettings | DrawnSettings | CreateAllSettings, subscriptionId: string): WithoutRoles {
  return {
    cluster: { name: settings.name, infraId: settings.infraId },
    subscriptionId,
    location: settings.location,
    baseDomain: settings.baseDomain,
    ...placementChoice(settings),
    vnetCidr: settings.vnetCidr,
    subnetCidr: settings.subnetCidr,
    egress: settings.egress,
    groupTags: settings.resourceGroupTags,
  };
}
