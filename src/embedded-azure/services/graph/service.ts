/** graph.microsoft.com v1.0, as far as identities need it: which function answers which route. */
import type { Answer, Call, Service } from "../../service.js";
import { addPassword, createApplication, deleteApplication, patchApplication, removePassword } from "./applications.js";
import { deleteForGood, emptyOldBin, restore } from "./deleted-items.js";
import { badRequest, notEmulated } from "./errors.js";
import { addFederatedCredential, listFederatedCredentials, removeFederatedCredential } from "./federated-credentials.js";
import { addOwner, getByIds, listOwners, removeOwner } from "./owners.js";
import { collections, getItem, getList, type Key } from "./query.js";
import { requireRead } from "./rights.js";
import { createPrincipal, deletePrincipal, patchPrincipal } from "./service-principals.js";

const host = "graph.microsoft.com";
const { applications, servicePrincipals, deletedApplications } = collections;

/** `{}` stands for an object: `/{id}`, or `(appId='..')` right behind the collection. `{id}` is another segment, handed on. */
const routes: readonly (readonly [method: string, path: string, handle: (call: Call, key: Key, id: string) => Answer])[] = [
  ["GET", "applications", (call) => getList(call, applications)],
  ["POST", "applications", createApplication],
  ["GET", "applications/{}", (call, key) => getItem(call, applications, key)],
  ["PATCH", "applications/{}", patchApplication],
  ["DELETE", "applications/{}", deleteApplication],
  ["POST", "applications/{}/addPassword", addPassword],
  ["POST", "applications/{}/removePassword", removePassword],
  ["GET", "applications/{}/owners", (call, key) => listOwners(call, applications, key)],
  ["POST", "applications/{}/owners/$ref", addOwner],
  ["DELETE", "applications/{}/owners/{id}/$ref", removeOwner],
  ["GET", "applications/{}/federatedIdentityCredentials", listFederatedCredentials],
  ["POST", "applications/{}/federatedIdentityCredentials", addFederatedCredential],
  ["DELETE", "applications/{}/federatedIdentityCredentials/{id}", removeFederatedCredential],
  ["GET", "servicePrincipals", (call) => getList(call, servicePrincipals)],
  ["POST", "servicePrincipals", createPrincipal],
  ["GET", "servicePrincipals/{}", (call, key) => getItem(call, servicePrincipals, key)],
  ["PATCH", "servicePrincipals/{}", patchPrincipal],
  ["DELETE", "servicePrincipals/{}", deletePrincipal],
  ["GET", "servicePrincipals/{}/owners", (call, key) => listOwners(call, servicePrincipals, key)],
  ["GET", "directory/deletedItems/microsoft.graph.application", (call) => getList(call, deletedApplications)],
  ["GET", "directory/deletedItems/{}", (call, key) => getItem(call, deletedApplications, key)],
  ["DELETE", "directory/deletedItems/{}", deleteForGood],
  ["POST", "directory/deletedItems/{}/restore", restore],
  ["POST", "directoryObjects/getByIds", getByIds],
];

export const graphService: Service = {
  hosts: (name) => name === host,
  anonymous: false,
  handle(call) {
    const { method, path } = call.request;
    const [version, ...rest] = path;
    if (version === "v1.0" && rest[0]?.toLowerCase() === "me") {
      throw badRequest("/me request is only valid with delegated authentication flow.", "BadRequest");
    }
    const { segments, key: inParentheses } = splitKey(rest);
    for (const [wanted, template, handle] of routes) {
      const matched = wanted === method && version === "v1.0" ? match(template, segments, inParentheses) : undefined;
      if (matched === undefined) continue;
      requireRead(call);
      emptyOldBin(call);
      return handle(call, matched.key, matched.id);
    }
    throw notEmulated(`${method} /${path.join("/")}`);
  },
};

const noKey: Key = { property: "id", value: "" };
/** What lies before a slash inside a key. */
const cutKey = /^\w+\((?:appId|uniqueName)='((?:[^'/]|'')*)\//i;
const keyed = /^(\w+)\((appId|uniqueName)='((?:[^']|'')+)'\)$/i;

/** Graph takes the path apart after it decoded it, quotes or not: a slash in a key ends a segment, also one that came as %2F (microsoft-graph-docs#10167). */
function splitKey(path: readonly string[]): { segments: readonly string[]; key: Key | undefined } {
  const [, segment] = cutKey.exec(path.join("/")) ?? [];
  if (segment !== undefined) throw badRequest(`Resource not found for the segment '${segment}'.`, "BadRequest");
  const [, name, property, value] = keyed.exec(path[0] ?? "") ?? [];
  if (name === undefined || property === undefined || value === undefined) return { segments: path, key: undefined };
  const key: Key = { property: property.toLowerCase() === "appid" ? "appId" : "uniqueName", value: value.replaceAll("''", "'") };
  return { segments: [name, "", ...path.slice(1)], key };
}

function match(template: string, segments: readonly string[], inParentheses: Key | undefined): { key: Key; id: string } | undefined {
  const wanted = template.split("/");
  if (wanted.length !== segments.length) return undefined;
  let key = noKey;
  let id = "";
  for (const [index, segment] of wanted.entries()) {
    const sent = segments[index] ?? "";
    if (segment === "{}") key = inParentheses ?? { property: "id", value: sent };
    else if (segment === "{id}") id = sent;
    else if (segment.toLowerCase() !== sent.toLowerCase()) return undefined;
  }
  return { key, id };
}
