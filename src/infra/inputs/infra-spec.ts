/** Converts settings to the desired infrastructure, for every command about a cluster's infrastructure. */
import type { ClusterKey } from "../../domain/names.js";
import type { PlacementChoice } from "../../domain/placement.js";
import type { Egress } from "../../domain/egress.js";
import type { IdentitySetKey } from "../../domain/identity-spec.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import type { egressOptions } from "../../settings/infrastructure-options.js";
import type { infrastructure } from "../../settings/shared-options.js";
import type { CreateInfraSettings } from "../../settings/settings.js";
import { assigneesOf, enabledComponents, type Identities } from "./identities.js";

type EgressOption = (typeof egressOptions)[number];

type DescribedNetwork = Pick<CreateInfraSettings, "name" | "infraId" | "location" | "baseDomain" | (typeof infrastructure)[number]>;

/** The settings that define the desired infrastructure. */
export type DescribedInfra = DescribedNetwork & Pick<CreateInfraSettings, "resourceGroupName" | "assignIdentityRoles">;

/** Whether a create changes the egress of an existing cluster. */
interface EgressChange {
  readonly changeEgress?: boolean;
  readonly formerRouteTableId?: string | undefined;
}

/** The desired infrastructure, with roles for the identities from files. `create`: of the create that assigns them. */
export function infraSpec(
  settings: DescribedInfra,
  subscriptionId: string,
  identities: Identities,
  create?: EgressChange & { readonly changeIdentities: boolean },
): InfraSpec {
  const { assignIdentityRoles, assignCustomHcpRoles, disableClusterCapabilities } = settings;
  return {
    ...withoutRoles({ ...settings, ...egressChangeOf(create) }, subscriptionId),
    roles: assignIdentityRoles
      ? {
          assignees: assigneesOf(identities, disableClusterCapabilities),
          customHcpRoles: assignCustomHcpRoles,
          assigns: create !== undefined,
          identities: {
            title: "those of the identity files",
            replace: create?.changeIdentities === true,
            ...(identities.files && { files: identities.files }),
          },
        }
      : undefined,
  };
}

/** The desired infrastructure of `create all`, with roles for the identities that the same run creates. */
export function infraSpecOfAll(
  settings: DescribedNetwork & EgressChange & { readonly changeIdentities?: boolean },
  subscriptionId: string,
  set: IdentitySetKey,
): InfraSpec {
  return {
    ...withoutRoles(settings, subscriptionId),
    roles: {
      assignees: enabledComponents(settings.disableClusterCapabilities).map((component) => ({ component, clientId: undefined })),
      customHcpRoles: settings.assignCustomHcpRoles,
      assigns: true,
      identities: {
        title: `identity set ${set.name} in resource group ${set.groupName}`,
        replace: settings.changeIdentities === true,
        set,
      },
    },
  };
}

/** The settings that define locations, of any command that has them. */
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

/** Undefined if the settings do not specify one. */
export function clusterKey({
  name,
  infraId,
}: {
  readonly name: string | undefined;
  readonly infraId: string | undefined;
}): ClusterKey | undefined {
  return name === undefined || infraId === undefined ? undefined : { name, infraId };
}

function egressChangeOf({ changeEgress = false, formerRouteTableId }: EgressChange = {}): EgressChange {
  return { changeEgress, formerRouteTableId };
}

export function egressOf(settings: Pick<CreateInfraSettings, EgressOption> & EgressChange): Egress {
  return {
    type: settings.egress,
    isChosen: settings.changeEgress === true,
    formerRouteTableId: settings.formerRouteTableId,
    addresses: settings.outboundAddresses,
    prefixIds: settings.publicIpPrefixId,
    natGatewayId: settings.natGatewayId,
    routeTableId: settings.routeTableId,
    expectedNodes: settings.expectedNodes,
  };
}

type WithoutRoles = Omit<InfraSpec, "roles">;

function withoutRoles(settings: DescribedNetwork & PlacementSettings & EgressChange, subscriptionId: string): WithoutRoles {
  return {
    cluster: { name: settings.name, infraId: settings.infraId },
    subscriptionId,
    location: settings.location,
    baseDomain: settings.baseDomain,
    ...placementChoice(settings),
    vnetCidr: settings.vnetCidr,
    subnetCidr: settings.subnetCidr,
    egress: egressOf(settings),
    groupTags: settings.resourceGroupTags,
  };
}
