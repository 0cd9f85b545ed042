/** What Graph says of the world's principals: those of applications, and those of user-assigned identities. */
import type { StoredResource, World } from "../world/world.js";

export interface DirectoryObject {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function applicationsOf(world: World): DirectoryObject[] {
  return world.applications.map(({ id, appId, displayName, createdAt }) => ({
    createdAt,
    properties: { id, appId, displayName, createdDateTime: new Date(createdAt).toISOString(), signInAudience: "AzureADMyOrg", tags: [] },
  }));
}

export function servicePrincipalsOf(world: World): DirectoryObject[] {
  const ofApplications = world.applications.map(({ servicePrincipalId, appId, displayName, createdAt }) =>
    servicePrincipal(world, { id: servicePrincipalId, appId, displayName, createdAt, type: "Application", alternativeNames: [] }),
  );
  const ofIdentities = Object.values(world.resources)
    .filter(isUserAssignedIdentity)
    .map((identity) =>
      servicePrincipal(world, {
        id: String(identity.properties["principalId"]),
        appId: String(identity.properties["clientId"]),
        displayName: identity.name,
        createdAt: 0,
        type: "ManagedIdentity",
        alternativeNames: ["isExplicit=True", identity.id],
      }),
    );
  return [...ofApplications, ...ofIdentities];
}

interface Principal {
  readonly id: string;
  readonly appId: string;
  readonly displayName: string;
  readonly createdAt: number;
  readonly type: "Application" | "ManagedIdentity";
  readonly alternativeNames: readonly string[];
}

function servicePrincipal(world: World, principal: Principal): DirectoryObject {
  const { id, appId, displayName, createdAt, type, alternativeNames } = principal;
  return {
    createdAt,
    properties: {
      id,
      accountEnabled: true,
      alternativeNames,
      appDisplayName: type === "Application" ? displayName : null,
      appId,
      appOwnerOrganizationId: type === "Application" ? world.tenantId : null,
      createdDateTime: new Date(createdAt).toISOString(),
      displayName,
      servicePrincipalNames: [appId],
      servicePrincipalType: type,
      tags: [],
    },
  };
}

function isUserAssignedIdentity(resource: StoredResource): boolean {
  return resource.type.toLowerCase() === "microsoft.managedidentity/userassignedidentities";
}
