/** Reads a collection of Graph: one object by a key, or a list with filter, selection and pages. */
import type { Answer, ApiRequest, Call } from "../../core/service.js";
import { badRequest, notEmulated, notFound } from "./errors.js";
import { parseFilter, type Filter } from "./filter.js";
import {
  applicationsOf,
  deletedApplicationsOf,
  keyOf,
  principalsOfDeleted,
  servicePrincipalsOf,
  type DirectoryObject,
  type Objects,
} from "./objects.js";
import { deletedPrincipalsOf, peopleOf } from "./people.js";
import type { Readable } from "./rights.js";

const root = "https://graph.microsoft.com/v1.0";

export interface Collection {
  /** As errors name it: "application". */
  readonly entity: "application" | "servicePrincipal" | "user" | "group";
  /** Path below `/v1.0`, as in `@odata.context` and links to the next page. */
  readonly path: string;
  readonly objects: Objects;
  /** As in the `Location` of a creation; absent if nothing is created here. */
  readonly location?: string;
}

export const collections = {
  applications: { entity: "application", path: "applications", objects: applicationsOf, location: "Application" },
  servicePrincipals: {
    entity: "servicePrincipal",
    path: "servicePrincipals",
    objects: servicePrincipalsOf,
    location: "ServicePrincipal",
  },
  users: { entity: "user", path: "users", objects: peopleOf("user", { deleted: false }) },
  groups: { entity: "group", path: "groups", objects: peopleOf("group", { deleted: false }) },
} satisfies Record<string, Collection>;

const deleted = (entity: Collection["entity"], objects: Objects): Collection => ({
  entity,
  path: `directory/deletedItems/microsoft.graph.${entity}`,
  objects,
});

/** The bin has no list of its own: each is asked for with the type of its objects. */
export const deletedCollections: readonly Collection[] = [
  deleted("application", deletedApplicationsOf),
  deleted("servicePrincipal", (state, key) => [...principalsOfDeleted(state, key), ...deletedPrincipalsOf(state, key)]),
  deleted("user", peopleOf("user", { deleted: true })),
  deleted("group", peopleOf("group", { deleted: true })),
];

/** What one must be allowed to read to see the objects of a collection. */
export function readableIn({ entity }: Collection): Readable {
  return entity === "user" ? "users" : entity === "group" ? "groups" : "applications";
}

/** How a path names one object: `/{id}`, `(appId='..')`, `(uniqueName='..')`. */
export interface Key {
  readonly property: "id" | "appId" | "uniqueName";
  readonly value: string;
}

const defaultPageSize = 100;
const largestPage = 999;
const listOptions = new Set(["$filter", "$select", "$top", "$skiptoken", "$count"]);
const itemOptions = new Set(["$select"]);

/** All, or those with a key. A new object does not reach every replica of the directory at once. */
function visibleIn(call: Call, { objects }: Collection, key?: string): DirectoryObject[] {
  return objects(call.state, key).filter((object) => isReplicated(object, call));
}

export function isReplicated({ createdAt }: Pick<DirectoryObject, "createdAt">, call: Call): boolean {
  return createdAt + call.milliseconds(call.state.knobs?.replicationLagSeconds ?? 0) <= call.now;
}

export function find(call: Call, collection: Collection, { property, value }: Key): DirectoryObject | undefined {
  return visibleIn(call, collection, keyOf(property, value))[0];
}

/** @throws ApiError 404 Request_ResourceNotFound */
export function findOr404(call: Call, collection: Collection, key: Key): DirectoryObject {
  const found = find(call, collection, key);
  if (found === undefined) throw notFound(key.value);
  return found;
}

export function getItem(call: Call, collection: Collection, key: Key): Answer {
  checkOptions(call.request, itemOptions);
  const { properties, selected } = findOr404(call, collection, key);
  const asked = call.request.query.has("$select") ? { ...properties, ...selected } : properties;
  return { status: 200, takes: call.sample("read"), body: single(collection, selectedOf(call.request, collection.entity, asked)) };
}

/** The body of the answer for one object. */
export function single(collection: Collection, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { "@odata.context": `${root}/$metadata#${collection.entity}s/$entity`, ...properties };
}

/** The answer to the creation of an object. */
export function created(
  { state }: Call,
  collection: Collection,
  id: string,
  properties: Readonly<Record<string, unknown>>,
  takes: number,
): Answer {
  const place = `https://graph.microsoft.com/v2/${state.tenantId}/directoryObjects/${id}`;
  const Location = `${place}/Microsoft.DirectoryServices.${collection.location ?? ""}`;
  return { status: 201, headers: { Location }, takes, body: single(collection, properties) };
}

export function getList(call: Call, collection: Collection): Answer {
  const { request } = call;
  checkOptions(request, listOptions);
  const { matches, keys }: Filter = parseFilter(request.query.get("$filter") ?? "");
  const found = keys === undefined ? visibleIn(call, collection) : keys.flatMap((key) => visibleIn(call, collection, key));
  const matching = [...new Map(found.map((object) => [object.properties["id"], object])).values()].filter(matches);
  const from = Number(request.query.get("$skiptoken") ?? "0");
  const size = pageSize(call);
  const body: Record<string, unknown> = { "@odata.context": `${root}/$metadata#${collection.entity}s` };
  if (request.query.get("$count") === "true") body["@odata.count"] = matching.length;
  if (from + size < matching.length) {
    const next = new URLSearchParams(request.query);
    next.set("$skiptoken", String(from + size));
    body["@odata.nextLink"] = `${root}/${collection.path}?${next.toString()}`;
  }
  body["value"] = matching.slice(from, from + size).map(({ properties }) => selectedOf(request, collection.entity, properties));
  return { status: 200, takes: call.sample("read"), body };
}

function pageSize(call: Call): number {
  const asked = call.request.query.get("$top");
  if (asked === null) return Math.min(defaultPageSize, call.state.knobs?.pageSize ?? defaultPageSize);
  const top = Number(asked);
  if (Number.isInteger(top) && top >= 1 && top <= largestPage) return top;
  throw badRequest(`Invalid page size specified: '${asked}'. Must be between 1 and ${largestPage} inclusive.`, "Request_UnsupportedQuery");
}

/** The properties that `$select` names; all without it. `entity`: as errors name it. */
export function selectedOf(
  request: ApiRequest,
  entity: string,
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = request.query.get("$select")?.split(",");
  if (names === undefined) return properties;
  return Object.fromEntries(
    names.map((name) => {
      if (!Object.hasOwn(properties, name)) {
        throw badRequest(`Could not find a property named '${name}' on type 'microsoft.graph.${entity}'.`);
      }
      return [name, properties[name]];
    }),
  );
}

/** An option that is not emulated must not look as if it had an effect. */
export function checkOptions(request: ApiRequest, known: ReadonlySet<string>): void {
  for (const name of request.query.keys()) if (!known.has(name)) throw notEmulated(`The query option '${name}'`);
}
