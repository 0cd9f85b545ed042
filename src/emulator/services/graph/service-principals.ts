/** Service principals of applications: created, upserted by application ID, updated, deleted. */
import { z } from "zod";
import { ApiError, type Answer, type Call } from "../../core/service.js";
import { namedIn } from "../../common/named.js";
import type { Application } from "../../state/application.js";
import { createsIfMissing, readBody } from "./body.js";
import { changeable, softDeletePrincipal } from "./deleted-items.js";
import { badRequest, denied, notFound } from "./errors.js";
import { addPasswordBody, newPassword, passwordAdded, withoutPassword } from "./key-credentials.js";
import { principalOfApplication } from "./objects.js";
import { collections, created, find, findOr404, isReplicated, type Key } from "./query.js";
import { checkQuota, ownersOfNew, requireChange, requireCreate } from "./rights.js";
import { logOperation } from "../../state/operation-log.js";

const collection = collections.servicePrincipals;

const principalBody = z.strictObject({
  appId: z.guid().optional(),
  displayName: z.string().min(1).max(256).optional(),
  tags: z.array(z.string().min(1).max(256)).optional(),
  accountEnabled: z.boolean().optional(),
});

type Sent = z.output<typeof principalBody>;

/** Graph's message if the application, or its ownership, has not replicated yet. */
const backingApplication =
  "When using this permission, the backing application of the service principal being created must in the local tenant";

export function createPrincipal(call: Call): Answer {
  const sent = readBody(call, principalBody, "ServicePrincipal");
  if (sent.appId === undefined) throw badRequest("The property 'appId' is required to create a service principal.");
  return create(call, sent.appId, sent);
}

/** PATCH: 204 for an existing one; with `Prefer: create-if-missing`, 201 for an application that has none. */
export function patchPrincipal(call: Call, key: Key): Answer {
  const sent = readBody(call, principalBody, "ServicePrincipal");
  const found = find(call, collection, key);
  if (found === undefined) {
    if (key.property === "appId" && createsIfMissing(call)) return create(call, key.value, sent);
    throw notFound(key.value);
  }
  const application = changeable(found);
  requireChange(call, application.servicePrincipal?.owners ?? []);
  change(application, sent);
  return { status: 204, takes: write(call, "PATCH", application) };
}

function create(call: Call, appId: string, sent: Sent): Answer {
  requireCreate(call);
  const application = namedIn(call.state.applications, appId.toLowerCase());
  if (application === undefined || !isReplicated(application, call)) throw lagging(call, appId, application);
  requireChange(call, application.owners ?? [], backingApplication);
  if (application.servicePrincipalId !== undefined) {
    throw new ApiError(
      409,
      "Request_MultipleObjectsWithSameKeyValue",
      `The service principal cannot be created, updated, or restored because the service principal name ${appId} is already in use.`,
    );
  }
  checkQuota(call);
  application.servicePrincipalId = call.uuid();
  application.servicePrincipal = { createdAt: call.now, tags: [], owners: ownersOfNew(call) };
  change(application, sent);
  const { properties } = principalOfApplication(application, call.state.tenantId);
  return created(call, collection, application.servicePrincipalId, properties, write(call, "POST", application));
}

/** Looks up the application first, then its owner. Both replicate late, so one error follows the other. */
function lagging(call: Call, appId: string, application: Application | undefined): ApiError {
  const lag = call.milliseconds(call.state.knobs?.replicationLagSeconds ?? 0);
  if (application !== undefined && call.now >= application.createdAt + lag / 2) return denied(backingApplication);
  return badRequest(`The appId '${appId}' of the service principal does not reference a valid application object.`);
}

function principalIn(application: Application): NonNullable<Application["servicePrincipal"]> {
  application.servicePrincipal ??= { createdAt: application.createdAt, tags: [], owners: [] };
  return application.servicePrincipal;
}

function change(application: Application, { displayName, tags, accountEnabled }: Sent): void {
  const principal = principalIn(application);
  if (displayName !== undefined) principal.displayName = displayName;
  if (tags !== undefined) principal.tags = tags;
  if (accountEnabled === true) delete principal.disabled;
  if (accountEnabled === false) principal.disabled = true;
}

/** A client secret of the principal itself: its application does not show it. */
export function addPrincipalPassword(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collection, key));
  requireChange(call, application.servicePrincipal?.owners ?? []);
  const { credential, secretText } = newPassword(call, readBody(call, addPasswordBody, "PasswordCredential"));
  const principal = principalIn(application);
  principal.passwordCredentials = [...(principal.passwordCredentials ?? []), credential];
  return passwordAdded(write(call, "PATCH", application), credential, secretText);
}

export function removePrincipalPassword(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collection, key));
  requireChange(call, application.servicePrincipal?.owners ?? []);
  const principal = principalIn(application);
  principal.passwordCredentials = withoutPassword(call, principal.passwordCredentials ?? []);
  return { status: 204, takes: write(call, "PATCH", application) };
}

/** Role assignments of the principal stay, as orphans. */
export function deletePrincipal(call: Call, key: Key): Answer {
  const application = changeable(findOr404(call, collection, key));
  requireChange(call, application.servicePrincipal?.owners ?? []);
  const takes = write(call, "DELETE", application);
  softDeletePrincipal(call, application);
  return { status: 204, takes };
}

function write(call: Call, verb: string, { uniqueName, appId }: Application): number {
  const seconds = call.sample("graph.servicePrincipal");
  logOperation(call.state, { resource: `graph/servicePrincipals/${uniqueName ?? appId}`, verb, seconds });
  return seconds;
}
