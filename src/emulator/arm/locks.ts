/** Management locks: resources of type Microsoft.Authorization/locks at a scope, enforced there and below. */
import { z } from "zod";
import { ApiError, type Answer } from "../core/service.js";
import type { StoredResource, AzureState } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import { findScope } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { scopeLocked } from "./errors.js";
import { extensionsAround, extensionsFrom } from "./indexes.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";
import { readContent, known, oneOf } from "./body-schema.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";

const type = "Microsoft.Authorization/locks";

export function isLock(typeName: string): boolean {
  return keyOf(typeName) === keyOf(type);
}

function scopeOf({ id }: StoredResource): string {
  return id.slice(0, keyOf(id).lastIndexOf(`/providers/${keyOf(type)}/`));
}

/** The scope of a lock that forbids this verb on `id`: CanNotDelete forbids deletes, ReadOnly deletes and writes. */
function lockedScope(state: AzureState, id: string, verb: "write" | "delete"): string | undefined {
  for (const lock of extensionsFrom(state, id, type)) {
    if (lock.properties["level"] === "NotSpecified") continue;
    if (lock.properties["level"] === "ReadOnly" || verb === "delete") return scopeOf(lock);
  }
  return undefined;
}

const versions = ["2020-05-01", "2017-04-01", "2016-09-01", "2015-01-01"];
const collection = `{scope}/providers/${type}`;
const single = `${collection}/{name}`;

export const lockEndpoints: readonly Endpoint[] = [
  { method: "GET", path: collection, versions, handle: list },
  { method: "GET", path: single, versions, handle: get },
  { method: "PUT", path: single, versions, handle: put },
  { method: "DELETE", path: single, versions, handle: remove },
];

const body = known(
  {
    properties: known({
      level: oneOf("CanNotDelete", "ReadOnly", "NotSpecified"),
      notes: z.string().max(512).optional(),
      owners: z.array(z.strictObject({ applicationId: z.string().optional() })).optional(),
    }),
  },
  ["id", "name", "type", "systemData"],
);

/** Locks do not protect locks: under a read-only scope, a lock can be written and deleted. */
function put(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  requireRight(call, `${type}/write`, scope);
  findScope(call, scope);
  const { properties } = readContent(body, call.request.body, type);
  const id = `${scope}/providers/${type}/${name}`;
  const existing = call.state.resources[keyOf(id)];
  const lock = { id: existing?.id ?? id, name: existing?.name ?? name, type, properties };
  call.state.resources[keyOf(id)] = lock;
  return { status: existing === undefined ? 201 : 200, body: present(lock), takes: call.sample("read") };
}

function get(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  requireRight(call, `${type}/read`, scope);
  findScope(call, scope);
  const lock = call.state.resources[keyOf(`${scope}/providers/${type}/${name}`)];
  if (lock === undefined) throw new ApiError(404, "LockNotFound", `The lock '${name}' could not be found.`);
  return { status: 200, body: present(lock), takes: call.sample("read") };
}

function remove(call: ArmCall, { scope = "", name = "" }: Parameters): Answer {
  requireRight(call, `${type}/delete`, scope);
  const key = keyOf(`${scope}/providers/${type}/${name}`);
  if (call.state.resources[key] === undefined) return { status: 204, takes: call.sample("read") };
  delete call.state.resources[key];
  return { status: 200, takes: call.sample("read") };
}

/** Those that apply at the scope, and those below it unless `atScope()` is set. */
function list(call: ArmCall, { scope = "" }: Parameters): Answer {
  requireRight(call, `${type}/read`, scope);
  findScope(call, scope);
  const { calls } = readFilter(call.request.query.get("$filter"), ["atscope"]);
  return page(call, extensionsAround(call.state, scope, type, calls.has("atscope")), present);
}

/** A lock names its scope in the spelling of its creation. */
function present({ id, name, properties: { provisioningState: _none, ...properties } }: StoredResource): Record<string, unknown> {
  return { id, name, type, properties };
}

/** @throws ApiError ScopeLocked if a lock on the resource or on anything above it forbids the verb */
export function checkLocks(state: AzureState, id: string, verb: "write" | "delete"): void {
  const scope = lockedScope(state, id, verb);
  if (scope !== undefined) throw scopeLocked(id, verb, scope);
}
