/** A stored resource as ARM answers it. */
import type { StoredResource } from "../state/state.js";
import { versionOf } from "./api-versions.js";
import { callerOf } from "./authorization-check.js";
import type { ArmCall, ResourceType } from "./resource-type.js";
import { keyOf, segmentsOf } from "./resource-id.js";
import { parentResource } from "./uses.js";
import { presentedIn } from "./version-differences.js";

/** The resource's own form: envelope and properties, with children and back-references added by its type. */
export function present(call: ArmCall, resource: StoredResource): Record<string, unknown> {
  const { state, types, request } = call;
  const type = types.of(resource);
  const { location, tags, etag, beside = {}, systemData } = resource;
  const { sku } = type.skuOfParent ? parentResource(state, resource.id) : resource;
  const ofVersion = (all: Readonly<Record<string, unknown>>) => presentedIn(versionOf(request), type.versionDifferences ?? [], all);
  const all =
    type.presentedProperties === undefined
      ? resource.properties
      : type.presentedProperties(state, resource, (child) => present(call, child), call);
  const isNew = all["provisioningState"] === "Creating";
  const properties = ofVersion(type.etagMember === "properties.eTag" ? { ...all, eTag: etag } : all);
  return dropUndefined({
    id: idAnswered(type, resource.id),
    name: type.nameInAnswers ?? (type.lowerCaseNames ? keyOf(resource.name) : resource.name),
    type: type.withoutType ? undefined : (type.answeredName ?? resource.type),
    location,
    tags: tags ?? (type.emptyTags && {}),
    ...(type.etagMember === undefined && { etag }),
    sku,
    ...ofVersion({ ...beside, ...(type.etagMember === "eTag" && !isNew && { eTag: etag }) }),
    systemData,
    properties,
  });
}

/** An ID in its type's own spelling. */
export function idAnswered({ lowerCaseGroup, lowerCaseNames }: ResourceType, id: string): string {
  if (lowerCaseNames) return id.split("/").map(nameInLowerCase).join("/");
  return lowerCaseGroup ? id.replace("/resourceGroups/", "/resourcegroups/") : id;
}

/** "/subscriptions/s/resourceGroups/GROUP/providers/namespace/type/NAME/type/NAME": the group is segment 4, names follow in twos from 8. */
function nameInLowerCase(segment: string, index: number): string {
  return index === 4 || (index >= 8 && index % 2 === 0) ? segment.toLowerCase() : segment;
}

/** Who writes it now, and who wrote it first. */
export function systemDataOf(call: ArmCall, existing: StoredResource | undefined): Record<string, unknown> {
  const at = new Date(call.now).toISOString();
  const by = callerOf(call).objectId;
  return {
    createdBy: by,
    createdByType: "Application",
    createdAt: at,
    ...existing?.systemData,
    lastModifiedBy: by,
    lastModifiedByType: "Application",
    lastModifiedAt: at,
  };
}

/** The form of generic lists: no properties, and three more members if `$expand` asks for them. */
export function presentListed({ emptyTags }: ResourceType, resource: StoredResource, expand: readonly string[]): Record<string, unknown> {
  const { id, type, location, tags = emptyTags && {}, beside = {} } = resource;
  const { kind, managedBy, identity, zones } = beside;
  const expanded = {
    createdTime: isoTime(resource.createdAt),
    changedTime: isoTime(resource.changedAt),
    provisioningState: resource.properties["provisioningState"],
  };
  const asked = Object.entries(expanded).filter(([member]) => expand.includes(member));
  const name = nameWithParents(id);
  const sku = listedSku(resource);
  return dropUndefined({ id, name, type, location, tags, sku, kind, managedBy, identity, zones, ...Object.fromEntries(asked) });
}

/** Generic lists do not know the tier of a SKU of Microsoft.Network. */
function listedSku({ type, sku }: StoredResource): Record<string, unknown> | undefined {
  if (sku === undefined || !keyOf(type).startsWith("microsoft.network/")) return sku;
  const { tier: _unlisted, ...listed } = sku;
  return listed;
}

/** Generic lists name a nested resource with its parents: "zone/link". */
function nameWithParents(id: string): string {
  return segmentsOf(id)
    .slice(6)
    .filter((_, index) => index % 2 === 1)
    .join("/");
}

function isoTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function dropUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
