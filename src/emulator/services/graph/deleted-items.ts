/** The directory's recycle bin: deleted applications, kept with their service principals for thirty days. */
import type { Answer, Call } from "../../core/service.js";
import { indexOf } from "../../state/index-of.js";
import type { Application } from "../../state/application.js";
import { denied, notFound } from "./errors.js";
import { applicationObject, deletedApplicationsOf, keyOf, type DirectoryObject } from "./objects.js";
import { collections, single, type Key } from "./query.js";
import { checkQuota, requireChange } from "./rights.js";
import { logOperation } from "../../state/operation-log.js";

const dayMs = 86_400_000;
const keptForMs = 30 * dayMs;
const dayOf = (at: number): number => Math.floor(at / dayMs);
const deletedByDay = indexOf<Application>(({ deletedAt = 0 }) => [String(dayOf(deletedAt))]);

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

/** Forgets objects deleted more than thirty days ago. Runs before every answer of the directory. */
export function emptyOldBin({ state, now }: Call): void {
  const bin = state.deletedApplications ?? {};
  for (const day of deletedByDay.keys(bin).filter((one) => Number(one) <= dayOf(now - keptForMs))) {
    for (const { appId, deletedAt = 0 } of deletedByDay.find(bin, day)) if (deletedAt + keptForMs <= now) delete bin[appId];
  }
}

export function restore(call: Call, key: Key): Answer {
  const { deletedAt: _none, ...application } = takeOut(call, key);
  checkQuota(call);
  call.state.applications[application.appId] = application;
  return {
    status: 200,
    takes: write(call, "POST", application),
    body: single(collections.applications, applicationObject(application).properties),
  };
}

export function deleteForGood(call: Call, key: Key): Answer {
  return { status: 204, takes: write(call, "DELETE", takeOut(call, key)) };
}

function takeOut(call: Call, { value }: Key): Application {
  const [object] = deletedApplicationsOf(call.state, keyOf("id", value));
  if (object === undefined) throw notFound(value);
  const application = changeable(object);
  requireChange(call, application.owners ?? []);
  delete call.state.deletedApplications?.[application.appId];
  return application;
}

function write(call: Call, verb: string, { uniqueName, id }: Application): number {
  const seconds = call.sample("graph.application");
  logOperation(call.state, { resource: `graph/directory/deletedItems/${uniqueName ?? id}`, verb, seconds });
  return seconds;
}
