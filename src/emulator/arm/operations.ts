/** Long-running operations: started by a write, ended by the clock, reported by polls. */
import { Buffer } from "node:buffer";
import { ApiError, type Answer } from "../core/service.js";
import type { Operation, StoredResource, AzureState } from "../state/state.js";
import { anotherOperationInProgress, retryableOperationConflict } from "./errors.js";
import { minuteOf, operationsByMinute, operationsByResource, operationsInProgress } from "./indexes.js";
import { groupOf, keyOf, parentOf, parseResourcePath, segmentsOf } from "./resource-id.js";
import type { ArmCall, Moment, OperationError, ResourceType } from "./resource-type.js";
import type { LongRunning, OperationPlace } from "./long-running.js";
import { idAnswered, present } from "./present.js";
import { removeResource } from "./removal.js";
import { namedIn } from "../common/named.js";
import { createHash } from "node:crypto";

/** Ends all operations that are due, in the order of their ends. Runs before every answer and before every snapshot. */
export function advance(moment: Moment): void {
  const due = operationsInProgress.find(moment.state.operations, "yes").filter(({ readyAt }) => readyAt <= moment.now);
  for (const operation of due.sort((a, b) => a.readyAt - b.readyAt)) end(moment, operation);
  forgetOld(moment);
}

function end(moment: Moment, operation: Operation): void {
  const { state } = moment;
  const resource = state.resources[operation.resource];
  if (resource !== undefined && operation.error === undefined) {
    const failure = operation.kind === "delete" ? removeResource(moment, resource) : undefined;
    if (failure !== undefined) operation.error = { ...failure };
    if (operation.kind !== "delete") succeed(moment, resource);
  } else if (resource !== undefined && moment.types.of(resource).putFailure !== undefined) {
    resource.properties["provisioningState"] = "Failed";
  }
  operation.status = operation.error === undefined ? "Succeeded" : "Failed";
}

/** The end of a write also changes the resource, so its etag changes again. */
function succeed(moment: Moment, resource: StoredResource): void {
  const type = moment.types.of(resource);
  if (type.busyStates !== undefined) resource.properties["provisioningState"] = "Succeeded";
  renewEtag(moment, resource, type);
}

const etagForms = {
  weak: (guid: string) => `W/"${guid}"`,
  plain: (guid: string) => guid,
  quoted: (guid: string) => `"${guid}"`,
};

export function renewEtag(moment: Moment, resource: StoredResource, type: ResourceType): void {
  if (type.etag !== undefined) resource.etag = etagForms[type.etag](moment.uuid());
  resource.changedAt = moment.now;
}

/** Azure keeps operations for hours; ten minutes of the real clock after the one of their end are enough for any client. */
function forgetOld({ state: { operations }, now }: Moment): void {
  const kept = minuteOf(now - 600_000);
  for (const minute of operationsByMinute.keys(operations).filter((one) => Number(one) < kept)) {
    for (const id of operationsByMinute.namesOf(operations, minute)) delete operations[id];
  }
}

export interface Started {
  readonly operation: Operation;
  readonly headers: Record<string, string>;
}

/**
 * Starts the operation of a PUT or DELETE on `resource`, which takes `seconds`, or "none" if it has ended already; `error` is how it will
 * end, if known already.
 */
export function start(
  call: ArmCall,
  run: LongRunning,
  kind: "put" | "delete",
  resource: StoredResource,
  seconds: number | "none",
  error?: OperationError,
): Started {
  const guid = call.uuid();
  const id = segmentFor(run.at, guid);
  const version = run.at.apiVersion ?? call.request.query.get("api-version") ?? "";
  const place = placeOf(call, run.at, resource);
  const operation: Operation = {
    id,
    ...(run.headers.includes("azure-asyncoperation") ? { statusPath: `${place}/${run.at.status}/${id}?api-version=${version}` } : {}),
    ...(run.headers.includes("location") ? { resultPath: `${place}/${run.at.result}/${id}?api-version=${version}` } : {}),
    resource: keyOf(resource.id),
    kind,
    name: run.operation,
    startedAt: call.now,
    readyAt: call.now + (seconds === "none" ? 0 : call.milliseconds(seconds)),
    polls: 0,
    status: seconds === "none" ? "Succeeded" : "InProgress",
    ...(error === undefined ? {} : { error: { ...error } }),
  };
  call.state.operations[id] = operation;
  return { operation, headers: firstHeaders(call.state, operation, run) };
}

/** The headers of the first answer, and of a DELETE repeated while it runs. */
export function firstHeaders(state: AzureState, operation: Operation, run: LongRunning): Record<string, string> {
  return {
    ...(operation.statusPath === undefined ? {} : { "Azure-AsyncOperation": signedUrl(state, operation, operation.statusPath) }),
    ...(operation.resultPath === undefined ? {} : { Location: signedUrl(state, operation, operation.resultPath) }),
    ...(run.retryAfter === undefined || operation.status !== "InProgress" ? {} : { "Retry-After": String(run.retryAfter) }),
    ...(run.at.notification ? { "azure-asyncnotification": "Enabled" } : {}),
  };
}

function segmentFor(place: OperationPlace, guid: string): string {
  return place.under === "location" || place.under === "resource" ? guid : Buffer.from(`${place.result};${guid}`).toString("base64url");
}

function placeOf({ state, types }: ArmCall, place: OperationPlace, resource: StoredResource): string {
  const [, subscriptionId] = segmentsOf(resource.id);
  const subscription = `/subscriptions/${subscriptionId ?? ""}`;
  const [namespace] = resource.type.split("/");
  if (place.under === "subscription") return subscription;
  if (place.under === "resource") return resource.id;
  if (place.under === "group")
    return `${groupOf(idAnswered(types.of(resource), resource.id)) ?? subscription}/providers/${namespace ?? ""}`;
  // A child has no location of its own: its operations have its parent's.
  const location = resource.location ?? state.resources[keyOf(parentOf(resource.id) ?? "")]?.location;
  return `${subscription}/providers/${namespace ?? ""}/locations/${location ?? "global"}`;
}

/** The operation that runs on exactly this resource. */
export function operationOn(state: AzureState, id: string): Operation | undefined {
  return operationsByResource.find(state.operations, keyOf(id)).find(({ status }) => status === "InProgress");
}

/** Whether an operation deleted it, at most some minutes ago. Azure's providers then answer in their own words instead of ARM's. */
export function wasDeleted(state: AzureState, id: string): boolean {
  return operationsByResource.find(state.operations, keyOf(id)).some(({ kind, status }) => kind === "delete" && status === "Succeeded");
}

/** What a write locks: the resource itself, or its parent (every subnet write locks the virtual network). */
function lockKey(type: ResourceType, id: string): string {
  return keyOf(type.lock?.on === "parent" ? (parentOf(id) ?? id) : id);
}

/** Refuses a write while another holds the lock, or cancels the other if the type supersedes (the first caller loses). */
export function takeLock(call: ArmCall, type: ResourceType, id: string, run: LongRunning): void {
  const key = lockKey(type, id);
  const rival = operationsInProgress.find(call.state.operations, "yes").find((one) => heldBy(call, one) === key);
  if (rival === undefined) return;
  if (type.lock?.second === "exclusive") {
    const holder = call.state.resources[key]?.id ?? id;
    throw retryableOperationConflict(rival.name, rival.id, holder, 10 + (call.now % 5));
  }
  if (type.lock?.second !== "supersede" || rival.kind === "delete") {
    throw anotherOperationInProgress(signedUrl(call.state, rival, rival.statusPath ?? rival.resultPath ?? ""));
  }
  cancel(rival, run.operation);
}

function heldBy({ state, types }: ArmCall, operation: Operation): string {
  const resource = state.resources[operation.resource];
  return resource === undefined ? operation.resource : lockKey(types.of(resource), operation.resource);
}

function cancel(operation: Operation, by: string): void {
  const message = `Operation ${operation.name} (${operation.id}) was canceled and superseded by operation ${by}.`;
  operation.status = "Canceled";
  operation.error = {
    code: "Canceled",
    message: "Operation was canceled.",
    details: [{ code: "CanceledAndSupersededDueToAnotherOperation", message }],
  };
}

/** Answers a poll; undefined if the path names no operation. The URL must match byte for byte: it carries a signature. */
export function poll(call: ArmCall): Answer | undefined {
  const { request, state } = call;
  const operation = namedIn(state.operations, request.path.at(-1) ?? "");
  if (operation === undefined) return undefined;
  const matches = (path: string | undefined): boolean => path !== undefined && matchesSignedTarget(state, operation, path, request.target);
  if (request.method !== "GET" || !(matches(operation.statusPath) || matches(operation.resultPath))) {
    throw new ApiError(400, "InvalidOperationUrl", "The operation URL is not the one that was answered: send it back byte for byte.");
  }
  const retryAfter = nextRetryAfter(call, operation);
  const answer = matches(operation.statusPath) ? pollStatus(call, operation, retryAfter) : pollResult(call, operation, retryAfter);
  return { ...answer, takes: call.sample("read") };
}

function nextRetryAfter(call: ArmCall, operation: Operation): Record<string, string> {
  const seconds = runOf(call, operation)?.pollRetryAfter ?? [];
  const next = seconds[Math.min(operation.polls, seconds.length - 1)];
  operation.polls += 1;
  return next === undefined ? {} : { "Retry-After": String(next) };
}

/** Uses the ID, because a delete may have removed the resource. */
function runOf({ types }: ArmCall, operation: Operation): LongRunning | undefined {
  const type = types.named(parseResourcePath(segmentsOf(operation.resource))?.type ?? "");
  return operation.kind === "delete" ? type?.delete : type?.put;
}

function pollStatus(call: ArmCall, operation: Operation, retryAfter: Record<string, string>): Answer {
  const running = operation.status === "InProgress";
  const run = runOf(call, operation);
  const error = (running ? undefined : operation.error) ?? run?.pollError;
  return {
    status: running ? (run?.at.runningStatus ?? 200) : 200,
    headers: running ? retryAfter : {},
    body: {
      ...(run?.at.identified && nameOfOperation(operation)),
      ...(run?.at.timed && timesOf(operation)),
      status: operation.status,
      ...(error && { error }),
    },
  };
}

function nameOfOperation({ id, statusPath = "" }: Operation): Record<string, string> {
  return { id: statusPath.split("?")[0] ?? "", name: id };
}

function timesOf({ id, status, startedAt, readyAt }: Operation): Record<string, string> {
  const ended = status === "InProgress" ? {} : { endTime: new Date(readyAt).toISOString() };
  return { name: id, startTime: new Date(startedAt).toISOString(), ...ended };
}

function pollResult(call: ArmCall, operation: Operation, retryAfter: Record<string, string>): Answer {
  const { state } = call;
  const resource = state.resources[operation.resource];
  if (operation.status === "InProgress") {
    const location = signedUrl(state, operation, operation.resultPath ?? "");
    return { status: 202, headers: { Location: location, ...retryAfter } };
  }
  if (operation.error !== undefined) return failedResult(operation.error);
  if (operation.kind === "delete") {
    const { deletedStatus, reportsDeletion } = runOf(call, operation)?.at ?? {};
    return { status: deletedStatus ?? 200, ...(reportsDeletion && { body: reportOf(operation) }) };
  }
  return resource === undefined ? { status: 204 } : { status: 200, body: present(call, resource) };
}

/** "2024-12-18 05:52:22Z": times to the second, without the T. */
function reportOf({ status, startedAt, readyAt }: Operation): Record<string, string> {
  const [createdDateTime = "", lastActionDateTime = ""] = [startedAt, readyAt].map((time) =>
    new Date(time).toISOString().replace("T", " ").replace(/\.\d+/, ""),
  );
  return { createdDateTime, lastActionDateTime, status };
}

/** A failed deletion of a group is the only answer that Azure writes in PascalCase. */
function failedResult(error: OperationError): Answer {
  if (!error.code.startsWith("ResourceGroupDeletion")) return { status: 409, body: { error } };
  return { status: 409, body: { Error: { Code: error.code, Target: null, Message: error.message, Details: error.details ?? [] } } };
}

/** Lengths of the parameters: the total is what was seen on real Azure (3,021 to 3,629 characters). */
const parameters = [
  { name: "c", length: 2490 },
  { name: "s", length: 342 },
  { name: "h", length: 43 },
] as const;

/** Ticks (100 ns) from year 1 to the epoch, as .NET counts them. */
const epochTicks = 621_355_968_000_000_000n;

/** The absolute URL of an operation whose path and query, without signature, are `path`. */
function signedUrl(state: AzureState, operation: Operation, path: string): string {
  return `https://management.azure.com${signedTarget(state, operation, path)}`;
}

function matchesSignedTarget(state: AzureState, operation: Operation, path: string, target: string): boolean {
  // The SDK repeats the query of the first request behind the URL. Azure must accept that: otherwise no forced deletion could be polled.
  const sent = target.replace(/^\/+/, "/").replace(/&forceDelete=\w+$/, "");
  return sent === signedTarget(state, operation, path);
}

function signedTarget(state: AzureState, operation: Operation, path: string): string {
  // Those of Kubernetes extensions are described with an api-version alone.
  if (path.includes("/Microsoft.KubernetesConfiguration/extensions/")) return path;
  const ticks = epochTicks + BigInt(Math.trunc(operation.startedAt)) * 10_000n;
  const signature = parameters.map(({ name, length }) => `&${name}=${letters(state.tokenKey, `${name} ${path}`, length)}`);
  return `${path}&t=${String(ticks)}${signature.join("")}`;
}

function letters(key: string, text: string, length: number): string {
  const outputLength = Math.ceil((length * 3) / 4);
  return createHash("shake256", { outputLength }).update(key).update(text).digest("base64url").slice(0, length);
}
