/** The rows of a plan, and how rows of one kind share a line. */
import type { Change } from "../engine/step.js";
import type { ShownAct } from "./vocabulary.js";

export interface PlanRow {
  readonly title: string;
  readonly act: ShownAct;
  /** Another row removes it too: no step of the run does. */
  readonly cascaded?: true;
  readonly why?: string | undefined;
  readonly changes?: readonly Change[];
  /** Absent if the row has a line of its own; `counted` if it is only counted. */
  readonly line?: SharedLine | "counted";
}

/** A line that rows with the same name, action and reason share: "network (3): virtual network demo, 2 public IP addresses". */
export interface SharedLine {
  /** "network". */
  readonly name: string;
  /** What the line says of this row; absent if the number of rows is enough. */
  readonly item?: string;
  /** What it says of several rows of one kind, after their number: "public IP addresses". If absent, each row is listed. */
  readonly items?: string;
  /** The reason of several rows, if theirs differ. */
  readonly why?: string;
}

/** A resource that a destroy keeps, or deletes with another one. */
export interface ListedResource {
  readonly id: string;
  /** The ID by default. */
  readonly title?: string;
  readonly why?: string | undefined;
  /** The shared line of a kept one whose ID has no type. */
  readonly line?: SharedLine;
}

/** One row for each line, where the first of its rows is. A row that shares its line shows no changes. */
export function joinedRows(rows: readonly PlanRow[]): PlanRow[] {
  const lines = new Map<string | PlanRow, PlanRow[]>();
  for (const row of rows) {
    const { line, act } = row;
    if (line === "counted") continue;
    const key = line === undefined ? row : [act, line.name, line.why ?? row.why ?? ""].join("\n");
    lines.set(key, [...(lines.get(key) ?? []), row]);
  }
  return [...lines.values()].flatMap((alike) => (alike.length > 1 ? joined(alike) : alike));
}

function joined(rows: readonly PlanRow[]): PlanRow[] {
  const lines = rows.flatMap(({ line }) => (typeof line === "object" ? [line] : []));
  return rows.slice(0, 1).map(({ act, why }) => {
    const head = `${lines[0]?.name ?? ""} (${lines.length})`;
    const items = itemsOf(lines);
    return { act, why: lines[0]?.why ?? why, title: items.length === 0 ? head : `${head}: ${items.join(", ")}` };
  });
}

/** Several rows of one kind become their number. */
function itemsOf(lines: readonly SharedLine[]): string[] {
  const listed = new Set<string>();
  for (const { item, items } of lines) {
    const alike = lines.filter((other) => items !== undefined && other.items === items);
    if (item !== undefined) listed.add(alike.length > 1 ? `${alike.length} ${items ?? ""}` : item);
  }
  return [...listed];
}
