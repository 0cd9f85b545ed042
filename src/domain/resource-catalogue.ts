/** Looks up types in the table of resource types, in any casing. */
import { shell, type ShellCommand } from "../errors/advice.js";
import type { Part } from "./create-parts.js";
import { sameType } from "./resource-id.js";
import { resourceTypes, type ResourceType, type ResourceTypeName, type ResourceUse } from "./resource-types.js";

type NamedType = Omit<ResourceType, "heldBy"> & { readonly heldBy: readonly ResourceTypeName[] };

/** The common type of the rows, which allows only names of rows in `heldBy`. */
const rowsByName: Readonly<Record<ResourceTypeName, NamedType>> = resourceTypes;

export const rows: readonly ResourceType[] = Object.values(rowsByName);

/** A row of a resource type that a create uses. */
export type UsedType = ResourceType & { readonly use: ResourceUse };

const byType = new Map(Object.values(rowsByName).map((row) => [row.type.toLowerCase(), row]));

/** Undefined for a type without a row. */
export function rowOf(type: string): ResourceType | undefined {
  return byType.get(type.toLowerCase());
}

/** The label of a type: `Microsoft.Network/publicIPAddresses` is "public IP address". A type without a row is its own label. */
export function labelled(type: string): Pick<ResourceType, "label"> {
  return rowOf(type) ?? { label: type };
}

/** "virtual network demo-x7k2": the title of a step or a removal. */
export function titleOf({ label }: Pick<ResourceType, "label">, name: string): string {
  return `${label} ${name}`;
}

/** `virtual network "demo-x7k2"`: the resource in the sentence of a failure. */
export function quotedTitleOf({ label }: Pick<ResourceType, "label">, name: string): string {
  return `${label} "${name}"`;
}

export function pluralOf({ label, plural }: Pick<ResourceType, "label" | "plural">): string {
  return plural ?? `${label}s`;
}

/** "Microsoft.Network". */
export function namespaceOf({ type }: Pick<ResourceType, "type">): string {
  return type.slice(0, type.indexOf("/"));
}

/** Whether a type has a row and so a removal order. Other types are deleted with their group, in Azure's own order. */
export function isOrdered(type: string): boolean {
  return byType.has(type.toLowerCase());
}

/** Whether every `first` must be deleted before any `then`. Not transitive: an absent type between them has no references. */
export function isRemovedBefore(first: string, then: string): boolean {
  return byType.get(then.toLowerCase())?.heldBy.some((name) => sameType(rowsByName[name].type, first)) ?? false;
}

export function isUsed(row: ResourceType): row is UsedType {
  return row.use !== undefined;
}

/** Whether a create creates resources of the type, rather than only reads them. */
function isCreated(row: ResourceType): row is UsedType {
  return row.use?.verbs.includes("write") ?? false;
}

/** The types that these parts create, except for groups and role assignments, which all parts create. */
export function typesCreatedBy(parts: ReadonlySet<Part>): readonly UsedType[] {
  return rows
    .filter(isCreated)
    .filter(({ use: { part, alsoByAks } }) => part !== "several" && (parts.has(part) || (alsoByAks === true && parts.has("aks"))));
}

export function namespacesCreatedBy(parts: ReadonlySet<Part>): string[] {
  return [...new Set(typesCreatedBy(parts).map(namespaceOf))];
}

/** The command that updates a failed resource without changes. */
export function rewriteCommand(row: Pick<ResourceType, "az"> | undefined, id: string): ShellCommand {
  return shell`az ${(row?.az ?? "resource").split(" ")} update --ids ${id}`;
}
