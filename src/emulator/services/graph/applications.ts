/** Applications: created, upserted by unique name, updated, given secrets, soft-deleted. */
import { z } from "zod";
import type { Answer, Call } from "../../core/service.js";
import type { Application } from "../../state/application.js";
import { createsIfMissing, readBody } from "./body.js";
import { changeable, softDelete } from "./deleted-items.js";
import { conflicting, invalidValue, notFound } from "./errors.js";
import { addPasswordBody, keyCredentialBody, newPassword, passwordAdded, readKeyCredentials, withoutPassword } from "./key-credentials.js";
import { applicationObject, applicationsOf, deletedApplicationsOf, keyOf } from "./objects.js";
import { collections, created, find, findOr404, type Key } from "./query.js";
import { checkQuota, ownersOfNew, requireChange, requireCreate } from "./rights.js";
import { logOperation } from "../../state/operation-log.js";

const collection = collections.applications;
const anything = z.record(z.string(), z.unknown());

/** Stored and answered as sent. */
const beside = {
  description: z.string().nullish(),
  notes: z.string().nullish(),
  signInAudience: z.enum(["AzureADMyOrg", "AzureADMultipleOrgs", "AzureADandPersonalMicrosoftAccount"]).optional(),
  identifierUris: z.array(z.string()).optional(),
  requiredResourceAccess: z.array(anything).optional(),
  isFallbackPublicClient: z.boolean().nullish(),
  isDeviceOnlyAuthSupported: z.boolean().nullish(),
  groupMembershipClaims: z.string().nullish(),
  serviceManagementReference: z.string().nullish(),
  appRoles: z.array(anything).optional(),
  optionalClaims: anything.nullish(),
  web: anything.nullish(),
  api: anything.nullish(),
  publicClient: anything.nullish(),
  spa: anything.nullish(),
  info: anything.nullish(),
};

/** The limit of a display name; Graph documents none for a unique name. */
const longestName = 256;

const applicationBody = z.strictObject({
  displayName: z.string().min(1).max(longestName).optional(),
  uniqueName: z.string().min(1).max(longestName).optional(),
  tags: z.array(z.string().min(1).max(256)).optional(),
  keyCredentials: z.array(keyCredentialBody).optional(),
  ...beside,
});

type Sent = z.output<typeof applicationBody>;

export function createApplication(call: Call): Answer {
  return create(call, readBody(call, applicationBody, "Application"));
}

/** PATCH: 204 without a body for an existing one; with `Prefer: create-if-missing`, 201 with the new object for a free unique name. */
export function patchApplication(call: Call, key: Key): Answer {
  const sent = readBody(call, applicationBody, "Application");
  const found = find(call, collection, key)?.application;
  if (found === undefined) {
    if (key.property === "uniqueName" && createsIfMissing(call)) return create(call, { ...sent, uniqueName: key.value });
    throw notFound(key.value);
  }
  requireChange(call, found.owners ?? []);
  if (sent.uniqueName !== undefined && sent.uniqueName !== found.uniqueName) {
    if (found.uniqueName !== undefined) throw invalidValue("uniqueName", "Application");
    checkUniqueName(call, sent.uniqueName);
  }
  change(call, found, sent);
  return { status: 204, takes: write(call, "PATCH", found) };
}

function create(call: Call, sent: Sent): Answer {
  requireCreate(call);
  const { displayName, uniqueName } = sent;
  if (displayName === undefined) throw invalidValue("displayName", "Application");
  if (uniqueName !== undefined) checkUniqueName(call, uniqueName);
  checkQuota(call);
  const application: Application = {
    appId: call.uuid(),
    id: call.uuid(),
    displayName,
    secretHashes: [],
    graphPermissions: [],
    owners: ownersOfNew(call),
    createdAt: call.now,
  };
  change(call, application, sent);
  call.state.applications[application.appId] = application;
  const takes = write(call, "POST", application);
  return created(call, collection, application.id, applicationObject(application).properties, takes);
}

function change(call: Call, application: Application, { displayName, uniqueName, tags, keyCredentials, ...others }: Sent): void {
  if (displayName !== undefined) application.displayName = displayName;
  if (uniqueName !== undefined) application.uniqueName = uniqueName;
  if (tags !== undefined) application.tags = tags;
  if (keyCredentials !== undefined) {
    application.keyCredentials = readKeyCredentials(call, keyCredentials, application.keyCredentials ?? []);
  }
  const kept = Object.entries(others).filter(([, value]) => value !== undefined);
  if (kept.length > 0) application.beside = { ...application.beside, ...Object.fromEntries(kept) };
}

/** Soft-deleted applications keep their names, and so do those that have not replicated yet. */
function checkUniqueName({ state }: Call, uniqueName: string): void {
  if (uniqueName.length > longestName) throw invalidValue("uniqueName", "Application");
  const key = keyOf("uniqueName", uniqueName);
  if (applicationsOf(state, key).length + deletedApplicationsOf(state, key).length > 0) throw conflicting("uniqueName");
}

export function deleteApplication(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collection, key));
  requireChange(call, application.owners ?? []);
  softDelete(call, application);
  return { status: 204, takes: write(call, "DELETE", application) };
}

export function addPassword(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collection, key));
  requireChange(call, application.owners ?? []);
  const { credential, secretText } = newPassword(call, readBody(call, addPasswordBody, "PasswordCredential"));
  application.passwordCredentials = [...(application.passwordCredentials ?? []), credential];
  return passwordAdded(write(call, "PATCH", application), credential, secretText);
}

export function removePassword(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collection, key));
  requireChange(call, application.owners ?? []);
  application.passwordCredentials = withoutPassword(call, application.passwordCredentials ?? []);
  return { status: 204, takes: write(call, "PATCH", application) };
}

/** Adds the write to the operation log. Returns the seconds it takes. */
function write(call: Call, verb: string, { uniqueName, id }: Application): number {
  const seconds = call.sample("graph.application");
  logOperation(call.state, { resource: `graph/applications/${uniqueName ?? id}`, verb, seconds });
  return seconds;
}
