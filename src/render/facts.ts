/** Named values, one a line, with the values aligned. */
import { type Painted, painted } from "./painted.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { hanging } from "./wrapped.js";

/** A fact without a value has no line. */
export type Fact = readonly [name: string, value: string | undefined];

/** Several lines, no line end after the last. */
export function factsText(screen: Screen, facts: readonly Fact[]): Painted {
  const shown = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, printable(value)] as const]));
  const width = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  return painted(shown.flatMap(([name, value]) => hanging(screen, screen.paint.dim(name.padEnd(width)), width, value)).join("\n"));
}
