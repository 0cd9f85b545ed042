/** Graph's view of the objects in the state: applications, their service principals, and those of user-assigned identities. */
import type { Application, KeyCredential, StoredResource, AzureState } from "../../state/state.js";
import { unsetOfApplication, unsetOfPrincipal } from "./unset-properties.js";

export interface DirectoryObject {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** All properties, with those that only `$select` on a single object returns. */
  readonly selected?: Readonly<Record<string, unknown>>;
  /** The application of the application or service principal; absent for an identity's, which Graph cannot change. */
  readonly application?: Application;
}

export function applicationsOf(state: AzureState): DirectoryObject[] {
  return state.applications.map(applicationObject);
}

export function deletedApplicationsOf(state: AzureState): DirectoryObject[] {
  return (state.deletedApplications ?? []).map(applicationObject);
}

export function applicationObject(application: Application): DirectoryObject {
  const { id, appId, displayName, uniqueName = null, createdAt, deletedAt, tags = [], keyCredentials = [], beside } = application;
  const { passwordCredentials = [] } = application;
  return {
    createdAt,
    application,
    selected: { keyCredentials: keyCredentials.map((credential) => presentKey(credential, credential.key)) },
    properties: {
      id,
      deletedDateTime: deletedAt === undefined ? null : isoTime(deletedAt),
      appId,
      uniqueName,
      createdDateTime: isoTime(createdAt),
      displayName,
      ...unsetOfApplication,
      ...beside,
      tags,
      keyCredentials: keyCredentials.map((credential) => presentKey(credential, null)),
      passwordCredentials: passwordCredentials.map(({ keyId, displayName: name, hint, startDateTime, endDateTime }) => ({
        customKeyIdentifier: null,
        displayName: name,
        endDateTime,
        hint,
        keyId,
        secretText: null,
        startDateTime,
      })),
    },
  };
}

/** The certificate itself is answered only if `$select` names it on a single application. */
function presentKey({ customKeyIdentifier, displayName, startDateTime, endDateTime, keyId }: KeyCredential, key: string | null) {
  return { customKeyIdentifier, displayName, endDateTime, key, keyId, startDateTime, type: "AsymmetricX509Cert", usage: "Verify" };
}

export function servicePrincipalsOf(state: AzureState): DirectoryObject[] {
  const ofApplications = state.applications.filter((each) => each.servicePrincipalId !== undefined);
  const ofIdentities = Object.values(state.resources).filter(isUserAssignedIdentity);
  return [...ofApplications.map((each) => principalOfApplication(state, each)), ...ofIdentities.map(principalOfIdentity)];
}

export function principalOfApplication(state: AzureState, application: Application): DirectoryObject {
  const { servicePrincipalId, servicePrincipal, appId, displayName } = application;
  const createdAt = servicePrincipal?.createdAt ?? application.createdAt;
  return {
    createdAt,
    application,
    properties: {
      ...unsetOfPrincipal,
      id: servicePrincipalId,
      accountEnabled: servicePrincipal?.disabled !== true,
      alternativeNames: [],
      appDisplayName: displayName,
      appId,
      appOwnerOrganizationId: state.tenantId,
      createdDateTime: isoTime(createdAt),
      displayName: servicePrincipal?.displayName ?? displayName,
      servicePrincipalNames: [appId],
      servicePrincipalType: "Application",
      signInAudience: application.beside?.["signInAudience"] ?? unsetOfApplication.signInAudience,
      tags: servicePrincipal?.tags ?? [],
    },
  };
}

function principalOfIdentity({ id, name, properties, createdAt = 0 }: StoredResource): DirectoryObject {
  const appId = String(properties["clientId"]);
  return {
    createdAt,
    properties: {
      ...unsetOfPrincipal,
      id: String(properties["principalId"]),
      accountEnabled: true,
      alternativeNames: ["isExplicit=True", id],
      appDisplayName: null,
      appId,
      appOwnerOrganizationId: null,
      createdDateTime: isoTime(createdAt),
      displayName: name,
      servicePrincipalNames: [appId],
      servicePrincipalType: "ManagedIdentity",
      tags: [],
    },
  };
}

function isUserAssignedIdentity(resource: StoredResource): boolean {
  return resource.type.toLowerCase() === "microsoft.managedidentity/userassignedidentities";
}

/** As Graph writes times: no fractions. `at` in epoch milliseconds. */
export const isoTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
