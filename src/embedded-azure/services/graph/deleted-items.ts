/** The directory's recycle bin: deleted applications, kept with their service principals for thirty days. */
import type { Answer, Call } from "../../service.js";
import type { Application } from "../../world/world.js";
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

/** Its service principal goes with it. */
export function softDelete({ world, now }: Call, application: Application): void {
  world.applications = world.applications.filter((each) => each !== application);
  world.deletedApplications = [...(world.deletedApplications ?? []), { ...application, deletedAt: now }];
}

/** Forgets what was deleted more than thirty days ago. Called before anything of the directory is answered. */
export function emptyOldBin({ world, now }: Call): void {
  if (world.deletedApplications === undefined) return;
  world.deletedApplications = world.deletedApplications.filter(({ deletedAt = 0 }) => deletedAt + keptForMs > now);
}

export function restore(call: Call, key: Key): Answer {
  const application = takeOut(call, key);
  checkQuota(call);
  delete application.deletedAt;
  call.world.applications.push(application);
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
  const bin = call.world.deletedApplications ?? [];
  const application = bin.find(({ id }) => id === value.toLowerCase());
  if (application === undefined) throw notFound(value);
  requireChange(call, application.owners ?? []);
  call.world.deletedApplications = bin.filter((each) => each !== application);
  return application;
}

function write(call: Call, verb: string, { uniqueName, id }: Application): number {
  const seconds = call.draw("graph.application");
  call.world.ledger.push({ resource: `graph/directory/deletedItems/${uniqueName ?? id}`, verb, seconds });
  return seconds;
}
