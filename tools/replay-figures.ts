/** How many recorded answers of Azure agree with the emulator, and the floor under that. */
import { plural } from "../src/text/plural.js";

export interface ReplayFigures {
  /** Of the answers that can be compared, the percentage that agrees in all. */
  readonly agreeing: number;
  readonly notServed: number;
}

/** Reads the last line of the comparison's table: columns by tab, with their names in the first line. */
export function figuresOf(table: string): ReplayFigures {
  const lines = table.trimEnd().split("\n");
  const cells = lines.at(-1)?.split("\t") ?? [];
  const count = (column: string): number => Number(cells[lines[0]?.split("\t").indexOf(column) ?? -1]);
  const agreeing = (100 * count("agrees")) / (count("replayed") - count("aside"));
  const figures = { agreeing: Math.floor(10 * agreeing) / 10, notServed: count("not-served") };
  if (cells[0] !== "TOTAL" || Number.isNaN(agreeing + figures.notServed)) throw new Error(`no totals in the table:\n${table}`);
  return figures;
}

/** What is worse than the floor, in words. */
export function belowFloor(figures: ReplayFigures, floor: ReplayFigures): string[] {
  const { agreeing, notServed } = figures;
  return [
    ...(agreeing < floor.agreeing ? [`${String(agreeing)} % of the answers agree; the floor is ${String(floor.agreeing)} %`] : []),
    ...(notServed > floor.notServed ? [`not served: ${plural(notServed, "request")}; the limit is ${String(floor.notServed)}`] : []),
  ];
}
