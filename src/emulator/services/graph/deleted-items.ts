/** The directory's recycle bin: deleted applications, kept with their service principals for thirty days. */
import type { Answer, Call } from "../../service.js";
import type { Application } from "../../state/state.js";
import { denied, notFound } from "./errors.js";
import { applicationObject, type DirectoryObject } from "./objects.js";
import { collections, single, type Key } from "./query.js";
import { checkQuota } from "./quota.js";
import { requireChange } from "./rights.js";

const keptForMs = 30 * 86_400_000;

/** The application behind an object that Graph can change. @throws ApiError 403 for the principal of a managed identity. */
export function changeable({ application }: DirectoryObject): Application {
  if (application === undefined) throw denied();
  return application;
}

/** Deletes its service principal too. */
export function softDelete({ state, now }: Call, application: Application): void {
  state.applications = state.applications.filter((each) => each !== application);
  state.deletedApplications = [...(state.deletedApplications ?? []), { ...application, deletedAt: now }];
}

/** Forgets objects deleted more than thirty days ago. Runs before every answer of the directory. */
export function emptyOldBin({ state, now }: Call): void {
  if (state.deletedApplications === undefined) return;
  state.deletedApplications = state.deletedApplications.filter(({ deletedAt = 0 }) => deletedAt + keptForMs > now);
}

export function restore(call: Call, key: Key): Answer {
  const application = takeOut(call, key);
  checkQuota(call);
  delete application.deletedAt;
  call.state.applications.push(application);
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
  const bin = call.state.deletedApplications ?? [];
  const application = bin.find(({ id }) => id === value.toLowerCase());
  if (application === undefined) throw notFound(value);
  requireChange(call, application.owners ?? []);
  call.state.deletedApplications = bin.filter((each) => each !== application);
  return application;
}

function write(call: Call, verb: string, { uniqueName, id }: Application): number {
  const seconds = call.sample("graph.application");
  call.state.operationLog.push({ resource: `graph/directory/deletedItems/${uniqueName ?? id}`, verb, seconds });
  return seconds;
}
