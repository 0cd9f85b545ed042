/** The directory's bin: what was deleted, kept for thirty days. A deleted application is there with its service principal. */
import type { Answer, Call } from "../../core/service.js";
import { indexOf } from "../../state/index-of.js";
import type { Application } from "../../state/application.js";
import { badRequest, denied, notFound } from "./errors.js";
import { applicationObject, principalOfApplication, type DirectoryObject } from "./objects.js";
import { collections, deletedCollections, find, getItem, readableIn, single, type Key } from "./query.js";
import { checkQuota, requireChange, requireRead } from "./rights.js";
import { logOperation } from "../../state/operation-log.js";

const dayMs = 86_400_000;
const keptForMs = 30 * dayMs;
const dayOf = (at: number): number => Math.floor(at / dayMs);
const deletedByDay = indexOf<{ deletedAt?: number }>(({ deletedAt }) => (deletedAt === undefined ? [] : [String(dayOf(deletedAt))]));

/** The application behind an object that Graph can change. @throws ApiError 403 for the principal of a managed identity. */
export function changeable({ application }: DirectoryObject): Application {
  if (application === undefined) throw denied();
  return application;
}

/** Deletes its service principal too. */
export function softDelete({ state, now }: Call, application: Application): void {
  delete state.applications[application.appId];
  state.deletedApplications ??= {};
  state.deletedApplications[application.appId] = { ...application, deletedAt: now };
}

/** Deletes the service principal of an application that stays. */
export function softDeletePrincipal({ state, now }: Call, application: Application): void {
  const { servicePrincipalId, servicePrincipal, appId, displayName, createdAt } = application;
  delete application.servicePrincipalId;
  delete application.servicePrincipal;
  if (servicePrincipalId === undefined) return;
  state.deletedPrincipals ??= {};
  const principal = { id: servicePrincipalId, appId, displayName: servicePrincipal?.displayName ?? displayName, createdAt, deletedAt: now };
  state.deletedPrincipals[servicePrincipalId] = { ...principal, ...(servicePrincipal !== undefined && { servicePrincipal }) };
}

/** Forgets objects deleted more than thirty days ago. Runs before every answer of the directory. */
export function emptyOldBin({ state: { deletedApplications = {}, deletedPrincipals = {}, people = {} }, now }: Call): void {
  const bins: readonly Record<string, { deletedAt?: number }>[] = [deletedApplications, deletedPrincipals, people];
  for (const bin of bins) {
    for (const day of deletedByDay.keys(bin).filter((one) => Number(one) <= dayOf(now - keptForMs))) {
      for (const name of deletedByDay.namesOf(bin, day)) if ((bin[name]?.deletedAt ?? now) + keptForMs <= now) delete bin[name];
    }
  }
}

/** One of any type, by its ID. */
export function getDeleted(call: Call, key: Key): Answer {
  const collection = deletedCollections.find((one) => find(call, one, key) !== undefined);
  if (collection === undefined) throw notFound(key.value);
  requireRead(call, readableIn(collection));
  const answer = getItem(call, collection, key);
  return { ...answer, body: { "@odata.type": `#microsoft.graph.${collection.entity}`, ...(answer.body as object) } };
}

/** A principal comes back to its application, which must be there. */
export function restore(call: Call, key: Key): Answer {
  const { state } = call;
  const alone = state.deletedPrincipals?.[key.value.toLowerCase()];
  if (alone !== undefined) {
    const application = alone.identity === undefined ? state.applications[alone.appId] : undefined;
    if (application?.servicePrincipalId !== undefined || application === undefined) throw badRequest(notRestorable);
    requireChange(call, alone.servicePrincipal?.owners ?? []);
    delete state.deletedPrincipals?.[alone.id];
    application.servicePrincipalId = alone.id;
    if (alone.servicePrincipal !== undefined) application.servicePrincipal = alone.servicePrincipal;
    const { properties } = principalOfApplication(application, state.tenantId);
    return { status: 200, takes: write(call, "POST", application), body: single(collections.servicePrincipals, properties) };
  }
  const { deletedAt: _none, ...application } = takeOut(call, key);
  checkQuota(call);
  state.applications[application.appId] = application;
  return {
    status: 200,
    takes: write(call, "POST", application),
    body: single(collections.applications, applicationObject(application).properties),
  };
}

/** Decided without a recording. */
const notRestorable = "The service principal cannot be restored: its application does not exist, or has another service principal.";

export function deleteForGood(call: Call, key: Key): Answer {
  const { state } = call;
  const [, principals] = deletedCollections;
  const principal = principals && find(call, principals, key);
  if (principal === undefined) return { status: 204, takes: write(call, "DELETE", takeOut(call, key)) };
  const { application } = principal;
  const alone = state.deletedPrincipals?.[key.value.toLowerCase()];
  requireChange(call, (application ?? alone)?.servicePrincipal?.owners ?? []);
  if (application === undefined) delete state.deletedPrincipals?.[key.value.toLowerCase()];
  delete application?.servicePrincipalId;
  delete application?.servicePrincipal;
  return { status: 204, takes: write(call, "DELETE", { id: key.value }) };
}

function takeOut(call: Call, key: Key): Application {
  const [applications] = deletedCollections;
  const object = applications && find(call, applications, key);
  if (object === undefined) throw notFound(key.value);
  const application = changeable(object);
  requireChange(call, application.owners ?? []);
  delete call.state.deletedApplications?.[application.appId];
  return application;
}

function write(call: Call, verb: string, { uniqueName, id }: Pick<Application, "uniqueName" | "id">): number {
  const seconds = call.sample("graph.application");
  logOperation(call.state, { resource: `graph/directory/deletedItems/${uniqueName ?? id}`, verb, seconds });
  return seconds;
}
