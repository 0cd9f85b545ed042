/** Graph's view of the objects in the state: applications, their service principals, and those of user-assigned identities. */
import { resourcesByType } from "../../arm/indexes.js";
import { indexOf } from "../../state/index-of.js";
import type { StoredResource, AzureState } from "../../state/state.js";
import type { Application, KeyCredential, PasswordCredential } from "../../state/application.js";
import { apiForPersonalAccounts, unsetOfApplication, unsetOfPrincipal } from "./unset-properties.js";

export interface DirectoryObject {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** All properties, with those that only `$select` on a single object returns. */
  readonly selected?: Readonly<Record<string, unknown>>;
  /** The application of the application or service principal; absent for an identity's, which Graph cannot change. */
  readonly application?: Application;
}

/** The objects of a kind: all, or those with a key of `keyOf`. */
export type Objects = (state: AzureState, key?: string) => DirectoryObject[];

/** The properties by which objects are found without a search. */
const keyProperties = ["id", "appId", "displayName", "uniqueName", "userPrincipalName", "servicePrincipalNames", "tags"];

/** The key of the objects with this value of the property, or among its values; undefined if they must be searched. */
export function keyOf(property: string, value: string): string | undefined {
  return keyProperties.includes(property) ? `${property}=${value.toLowerCase()}` : undefined;
}

export function keysOf({ properties }: DirectoryObject): string[] {
  const keys = keyProperties.flatMap((property) =>
    [properties[property]].flat().flatMap((value) => (typeof value === "string" ? (keyOf(property, value) ?? []) : [])),
  );
  return [...new Set(keys)];
}

const applicationsByKey = indexOf<Application>((application) => keysOf(applicationObject(application)));

const principalsByKey = indexOf<Application>((application) =>
  application.servicePrincipalId === undefined ? [] : keysOf(principalOfApplication(application)),
);

const identitiesByKey = indexOf<StoredResource>((resource) =>
  isUserAssignedIdentity(resource) ? keysOf(principalOfIdentity(resource)) : [],
);

export const applicationsOf: Objects = ({ applications }, key) => applicationsIn(applications, key).map(applicationObject);

export const deletedApplicationsOf: Objects = ({ deletedApplications = {} }, key) =>
  applicationsIn(deletedApplications, key).map(applicationObject);

/** Those that were deleted with their applications. */
export const principalsOfDeleted: Objects = ({ deletedApplications = {}, tenantId }, key) => {
  const found = key === undefined ? Object.values(deletedApplications) : principalsByKey.find(deletedApplications, key);
  return found.filter((each) => each.servicePrincipalId !== undefined).map((each) => principalOfApplication(each, tenantId));
};

function applicationsIn(applications: Readonly<Record<string, Application>>, key: string | undefined): Application[] {
  return key === undefined ? Object.values(applications) : applicationsByKey.find(applications, key);
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
      ...(beside?.["signInAudience"] === "AzureADandPersonalMicrosoftAccount" && { api: apiForPersonalAccounts }),
      ...beside,
      tags,
      keyCredentials: keyCredentials.map((credential) => presentKey(credential, null)),
      passwordCredentials: passwordCredentials.map(presentPassword),
    },
  };
}

function presentPassword({ keyId, displayName, hint, startDateTime, endDateTime }: PasswordCredential) {
  return { customKeyIdentifier: null, displayName, endDateTime, hint, keyId, secretText: null, startDateTime };
}

/** The certificate itself is answered only if `$select` names it on a single application. */
function presentKey({ customKeyIdentifier, displayName, startDateTime, endDateTime, keyId }: KeyCredential, key: string | null) {
  return { customKeyIdentifier, displayName, endDateTime, key, keyId, startDateTime, type: "AsymmetricX509Cert", usage: "Verify" };
}

export const servicePrincipalsOf: Objects = ({ applications, resources, tenantId }, key) => {
  const ofApplications =
    key === undefined
      ? Object.values(applications).filter((each) => each.servicePrincipalId !== undefined)
      : principalsByKey.find(applications, key);
  const ofIdentities = key === undefined ? resourcesByType.find(resources, identityType) : identitiesByKey.find(resources, key);
  return [...ofApplications.map((each) => principalOfApplication(each, tenantId)), ...ofIdentities.map(principalOfIdentity)];
};

export function principalOfApplication(application: Application, tenantId?: string): DirectoryObject {
  const { servicePrincipalId, servicePrincipal, appId, displayName } = application;
  const createdAt = servicePrincipal?.createdAt ?? application.createdAt;
  return {
    createdAt,
    application,
    properties: {
      ...unsetOfPrincipal,
      id: servicePrincipalId,
      deletedDateTime: application.deletedAt === undefined ? null : isoTime(application.deletedAt),
      accountEnabled: servicePrincipal?.disabled !== true,
      alternativeNames: [],
      appDisplayName: displayName,
      appId,
      appOwnerOrganizationId: tenantId,
      createdDateTime: isoTime(createdAt),
      displayName: servicePrincipal?.displayName ?? displayName,
      passwordCredentials: (servicePrincipal?.passwordCredentials ?? []).map(presentPassword),
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

const identityType = "microsoft.managedidentity/userassignedidentities";

function isUserAssignedIdentity(resource: StoredResource): boolean {
  return resource.type.toLowerCase() === identityType;
}

/** As Graph writes times: no fractions. `at` in epoch milliseconds. */
export const isoTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
