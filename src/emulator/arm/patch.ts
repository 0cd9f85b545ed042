/** The generic PATCH: new tags, which replace all tags of any tracked type, and for some types certain other members. */
import { z } from "zod";
import type { Answer } from "../core/service.js";
import { schemaProblems } from "../common/schema-problems.js";
import type { StoredResource } from "../state/state.js";
import { versionOf } from "./api-versions.js";
import { invalidRequestContent, notEmulated } from "./errors.js";
import { checkLocks } from "./locks.js";
import { renewEtag } from "./operations.js";
import { present, systemDataOf } from "./present.js";
import { checkConditions, putResource, type Target } from "./put.js";
import type { ArmCall, ResourceType } from "./resource-type.js";
import { checkTags } from "./tag-rules.js";
import { presentedIn } from "./version-differences.js";
import { logOperation } from "../state/operation-log.js";

const patchBody = z.looseObject({
  tags: z.record(z.string(), z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  sku: z.record(z.string(), z.unknown()).optional(),
});

const wholeBody = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

export function patchResource(call: ArmCall, target: Target, resource: StoredResource): Answer {
  const { type, id } = target;
  if (!type.verbs.includes("tags")) throw notEmulated("PATCH", call.request.path);
  if (type.patchLikePut) return putResource(wholeOf(call, type, resource), target);
  const read = patchBody.safeParse(call.request.body);
  if (!read.success) throw invalidRequestContent(schemaProblems(read.error));
  checkLocks(call.state, resource.id, "write");
  checkConditions(call, type, id, resource);
  const { tags, properties, sku, ...beside } = read.data;
  patchBeside(call, type, resource, beside);
  if (properties !== undefined) patchProperties(call, type, resource, properties);
  if (sku !== undefined) patchSku(type, resource, sku);
  const seconds = replaceTags(call, type, resource, tags ?? resource.tags);
  const presented = present(call, resource);
  return { status: 200, body: type.presentedByPatch?.(call.request.body, presented) ?? presented, takes: seconds };
}

/** The call with the body of a PUT: what is stored, with the sent members in place of its own. */
function wholeOf(
  call: ArmCall,
  { versionDifferences: differs = [] }: ResourceType,
  { location, tags, properties }: StoredResource,
): ArmCall {
  const sent = wholeBody.safeParse(call.request.body);
  if (!sent.success) throw invalidRequestContent("Expected a JSON object.");
  const stored = { ...(location !== undefined && { location }), ...(tags !== undefined && { tags }) };
  const body = {
    ...stored,
    ...sent.data,
    properties: { ...presentedIn(versionOf(call.request), differs, properties), ...sent.data.properties },
  };
  return { ...call, request: { ...call.request, body } };
}

function patchBeside(call: ArmCall, type: ResourceType, resource: StoredResource, sent: Record<string, unknown>): void {
  const members = Object.keys(sent);
  if (members.length === 0) return;
  const read = type.patch?.beside?.safeParse(sent);
  if (read?.success !== true) {
    throw invalidRequestContent(read?.error.issues[0]?.message ?? `'${members.join("', '")}' of type '${type.name}' cannot be patched`);
  }
  resource.beside = { ...resource.beside, ...(type.patch?.storedBeside?.(call, resource, read.data) ?? read.data) };
}

function patchProperties(call: ArmCall, type: ResourceType, resource: StoredResource, sent: Record<string, unknown>): void {
  const read = type.patch?.properties.safeParse(sent);
  if (type.patch === undefined || read?.success !== true) {
    const members = Object.keys(sent).join("', '");
    throw invalidRequestContent(read?.error?.issues[0]?.message ?? `the properties '${members}' of type '${type.name}' cannot be patched`);
  }
  Object.assign(resource.properties, type.patch.apply(call, resource, read.data));
}

function patchSku(type: ResourceType, resource: StoredResource, sent: Record<string, unknown>): void {
  const read = type.patch?.sku?.safeParse(sent);
  if (read?.success !== true) {
    throw invalidRequestContent(read?.error.issues[0]?.message ?? `the SKU of type '${type.name}' cannot be patched`);
  }
  resource.sku = read.data;
}

/** `tags` is undefined for a resource without tags. Returns the seconds it takes. */
export function replaceTags(
  call: ArmCall,
  type: ResourceType,
  resource: StoredResource,
  tags: Readonly<Record<string, string>> | undefined,
): number {
  checkTags(tags);
  if (tags !== undefined) resource.tags = { ...tags };
  if (type.systemData) resource.systemData = systemDataOf(call, resource);
  renewEtag(call, resource, type);
  const seconds = call.sample(type.latency.patch ?? "read");
  logOperation(call.state, { resource: resource.id, verb: "PATCH", seconds });
  return seconds;
}
