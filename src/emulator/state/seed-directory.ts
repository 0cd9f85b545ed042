/** The part of a seed document that adds to the directory: applications, users, groups, and what is in the bin. */
import { z } from "zod";
import { sampleUuid } from "./sampling.js";
import { hashSecret } from "./seed.js";
import type { AzureState } from "./state.js";

const guid = z.guid().transform((text) => text.toLowerCase());
/** If present, the object is in the bin. */
const deletedDateTime = z.iso.datetime({ offset: true }).transform(Date.parse).optional();
const person = { id: guid, displayName: z.string(), deletedDateTime };

export const directoryShape = {
  applications: z
    .array(
      z.strictObject({
        appId: guid,
        displayName: z.string(),
        uniqueName: z.string().optional(),
        /** Object IDs. */
        owners: z.array(guid).optional(),
        id: guid.optional(),
        servicePrincipalId: guid.optional(),
        secret: z.string().min(1).optional(),
        graphPermissions: z.array(z.string()).default([]),
        /** With its service principal. */
        deletedDateTime,
      }),
    )
    .default([]),
  users: z.array(z.strictObject({ ...person, userPrincipalName: z.string() })).default([]),
  groups: z.array(z.strictObject(person)).default([]),
  /** Those that were deleted without an application: alone, or with the managed identity that `identity` names. */
  deletedServicePrincipals: z
    .array(
      z.strictObject({
        id: guid,
        appId: guid.optional(),
        displayName: z.string(),
        identity: z.string().startsWith("/subscriptions/").optional(),
        deletedDateTime,
      }),
    )
    .default([]),
};

type Directory = z.output<z.ZodObject<typeof directoryShape>>;

export function seedDirectory(state: AzureState, { applications, users, groups, deletedServicePrincipals }: Directory, now: number): void {
  for (const { secret, uniqueName, owners, deletedDateTime: deletedAt, ...application } of applications) {
    delete state.applications[application.appId];
    delete state.deletedApplications?.[application.appId];
    const into = deletedAt === undefined ? state.applications : (state.deletedApplications ??= {});
    into[application.appId] = {
      ...application,
      ...(uniqueName !== undefined && { uniqueName }),
      ...(owners !== undefined && { owners }),
      ...(deletedAt !== undefined && { deletedAt }),
      id: application.id ?? sampleUuid(state),
      servicePrincipalId: application.servicePrincipalId ?? sampleUuid(state),
      secretHashes: secret === undefined ? [] : [hashSecret(secret)],
      createdAt: now,
    };
  }
  const people = [...users.map((one) => ({ ...one, kind: "user" as const })), ...groups.map((one) => ({ ...one, kind: "group" as const }))];
  for (const { deletedDateTime: deletedAt, ...one } of people) {
    state.people ??= {};
    state.people[one.id] = { ...one, createdAt: now, ...(deletedAt !== undefined && { deletedAt }) };
  }
  for (const { deletedDateTime: deletedAt = now, identity, appId = sampleUuid(state), ...one } of deletedServicePrincipals) {
    state.deletedPrincipals ??= {};
    state.deletedPrincipals[one.id] = { ...one, appId, createdAt: deletedAt, deletedAt, ...(identity !== undefined && { identity }) };
  }
}
