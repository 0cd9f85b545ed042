/** The generic PUT: ARM's checks in ARM's order, then the type's rules, then the write and its operation. */
import { isDeepStrictEqual } from "node:util";
import { ApiError, type Answer } from "../core/service.js";
import type { StoredResource, AzureState } from "../state/state.js";
import { versionOf } from "./api-versions.js";
import { requireLinkedRight } from "./authorization-check.js";
import { invalidRequestContent, invalidResourceName, locationRequired, notEmulated, preconditionFailed } from "./errors.js";
import { checkLocation, checkSameLocation, normalLocation } from "./locations.js";
import { checkLocks } from "./locks.js";
import { renewEtag, start, takeLock } from "./operations.js";
import { idAnswered, present, systemDataOf } from "./present.js";
import { readContent, unknownMember } from "./body-schema.js";
import { keyOf, nameOf, typeOf } from "./resource-id.js";
import type { ArmCall, OperationError, Put, ResourceBody, ResourceType } from "./resource-type.js";
import type { LongRunning } from "./long-running.js";
import { checkTags } from "./tag-rules.js";
import { defaultsIn, unknownIn } from "./version-differences.js";
import { logOperation } from "../state/operation-log.js";

/** What the path names: see `resources.ts`. */
export interface Target {
  readonly type: ResourceType;
  /** Canonical ID. */
  readonly id: string;
  readonly name: string;
  /** For a group, its name. */
  readonly resourceGroup: string;
}

export function putResource(call: ArmCall, { type, id, name, resourceGroup }: Target): Answer {
  if (!type.verbs.includes("write")) throw notEmulated("PUT", call.request.path);
  if (!type.namePattern.test(name)) throw invalidResourceName(name, type.name, type.nameRule);
  const existing = call.state.resources[keyOf(id)];
  const body = readBody(type, call.request.body, versionOf(call.request), existing);
  checkTags(body.tags);
  checkLocks(call.state, id, "write");
  if (type.kind === "tracked") checkPlace(call.state, type, body, name, existing, resourceGroup);
  for (const linked of type.linkedRights?.(body) ?? []) requireLinkedRight(call, `${type.name}/write`, id, linked);
  const put: Put<ResourceBody> = { call, state: call.state, id, name, body, existing };
  const late = type.put?.answers === "accepted" ? lateFailure(call, type, put) : undefined;
  if (type.put?.answers !== "accepted") checkConditions(call, type, id, existing);
  const answered = type.answerInstead?.(put);
  if (answered !== undefined) return answered;
  type.checkPut?.(put);
  const atOnce = type.synchronousPutLatency?.(put);
  const run = atOnce === undefined ? type.put : undefined;
  if (type.put !== undefined && (run !== undefined || type.lock !== undefined)) takeLock(call, type, id, type.put);
  const before = existing === undefined || type.hasPutEnded === undefined ? undefined : settingsOf(call, existing);
  const resource = late === undefined ? write(type, put) : (existing ?? emptyResource(type, put));
  const failure = late ?? type.putFailure?.(put);
  const ended = type.hasPutEnded?.(put, before !== undefined && isDeepStrictEqual(before, settingsOf(call, resource))) === true;
  const seconds = type.putSeconds?.(put) ?? call.sample(atOnce ?? (ended ? type.latency.ended : undefined) ?? latencyOf(type, existing));
  if (run === undefined) type.holdFor?.(call, id, seconds);
  logOperation(call.state, { resource: id, verb: "PUT", seconds });
  const created = existing === undefined;
  if (run !== undefined) return begin(type, put, run, resource, { created, ended, seconds, late, failure });
  const headers = headersOf(type, resource, created);
  return { status: statusOf(type, created), headers, body: presentWritten(type, put, resource), takes: seconds };
}

function presentWritten(type: ResourceType, put: Put<ResourceBody>, resource: StoredResource): Record<string, unknown> {
  const presented = present(put.call, resource);
  return type.presentedByPut?.(put, presented) ?? presented;
}

/** What a resource answers, without its tags and what is new at every write. */
function settingsOf(call: ArmCall, resource: StoredResource): unknown {
  const { tags: _tags, systemData: _systemData, ...rest } = present(call, resource);
  return JSON.parse(JSON.stringify(rest, (key, value: unknown) => (key === "etag" ? undefined : value)));
}

function headersOf(type: ResourceType, { id }: StoredResource, created: boolean): Record<string, string> {
  return created && type.locationOfCreated ? { Location: `https://management.azure.com${idAnswered(type, id)}` } : {};
}

function statusOf(type: ResourceType, created: boolean): number {
  return created ? (type.createdStatus ?? 201) : (type.updatedStatus ?? 200);
}

function latencyOf({ latency: { put, update = put } }: ResourceType, existing: StoredResource | undefined): string {
  return existing === undefined ? put : update;
}

interface Begun {
  readonly created: boolean;
  readonly ended: boolean;
  readonly seconds: number;
  /** The error of a PUT that is not written. */
  readonly late: OperationError | undefined;
  readonly failure: OperationError | undefined;
}

/** The first answer. The time it takes is part of the operation's. */
function begin(
  type: ResourceType,
  put: Put<ResourceBody>,
  run: LongRunning,
  resource: StoredResource,
  { created, ended, seconds, late, failure }: Begun,
): Answer {
  const { call } = put;
  if (type.busyStates !== undefined && late === undefined && !ended) {
    const { creating, updating } = type.busyStates;
    resource.properties["provisioningState"] = created ? creating : (type.stateOfUpdate?.(put) ?? updating);
  }
  const { headers } = start(call, run, "put", resource, ended ? "none" : seconds, failure);
  const takes = ended ? seconds : call.sample("read");
  return run.answers === "accepted"
    ? { status: 202, headers, body: run.acceptedBody?.(versionOf(call.request)), takes }
    : { status: statusOf(type, created), headers, body: presentWritten(type, put, resource), takes };
}

/** Replaces the whole resource: members and tags that the body omits are removed, as on Azure. */
function write(type: ResourceType, put: Put<ResourceBody>): StoredResource {
  const { call, state, id, name, body, existing } = put;
  const beside = type.storedMembers?.(body, put);
  const resource: StoredResource = {
    id: existing?.id ?? id,
    name: existing?.name ?? name,
    type: type.name,
    ...(body.location === undefined ? {} : { location: normalLocation(body.location) }),
    ...(body.tags === undefined ? {} : { tags: { ...body.tags } }),
    ...(body.sku === undefined ? {} : { sku: { ...body.sku } }),
    ...(beside === undefined ? {} : { beside }),
    ...(type.systemData && { systemData: systemDataOf(call, existing) }),
    createdAt: existing?.createdAt ?? call.now,
    properties: type.storedProperties?.(put) ?? {},
  };
  if (type.busyStates !== undefined) resource.properties["provisioningState"] = "Succeeded";
  state.resources[keyOf(id)] = resource;
  renewEtag(call, resource, type);
  type.afterChange?.(call, id);
  return resource;
}

/** What a provider creates for itself, such as the load balancer of an AKS cluster: no right is required, and no operation starts. */
export function storeOwn(call: ArmCall, id: string, body: unknown): StoredResource {
  const { state, types } = call;
  const type = types.named(typeOf(id));
  if (type === undefined) throw new Error(`${id} has a type that is not emulated`);
  const existing = state.resources[keyOf(id)];
  const newest = type.apiVersions[0] ?? "";
  return write(type, { call, state, id, name: nameOf(id), body: readBody(type, body, newest, existing), existing });
}

/** Stands for the operation of a creation that fails: it is not stored. */
function emptyResource(type: ResourceType, { id, name }: Put<ResourceBody>): StoredResource {
  return { id, name, type: type.name, properties: {} };
}

/** Strict: a member that Azure or this version of it does not have, or that is not emulated, is refused by name. */
function readBody(type: ResourceType, sent: unknown, version: string, existing: StoredResource | undefined): ResourceBody {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) throw invalidRequestContent("Expected a JSON object.");
  if (type.kind === "tracked" && (sent as { location?: unknown }).location === undefined) throw locationRequired();
  if (type.body === undefined) throw new Error(`${type.name} declares the verb "write" without a body`);
  const unknown = unknownIn(version, type.versionDifferences ?? [], (sent as { properties?: unknown }).properties);
  if (unknown !== undefined) throw unknownMember(type.name, unknown, "Path 'properties'.");
  return withDefaults(readContent(type.body, sent, type.name), defaultsIn(version, type.versionDifferences ?? []), existing);
}

/** The defaults that depend on the version are for what a creation omits: an update keeps its values. */
function withDefaults(body: ResourceBody, defaults: Readonly<Record<string, unknown>>, existing: StoredResource | undefined): ResourceBody {
  const kept = Object.entries(defaults).map(([member, value]) => [member, existing?.properties[member] ?? value]);
  return kept.length === 0 ? body : { ...body, properties: { ...Object.fromEntries(kept), ...(body.properties as object | undefined) } };
}

function checkPlace(
  state: AzureState,
  type: ResourceType,
  { location }: ResourceBody,
  name: string,
  existing: StoredResource | undefined,
  resourceGroup: string,
): void {
  if (location === undefined) throw locationRequired();
  checkLocation(state, type.name, location, type.onlyLocation);
  if (existing?.location !== undefined) checkSameLocation(type.name, name, existing.location, location, resourceGroup);
}

/** @throws ApiError 412 PreconditionFailed */
export function checkConditions(call: ArmCall, type: ResourceType, id: string, existing: StoredResource | undefined): void {
  const ifNoneMatch = call.request.headers["if-none-match"];
  if (ifNoneMatch === "*" && existing !== undefined) {
    throw (
      type.conditionRefusal?.(call, id, "If-None-Match") ??
      preconditionFailed(`The resource ${existing.name} exists already and hence cannot be created again.`)
    );
  }
  checkIfMatch(call, type, id, existing);
}

/** @throws ApiError 412 PreconditionFailed */
export function checkIfMatch(call: ArmCall, type: ResourceType, id: string, existing: StoredResource | undefined): void {
  const ifMatch = call.request.headers["if-match"];
  if (ifMatch === undefined || (ifMatch === "*" && existing !== undefined) || existing?.etag === ifMatch) return;
  throw (
    type.conditionRefusal?.(call, id, "If-Match") ??
    preconditionFailed(`The condition '${ifMatch}' set on If-Match is not satisfied: the resource has been modified (etag mismatch).`)
  );
}

/** For providers that accept first: the refusal becomes the operation's error. */
function lateFailure(call: ArmCall, type: ResourceType, put: Put<ResourceBody>): OperationError | undefined {
  try {
    checkConditions(call, type, put.id, put.existing);
    type.checkPutInOperation?.(put);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: error.message, ...(error.details === undefined ? {} : { details: error.details }) };
  }
}
