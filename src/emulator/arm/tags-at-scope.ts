/** The Tags API: reads and changes the tags of a subscription's resources and groups, and nothing else of them. */
import type { ArmCall } from "./resource-type.js";
import { z } from "zod";
import type { Answer } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import { findSubscription, isBeingDeleted } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { invalidRequestContent, notEmulated, resourceGroupBeingDeleted, resourceNotFound } from "./errors.js";
import { checkLocks } from "./locks.js";
import { replaceTags } from "./patch.js";
import { groupOf, keyOf, nameOf, typeAndNamesOf } from "./resource-id.js";
import { resourcesVersions } from "./resource-groups.js";
import { checkTags } from "./tag-rules.js";
import { logOperation } from "../state/operation-log.js";

const path = "{scope}/providers/Microsoft.Resources/tags/default";
const versions = resourcesVersions;

/** The specification of 2025-04-01 allows a long-running write (202); Azure ends writes of tags at once (200), as here. */
export const tagEndpoints: readonly Endpoint[] = [
  { method: "GET", path, versions, handle: get },
  { method: "PUT", path, versions, handle: put },
  { method: "PATCH", path, versions, handle: patch },
  { method: "DELETE", path, versions, handle: remove },
];

type Tags = Readonly<Record<string, string>>;

const tagsBody = z.strictObject({ properties: z.strictObject({ tags: z.record(z.string(), z.string()).optional() }) });
const patchBody = tagsBody.extend({ operation: z.enum(["Merge", "Replace", "Delete"]) });

const merges: Readonly<Record<"Merge" | "Replace" | "Delete", (held: Tags, sent: Tags) => Tags>> = {
  Merge: (held, sent) => {
    // Names are compared case-insensitively; the existing spelling stays.
    const spelled = Object.entries(sent).map(([name, value]) => [
      Object.keys(held).find((one) => keyOf(one) === keyOf(name)) ?? name,
      value,
    ]);
    return { ...held, ...(Object.fromEntries(spelled) as Tags) };
  },
  Replace: (_held, sent) => sent,
  /** Deletes a tag whose name was sent, with its value or with an empty one. */
  Delete: (held, sent) => {
    const doomed = (name: string, value: string): boolean =>
      Object.entries(sent).some(([one, wanted]) => keyOf(one) === keyOf(name) && (wanted === "" || wanted === value));
    return Object.fromEntries(Object.entries(held).filter(([name, value]) => !doomed(name, value)));
  },
};

function get(call: ArmCall, { scope = "" }: Parameters): Answer {
  requireRight(call, "Microsoft.Resources/tags/read", scope);
  return present(subscriptionAt(call, scope) ?? find(call, scope), call.sample("read"));
}

function put(call: ArmCall, { scope = "" }: Parameters): Answer {
  const { properties } = read(tagsBody, call.request.body);
  return write(call, scope, "write", () => properties.tags ?? {});
}

function patch(call: ArmCall, { scope = "" }: Parameters): Answer {
  const { operation, properties } = read(patchBody, call.request.body);
  return write(call, scope, "write", (held) => merges[operation](held, properties.tags ?? {}));
}

function remove(call: ArmCall, { scope = "" }: Parameters): Answer {
  const { takes = 0 } = write(call, scope, "delete", () => ({}));
  return { status: 200, takes };
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidRequestContent(result.error.issues[0]?.message ?? "not tags");
}

function write(call: ArmCall, scope: string, verb: "write" | "delete", change: (held: Tags) => Tags): Answer {
  requireRight(call, `Microsoft.Resources/tags/${verb}`, scope);
  const subscription = subscriptionAt(call, scope);
  if (subscription !== undefined) return writeOfSubscription(call, subscription, change(subscription.tags));
  const resource = find(call, scope);
  const group = call.state.resources[keyOf(groupOf(resource.id) ?? "")];
  if (group !== undefined && isBeingDeleted(group)) throw resourceGroupBeingDeleted(group.name);
  checkLocks(call.state, resource.id, "write");
  return present(resource, replaceTags(call, call.types.of(resource), resource, change(resource.tags ?? {})));
}

interface Tagged {
  readonly id: string;
  readonly tags?: Tags;
}

/** The subscription that is the scope itself. */
function subscriptionAt(call: ArmCall, scope: string): (Tagged & { readonly tags: Tags }) | undefined {
  const [, subscriptionId] = /^\/subscriptions\/([^/]+)$/i.exec(scope) ?? [];
  if (subscriptionId === undefined) return undefined;
  const found = findSubscription(call, subscriptionId);
  return { id: `/subscriptions/${found.subscriptionId}`, tags: found.tags ?? {} };
}

function writeOfSubscription(call: ArmCall, { id }: Tagged, tags: Tags): Answer {
  checkTags(tags);
  checkLocks(call.state, id, "write");
  findSubscription(call, nameOf(id)).tags = { ...tags };
  const seconds = call.sample("read");
  logOperation(call.state, { resource: id, verb: "PATCH", seconds });
  return present({ id, tags }, seconds);
}

function find(call: ArmCall, scope: string): StoredResource {
  const resource = call.state.resources[keyOf(scope)];
  if (resource !== undefined) return resource;
  const group = groupOf(scope);
  if (group === undefined) throw notEmulated(call.request.method, call.request.path);
  throw resourceNotFound(typeAndNamesOf(scope), nameOf(group));
}

function present(resource: Tagged, takes: number): Answer {
  const body = {
    id: `${resource.id}/providers/Microsoft.Resources/tags/default`,
    name: "default",
    type: "Microsoft.Resources/tags",
    properties: { tags: resource.tags ?? {} },
  };
  return { status: 200, body, takes };
}
