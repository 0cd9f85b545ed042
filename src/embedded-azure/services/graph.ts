/** graph.microsoft.com v1.0: looking up service principals and applications. Writes come with the commands that need them. */
import { ApiError, type Answer, type ApiRequest, type Call, type Service } from "../service.js";
import type { World } from "../world/world.js";
import { parseFilter, type Filter } from "./graph-filter.js";
import { applicationsOf, servicePrincipalsOf, type DirectoryObject } from "./graph-objects.js";

const host = "graph.microsoft.com";

interface Collection {
  /** As in errors and `@odata.context`. */
  readonly entity: string;
  readonly list: (world: World) => DirectoryObject[];
}

const collections: Readonly<Record<string, Collection>> = {
  serviceprincipals: { entity: "servicePrincipal", list: servicePrincipalsOf },
  applications: { entity: "application", list: applicationsOf },
};

/** Any of them lets an application read service principals and applications. */
const readPermissions = ["Application.Read.All", "Application.ReadWrite.OwnedBy", "Application.ReadWrite.All", "Directory.Read.All"];

const defaultPageSize = 100;
const largestPage = 999;
const listOptions = new Set(["$filter", "$select", "$top", "$skiptoken", "$count"]);
const itemOptions = new Set(["$select"]);

export const graphService: Service = {
  hosts: (name) => name === host,
  anonymous: false,
  handle(call) {
    const { method, path } = call.request;
    const [version, segment = "", id, ...more] = path;
    const [, name = "", key] = /^(\w+)(?:\(appId='([^']*)'\))?$/i.exec(segment) ?? [];
    const collection = collections[name.toLowerCase()];
    if (method !== "GET" || version !== "v1.0" || collection === undefined || more.length > 0 || (key !== undefined && id !== undefined)) {
      throw new ApiError(501, "NotImplementedByEmbeddedAzure", `${method} https://${host}/${path.join("/")} is not emulated.`);
    }
    authorize(call);
    const visible = collection.list(call.world).filter((object) => isReplicated(object, call));
    if (key !== undefined) return item(call, collection, visible, "appId", key);
    if (id !== undefined) return item(call, collection, visible, "id", id);
    return list(call, collection, visible);
  },
};

function authorize(call: Call): void {
  const application = call.world.applications.find((each) => each.appId === call.caller?.appId);
  if (!application?.graphPermissions.some((permission) => readPermissions.includes(permission))) {
    throw new ApiError(403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.");
  }
}

/** A new object is not on every replica of the directory at once. */
function isReplicated(object: DirectoryObject, call: Call): boolean {
  return object.createdAt + call.milliseconds(call.world.knobs?.replicationLagSeconds ?? 0) <= call.now;
}

function item(call: Call, collection: Collection, visible: readonly DirectoryObject[], property: "id" | "appId", value: string): Answer {
  checkOptions(call.request, itemOptions);
  const found = visible.find((object) => object.properties[property] === value.toLowerCase());
  if (found === undefined) {
    throw new ApiError(
      404,
      "Request_ResourceNotFound",
      `Resource '${value}' does not exist or one of its queried reference-property objects are not present.`,
    );
  }
  const context = `https://${host}/v1.0/$metadata#${collection.entity}s/$entity`;
  return { status: 200, takes: call.draw("read"), body: { "@odata.context": context, ...select(call.request, collection, found) } };
}

function list(call: Call, collection: Collection, visible: readonly DirectoryObject[]): Answer {
  const { request } = call;
  checkOptions(request, listOptions);
  const filter: Filter = parseFilter(request.query.get("$filter") ?? "");
  const matching = visible.filter((object) => filter(object.properties));
  const from = Number(request.query.get("$skiptoken") ?? "0");
  const size = pageSize(call);
  const body: Record<string, unknown> = { "@odata.context": `https://${host}/v1.0/$metadata#${collection.entity}s` };
  if (request.query.get("$count") === "true") body["@odata.count"] = matching.length;
  if (from + size < matching.length) {
    const next = new URLSearchParams(request.query);
    next.set("$skiptoken", String(from + size));
    body["@odata.nextLink"] = `https://${host}/v1.0/${collection.entity}s?${next.toString()}`;
  }
  body["value"] = matching.slice(from, from + size).map((object) => select(request, collection, object));
  return { status: 200, takes: call.draw("read"), body };
}

function pageSize(call: Call): number {
  const asked = call.request.query.get("$top");
  if (asked === null) return Math.min(defaultPageSize, call.world.knobs?.pageSize ?? defaultPageSize);
  const top = Number(asked);
  if (Number.isInteger(top) && top >= 1 && top <= largestPage) return top;
  throw new ApiError(
    400,
    "Request_UnsupportedQuery",
    `Invalid page size specified: '${asked}'. Must be between 1 and ${largestPage} inclusive.`,
  );
}

function select(request: ApiRequest, collection: Collection, object: DirectoryObject): Record<string, unknown> {
  const names = request.query.get("$select")?.split(",");
  if (names === undefined) return object.properties;
  return Object.fromEntries(
    names.map((name) => {
      if (!(name in object.properties)) {
        throw new ApiError(
          400,
          "Request_BadRequest",
          `Could not find a property named '${name}' on type 'microsoft.graph.${collection.entity}'.`,
        );
      }
      return [name, object.properties[name]];
    }),
  );
}

/** An option that is not emulated must not be taken for one that was heeded. */
function checkOptions(request: ApiRequest, known: ReadonlySet<string>): void {
  for (const name of request.query.keys()) {
    if (!known.has(name)) throw new ApiError(501, "NotImplementedByEmbeddedAzure", `The query option '${name}' of Graph is not emulated.`);
  }
}
