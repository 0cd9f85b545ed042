/** graph.microsoft.com v1.0, as far as identities need it, and of beta one route: which function answers which route. */
import { authenticate } from "../../core/authenticate.js";
import { matchTemplate } from "../../core/route-template.js";
import type { Answer, Call, Service } from "../../core/service.js";
import { addPassword, createApplication, deleteApplication, patchApplication, removePassword } from "./applications.js";
import { deleteForGood, emptyOldBin, getDeleted, restore } from "./deleted-items.js";
import { badRequest, notEmulated } from "./errors.js";
import {
  addFederatedCredential,
  getFederatedCredential,
  listFederatedCredentials,
  removeFederatedCredential,
} from "./application-federation.js";
import { listOrganizations } from "./organization.js";
import { addOwner, getByIds, listOwners, removeOwner } from "./owners.js";
import { collections, deletedCollections, getItem, getList, readableIn, type Key } from "./query.js";
import { requireRead, type Readable } from "./rights.js";
import { addPrincipalPassword, createPrincipal, deletePrincipal, patchPrincipal, removePrincipalPassword } from "./service-principals.js";

const host = "graph.microsoft.com";
const { applications, servicePrincipals, users, groups } = collections;

/** `{key}` is an object: `/{object ID}`, or `(appId='..')` right after the collection. `{id}` is another segment, passed to the handler. */
const routes: readonly (readonly [method: string, path: string, handle: (call: Call, key: Key, id: string) => Answer])[] = [
  ["GET", "applications", (call) => getList(call, applications)],
  ["POST", "applications", createApplication],
  ["GET", "applications/{key}", (call, key) => getItem(call, applications, key)],
  ["PATCH", "applications/{key}", patchApplication],
  ["DELETE", "applications/{key}", deleteApplication],
  ["POST", "applications/{key}/addPassword", addPassword],
  ["POST", "applications/{key}/removePassword", removePassword],
  ["GET", "applications/{key}/owners", (call, key) => listOwners(call, applications, key)],
  ["POST", "applications/{key}/owners/$ref", addOwner],
  ["DELETE", "applications/{key}/owners/{id}/$ref", removeOwner],
  ["GET", "applications/{key}/federatedIdentityCredentials", listFederatedCredentials],
  ["POST", "applications/{key}/federatedIdentityCredentials", addFederatedCredential],
  ["GET", "applications/{key}/federatedIdentityCredentials/{id}", getFederatedCredential],
  ["DELETE", "applications/{key}/federatedIdentityCredentials/{id}", removeFederatedCredential],
  ["GET", "servicePrincipals", (call) => getList(call, servicePrincipals)],
  ["POST", "servicePrincipals", createPrincipal],
  ["GET", "servicePrincipals/{key}", (call, key) => getItem(call, servicePrincipals, key)],
  ["PATCH", "servicePrincipals/{key}", patchPrincipal],
  ["DELETE", "servicePrincipals/{key}", deletePrincipal],
  ["POST", "servicePrincipals/{key}/addPassword", addPrincipalPassword],
  ["POST", "servicePrincipals/{key}/removePassword", removePrincipalPassword],
  ["GET", "servicePrincipals/{key}/owners", (call, key) => listOwners(call, servicePrincipals, key)],
  ...deletedCollections.map((bin) => ["GET", bin.path, (call: Call) => getList(call, bin)] as const),
  ["GET", "directory/deletedItems/{key}", getDeleted],
  ["DELETE", "directory/deletedItems/{key}", deleteForGood],
  ["POST", "directory/deletedItems/{key}/restore", restore],
  ["POST", "directoryObjects/getByIds", getByIds],
  ["GET", "users", (call) => getList(call, users)],
  ["GET", "users/{key}", (call, key) => getItem(call, users, key)],
  ["GET", "groups", (call) => getList(call, groups)],
  ["GET", "groups/{key}", (call, key) => getItem(call, groups, key)],
  ["GET", "organization", listOrganizations],
];

export const graphService: Service = {
  hosts: (name) => name === host,
  identify: authenticate,
  handle(call) {
    const { method, path } = call.request;
    const [version, ...rest] = path;
    if (version === "v1.0" && rest[0]?.toLowerCase() === "me") {
      throw badRequest("/me request is only valid with delegated authentication flow.", "BadRequest");
    }
    const { segments, key: inParentheses } = splitKey(rest);
    for (const [wanted, template, handle] of routes) {
      const isVersion = version === "v1.0" || (version === "beta" && template === "organization");
      const matched = wanted === method && isVersion ? match(template, segments, inParentheses) : undefined;
      if (matched === undefined) continue;
      requireRead(call, ...readIn(segments));
      emptyOldBin(call);
      return handle(call, matched.key, matched.id);
    }
    throw notEmulated(`${method} /${path.join("/")}`);
  },
};

/** The kinds of objects that a request may be about; the bin and directoryObjects have all kinds. */
function readIn(segments: readonly string[]): readonly Readable[] {
  const path = segments.join("/").toLowerCase();
  if (path === "organization") return ["organization"];
  const about = [users, groups, ...deletedCollections].find((one) => path === one.path.toLowerCase() || path.startsWith(`${one.path}/`));
  if (about !== undefined) return [readableIn(about)];
  return /^directory(?:objects)?\//.test(path) ? ["applications", "users", "groups"] : ["applications"];
}

/** The text before a slash inside a key. */
const cutKey = /^\w+\((?:appId|uniqueName)='((?:[^'/]|'')*)\//i;
const keyed = /^(\w+)\((appId|uniqueName)='((?:[^']|'')+)'\)$/i;

/** Graph splits the path after decoding it, quotes or not: a slash in a key, even as %2F, ends a segment (microsoft-graph-docs#10167). */
function splitKey(path: readonly string[]): { segments: readonly string[]; key: Key | undefined } {
  const [, segment] = cutKey.exec(path.join("/")) ?? [];
  if (segment !== undefined) throw badRequest(`Resource not found for the segment '${segment}'.`, "BadRequest");
  const [, name, property, value] = keyed.exec(path[0] ?? "") ?? [];
  if (name === undefined || property === undefined || value === undefined) return { segments: path, key: undefined };
  const key: Key = { property: property.toLowerCase() === "appid" ? "appId" : "uniqueName", value: value.replaceAll("''", "'") };
  return { segments: [name, "", ...path.slice(1)], key };
}

/** The value of `{key}` in a path that fits the template: the key in parentheses, or the object ID in its own segment. */
function match(template: string, segments: readonly string[], inParentheses: Key | undefined): { key: Key; id: string } | undefined {
  const parameters = matchTemplate(template, segments);
  // Not an ID, but a part of Graph's own: `/applications/$count`.
  if (Object.values(parameters ?? {}).some((value) => value.startsWith("$"))) return undefined;
  return parameters && { key: inParentheses ?? { property: "id", value: parameters["key"] ?? "" }, id: parameters["id"] ?? "" };
}
