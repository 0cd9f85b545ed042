/** A stored resource as ARM answers it. */
import type { StoredResource } from "../state/state.js";
import { versionOf } from "./api-versions.js";
import type { ArmCall } from "./resource-type.js";
import { segmentsOf } from "./resource-id.js";
import { presentedIn } from "./version-differences.js";

/** The resource's own form: envelope and properties, with children and back-references added by its type. */
export function present({ state, types, request }: ArmCall, resource: StoredResource): Record<string, unknown> {
  const type = types.of(resource);
  const { name, location, tags, sku, etag, beside } = resource;
  const id = type.lowerCaseGroup ? resource.id.replace("/resourceGroups/", "/resourcegroups/") : resource.id;
  const all = type.present === undefined ? resource.properties : type.present(state, resource);
  const properties = type.differs === undefined ? all : presentedIn(versionOf(request), type.differs, all);
  return dropUndefined({ id, name, type: resource.type, location, tags, etag, sku, ...beside, properties });
}

/** The form of generic lists: no properties, and three more members if `$expand` asks for them. */
export function presentListed(resource: StoredResource, expand: readonly string[]): Record<string, unknown> {
  const { id, type, location, tags, sku, beside = {} } = resource;
  const { kind, managedBy, identity, zones } = beside;
  const expanded = {
    createdTime: isoTime(resource.createdAt),
    changedTime: isoTime(resource.changedAt),
    provisioningState: resource.properties["provisioningState"],
  };
  const asked = Object.entries(expanded).filter(([member]) => expand.includes(member));
  const name = nameWithParents(id);
  return dropUndefined({ id, name, type, location, tags, sku, kind, managedBy, identity, zones, ...Object.fromEntries(asked) });
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
