/** What the table of resource types says of a type that Azure gave, in whatever casing: its label, its place in the order of removal, who makes it. */
import { shell, type ShellCommand } from "../errors/advice.js";
import type { Part } from "./create-parts.js";
import { resourceTypes, type ResourceType, type ResourceTypeName, type ResourceUse } from "./resource-types.js";

type NamedType = Omit<ResourceType, "heldBy"> & { readonly heldBy: readonly ResourceTypeName[] };

/** The rows as what they have in common. The type holds every `heldBy` to names of rows. */
const resourceTypeRows: Readonly<Record<ResourceTypeName, NamedType>> = resourceTypes;

export const rows: readonly ResourceType[] = Object.values(resourceTypeRows);

/** A row of a type that a create uses. */
export type UsedType = ResourceType & { readonly use: ResourceUse };

const byType = new Map(rows.map((row) => [row.type.toLowerCase(), row]));

const heldBy = new Map(
  Object.values(resourceTypeRows).map((row) => [
    row.type.toLowerCase(),
    new Set(row.heldBy.map((name) => resourceTypeRows[name].type.toLowerCase())),
  ]),
);

/** Undefined for a type that is in no row. */
export function rowOf(type: string): ResourceType | undefined {
  return byType.get(type.toLowerCase());
}

/** "Microsoft.Network/publicIPAddresses" as people call it: "public IP address"; a type in no row by its own name. */
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

/** Whether there is a row, and so a place in the order of removal. What is in none is left to the deletion of its group, which Azure orders itself. */
export function isOrdered(type: string): boolean {
  return byType.has(type.toLowerCase());
}

/** Whether every `first` must be gone before any `then`. Not transitive: through a type that is not there nothing is held. */
export function goesBefore(first: string, then: string): boolean {
  return heldBy.get(then.toLowerCase())?.has(first.toLowerCase()) ?? false;
}

export function isUsed(row: ResourceType): row is UsedType {
  return row.use !== undefined;
}

/** Whether a create makes resources of the type, and does not only look them up. */
function isMade(row: ResourceType): row is UsedType {
  return row.use?.verbs.includes("write") ?? false;
}

/** The types that these parts of a create make, but for groups and role assignments, which all of them make. */
export function madeBy(parts: ReadonlySet<Part>): readonly UsedType[] {
  return rows.filter(isMade).filter(({ use: { part } }) => part !== "several" && parts.has(part));
}

/** The resource providers of what these parts make. */
export function namespacesMadeIn(parts: ReadonlySet<Part>): string[] {
  return [...new Set(madeBy(parts).map(namespaceOf))];
}

/** Whether a resource with our tags can be one that `part` made; on a type that it does not make, the tags were copied, as a policy that inherits them does. */
export function isMadeBy(part: Part, type: string): boolean {
  const row = rowOf(type);
  return row !== undefined && isMade(row) && row.use.part === part;
}

/** The command that writes a failed resource again unchanged. */
export function rewriteCommand(row: Pick<ResourceType, "az"> | undefined, id: string): ShellCommand {
  return shell`az ${(row?.az ?? "resource").split(" ")} update --ids ${id}`;
}
