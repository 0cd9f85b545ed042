/** How many recorded answers of Azure agree with the emulator, in all and by family, and the floor under that. */
import { plural } from "../src/text/plural.js";
import { familyOf } from "./replay-families.js";
import { isNoise } from "./replay-noise.js";
import type { ReplayRow } from "./replay-rows.js";

export interface Share {
  /** Answers that agree in all, of those that can be compared. */
  readonly agreeing: number;
  readonly compared: number;
  readonly notServed: number;
}

export interface ReplayFigures extends Share {
  readonly recordings: number;
  readonly families: Readonly<Record<string, Share>>;
}

export interface Floor {
  /** Percentages. */
  readonly agreeing: number;
  readonly eachFamily: number;
  readonly notServed: number;
}

/** A family with fewer compared answers than this says too little for a floor of its own. */
const fewest = 20;

export function figuresOf(rows: readonly ReplayRow[]): ReplayFigures {
  const named = [...new Set(rows.map(({ kind }) => familyOf(kind)))].sort();
  return {
    recordings: new Set(rows.map(({ recording }) => recording)).size,
    ...shareOf(rows),
    families: Object.fromEntries(named.map((family) => [family, shareOf(rows.filter(({ kind }) => familyOf(kind) === family))])),
  };
}

/** What is worse than the floor, in words. */
export function belowFloor({ families, ...whole }: ReplayFigures, floor: Floor): string[] {
  const small = [
    ...below("of the answers", whole, floor.agreeing),
    ...Object.entries(families).flatMap(([family, share]) =>
      share.compared < fewest ? [] : below(`of the answers of the family ${family}`, share, floor.eachFamily),
    ),
  ];
  return whole.notServed > floor.notServed
    ? [...small, `not served: ${plural(whole.notServed, "request")}; the limit is ${String(floor.notServed)}`]
    : small;
}

/** 93.7 of 93.79: a floor that is reached is never claimed too early. */
export function percent({ agreeing, compared }: Pick<Share, "agreeing" | "compared">): number {
  return compared === 0 ? 100 : Math.floor((1000 * agreeing) / compared) / 10;
}

export function agrees({ kind, url, at, outcome, stripped = [], differences = [] }: ReplayRow): boolean {
  if (outcome === "agrees") return true;
  return outcome === "differs" && stripped.length === 0 && differences.every((one) => isNoise({ kind, url, at }, one));
}

function shareOf(rows: readonly ReplayRow[]): Share {
  const agreeing = rows.filter(agrees).length;
  // The other outcomes hang on what is not served, or on a moment that does not come again.
  const differing = rows.filter((row) => row.outcome === "differs" && !agrees(row)).length;
  return { agreeing, compared: agreeing + differing, notServed: rows.filter(({ outcome }) => outcome === "not-served").length };
}

function below(what: string, share: Share, least: number): string[] {
  const agreeing = percent(share);
  return agreeing < least ? [`${String(agreeing)} % ${what} agree; the floor is ${String(least)} %`] : [];
}
