/** Graph's view of users and groups, and of service principals that were deleted without an application. */
import { indexOf } from "../../state/index-of.js";
import type { DeletedPrincipal, Person } from "../../state/directory-objects.js";
import { isoTime, keysOf, type DirectoryObject, type Objects } from "./objects.js";
import { unsetOfPrincipal } from "./unset-properties.js";

const peopleByKey = indexOf<Person>((person) => keysOf(personObject(person)));
const deletedPrincipalsByKey = indexOf<DeletedPrincipal>((principal) => keysOf(deletedPrincipalObject(principal)));

export function peopleOf(kind: Person["kind"], { deleted }: { readonly deleted: boolean }): Objects {
  return ({ people = {} }, key) =>
    (key === undefined ? Object.values(people) : peopleByKey.find(people, key))
      .filter((one) => one.kind === kind && (one.deletedAt !== undefined) === deleted)
      .map(personObject);
}

export const deletedPrincipalsOf: Objects = ({ deletedPrincipals = {} }, key) =>
  (key === undefined ? Object.values(deletedPrincipals) : deletedPrincipalsByKey.find(deletedPrincipals, key)).map(deletedPrincipalObject);

const unsetOfUser = {
  businessPhones: [],
  givenName: null,
  jobTitle: null,
  mail: null,
  mobilePhone: null,
  officeLocation: null,
  preferredLanguage: null,
  surname: null,
};

const unsetOfGroup = {
  classification: null,
  description: null,
  groupTypes: [],
  mail: null,
  mailEnabled: false,
  mailNickname: null,
  securityEnabled: true,
  visibility: null,
};

function personObject({ kind, id, displayName, userPrincipalName, createdAt, deletedAt }: Person): DirectoryObject {
  const deletedDateTime = deletedAt === undefined ? null : isoTime(deletedAt);
  const named = { id, displayName, deletedDateTime };
  return {
    createdAt,
    properties:
      kind === "user"
        ? { ...unsetOfUser, ...named, userPrincipalName: userPrincipalName ?? null }
        : { ...unsetOfGroup, ...named, createdDateTime: isoTime(createdAt) },
    ...(kind === "user" && { selected: { accountEnabled: true, createdDateTime: isoTime(createdAt), userType: "Member" } }),
  };
}

function deletedPrincipalObject({
  id,
  appId,
  displayName,
  identity,
  servicePrincipal,
  createdAt,
  deletedAt,
}: DeletedPrincipal): DirectoryObject {
  return {
    createdAt,
    properties: {
      ...unsetOfPrincipal,
      id,
      deletedDateTime: isoTime(deletedAt),
      accountEnabled: servicePrincipal?.disabled !== true,
      alternativeNames: identity === undefined ? [] : ["isExplicit=True", identity],
      appDisplayName: identity === undefined ? displayName : null,
      appId,
      createdDateTime: isoTime(createdAt),
      displayName,
      servicePrincipalNames: [appId],
      servicePrincipalType: identity === undefined ? "Application" : "ManagedIdentity",
      tags: servicePrincipal?.tags ?? [],
    },
  };
}
