/** Parts of a resource with paths of their own, written by a PUT of the whole resource. */
import type { Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { childNotFound, invalidRequestContent, notEmulated, parentNotFound } from "./errors.js";
import { page } from "./paging.js";
import { present } from "./present.js";
import { putResource, type Target } from "./put.js";
import { keyOf, type ResourcePath } from "./resource-id.js";
import type { ArmCall, ResourceType } from "./resource-type.js";
import type { LongRunning } from "./long-running.js";

type Members = Readonly<Record<string, unknown>>;

interface PartPath {
  readonly type: ResourceType;
  readonly parent: ResourcePath;
  readonly collection: string;
  readonly writable: boolean;
  /** Undefined for the list. */
  readonly name: string | undefined;
}

/** The part that a path names; undefined if it names a resource. */
export function partIn({ types }: ArmCall, path: ResourcePath): PartPath | undefined {
  const slash = path.type.lastIndexOf("/");
  const type = types.named(path.type.slice(0, slash));
  const found = Object.entries(type?.partLists ?? {}).find(([one]) => keyOf(one) === keyOf(path.type.slice(slash + 1)));
  if (type === undefined || found === undefined) return undefined;
  const [collection, access] = found;
  const names = path.collection ? path.names : path.names.slice(0, -1);
  const parent = { ...path, type: type.name, names, collection: false };
  return { type, parent, collection, writable: access === "write", name: path.collection ? undefined : path.names.at(-1) };
}

const verbs = { GET: "read", HEAD: "read", PUT: "write", DELETE: "delete" } as const;

/** `target` is the resource that has the part. */
export function answerPart(call: ArmCall, { type, collection, writable, name }: PartPath, target: Target): Answer {
  const { method, path } = call.request;
  const verb = method === "PATCH" || method === "POST" ? undefined : verbs[method];
  if (verb === undefined || (verb !== "read" && (!writable || name === undefined))) throw notEmulated(method, path);
  requireRight(call, `${type.name}/${collection}/${verb}`, name === undefined ? target.id : `/${path.join("/")}`);
  const resource = call.state.resources[keyOf(target.id)];
  if (resource === undefined) throw parentNotFound(verb, { ...type, name: `${type.name}/${collection}` }, target.id);
  const whole = present(call, resource);
  const parts = partsOf(whole, collection);
  if (name === undefined) return page(call, parts);
  const existing = parts.find((one) => keyOf(String(one["name"])) === keyOf(name));
  if (method === "PUT") return putPart(call, target, collection, { whole, parts, existing, name });
  if (existing === undefined) return missing(call, `${target.id}/${collection}/${name}`);
  const others = parts.filter((one) => one !== existing);
  if (method === "DELETE") return deletePart(call, target, withParts(whole, collection, others));
  if (method === "HEAD") return { status: 204, takes: call.sample("read") };
  return { status: 200, body: existing, takes: call.sample("read") };
}

function missing(call: ArmCall, id: string): Answer {
  if (call.request.method === "GET") throw childNotFound(id);
  return { status: call.request.method === "HEAD" ? 404 : 204, takes: call.sample("read") };
}

interface Found {
  readonly whole: Members;
  readonly parts: readonly Members[];
  readonly existing: Members | undefined;
  readonly name: string;
}

function putPart(call: ArmCall, target: Target, collection: string, { whole, parts, existing, name }: Found): Answer {
  const sent: unknown = call.request.body;
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) throw invalidRequestContent("Expected a JSON object.");
  const part = { ...sent, name: existing?.["name"] ?? name };
  const written = existing === undefined ? [...parts, part] : parts.map((one) => (one === existing ? part : one));
  const answer = putResource(withBody(call, withParts(whole, collection, written)), target);
  const body = partsOf(answer.body as Members, collection).find((one) => one["name"] === part.name);
  return { ...answer, status: existing === undefined ? 201 : 200, body };
}

/** A DELETE is answered as that of a resource, but is an operation on the resource that had the part. */
function deletePart(call: ArmCall, target: Target, whole: Members): Answer {
  const { type } = target;
  if (type.put === undefined || type.delete === undefined) throw notEmulated("DELETE", call.request.path);
  const { headers, retryAfter, pollRetryAfter } = type.delete;
  const run: LongRunning = { ...type.put, headers, pollRetryAfter, ...(retryAfter !== undefined && { retryAfter }) };
  const { headers: sent, takes } = putResource(withBody(call, whole), { ...target, type: { ...type, put: run, hasPutEnded: () => false } });
  return { status: 202, ...(sent && { headers: sent }), ...(takes !== undefined && { takes }) };
}

function withBody(call: ArmCall, body: Members): ArmCall {
  return { ...call, request: { ...call.request, body } };
}

function partsOf({ properties }: Members, collection: string): readonly Members[] {
  return (properties as Readonly<Record<string, readonly Members[]>>)[collection] ?? [];
}

function withParts(whole: Members, collection: string, parts: readonly Members[]): Members {
  return { ...whole, properties: { ...(whole["properties"] as Members), [collection]: parts } };
}
