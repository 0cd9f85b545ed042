/** Lists of record sets: their order and filter, those over all types of a zone, and the aliases of a resource. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { apex } from "../../../state/zone-apex.js";
import { requireRight } from "../../authorization-check.js";
import { findGroup, findSubscription } from "../../scopes.js";
import { inSubscription, type Endpoint, type Parameters } from "../../endpoint.js";
import { parentNotFound } from "../../errors.js";
import { page } from "../../paging.js";
import { present } from "../../present.js";
import { keyOf, isWithin } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { recordSetsOf } from "./record-rules.js";
import type { ZoneKind } from "./record-types.js";
import { z } from "zod";
import { indexOf } from "../../../state/index-of.js";
import { readContent, reference } from "../../body-schema.js";

/** In the order of their names as DNS has it, from the last label to the first, and of their types. Names end in ".suffix" if one is asked for. */
export function arranged(kind: ZoneKind, query: URLSearchParams, sets: readonly StoredResource[]): StoredResource[] {
  const suffix = query.get("$recordsetnamesuffix");
  const asked = suffix === null ? sets : sets.filter(({ name }) => keyOf(name).endsWith(keyOf(`.${suffix}`)));
  const keys = new Map(asked.map((set) => [set, [...labels(kind, set.name), "", set.type]]));
  return [...asked].sort((one, other) => compare(keys.get(one) ?? [], keys.get(other) ?? []));
}

/** Public zones put their apex first; to private ones "@" is a label like others. */
function labels(kind: ZoneKind, name: string): string[] {
  return kind === "public" && name === apex ? [] : keyOf(name).split(".").reverse();
}

function compare(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((label, index) => label !== other[index]);
  const [left = "", right = ""] = [one[at], other[at]];
  return at < 0 ? 0 : left < right ? -1 : 1;
}

/** The lists of a zone over all types: `ALL`, and `recordsets` as an older name. */
export function recordListEndpoints(kind: ZoneKind, zoneType: string, versions: readonly string[]): readonly Endpoint[] {
  const zone = `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${zoneType}/{zone}`;
  return ["ALL", "recordsets"].map((list) => ({
    method: "GET",
    path: `${zone}/${list}`,
    versions,
    handle: (call, parameters) => listAll(call, kind, `${zoneType}/${list}`, parameters),
  }));
}

function listAll(call: ArmCall, kind: ZoneKind, type: string, { subscriptionId = "", group = "" }: Parameters): Answer {
  const zoneId = `/${call.request.path.slice(0, -1).join("/")}`;
  requireRight(call, `${type}/read`, zoneId);
  findSubscription(call, subscriptionId);
  findGroup(call, subscriptionId, group);
  const zone = call.state.resources[keyOf(zoneId)];
  if (zone === undefined) throw parentNotFound("read", { name: type, ...(kind === "public" && { missingParent: "by name" }) }, zoneId);
  const sets = arranged(kind, call.request.query, recordSetsOf(call.state, zone.id, kind));
  return page(call, sets, (set) => present(call, set));
}

/** Which record sets are aliases of a resource, as `az network dns list-references` asks. */
const body = z.strictObject({ properties: z.strictObject({ targetResources: z.array(reference) }) });

export const dnsReferenceEndpoint = inSubscription({
  method: "POST",
  path: "Microsoft.Network/getDnsResourceReference",
  action: "Microsoft.Network/getDnsResourceReference/action",
  versions: ["2023-07-01-preview", "2018-05-01"],
  body: references,
});

function references({ state, request }: ArmCall, scope: string) {
  const { targetResources } = readContent(body, request.body, "Microsoft.Network/getDnsResourceReference").properties;
  const dnsResourceReferences = targetResources.map((targetResource) => ({
    dnsResources: resourcesByTarget
      .find(state.resources, keyOf(targetResource.id))
      .flatMap(({ id }) => (isWithin(id, scope) ? [{ id }] : [])),
    targetResource,
  }));
  return { properties: { dnsResourceReferences } };
}

/** Record sets, by the lower-case ID of the resource that they are an alias of. */
const resourcesByTarget = indexOf<StoredResource>(({ properties }) => {
  const { id } = (properties as { targetResource?: { id?: string } }).targetResource ?? {};
  return id === undefined ? [] : [keyOf(id)];
});
