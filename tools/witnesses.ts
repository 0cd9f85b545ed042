/** Who attests the emulator's operations, apart from its own tests: the strongest witness of each, in witnesses.json. */
import { writeFileSync } from "node:fs";
import { operations } from "./fidelity-operations.js";
import known from "./witnesses.json" with { type: "json" };

/** The strongest first: an answer of Azure that agrees, an unmodified client that goes on with the answer, a description of Azure's. */
export const witnessKinds = ["recording", "client", "specification"] as const;
export type WitnessKind = (typeof witnessKinds)[number];

const witnesses: Readonly<Record<WitnessKind, readonly string[]>> = known;

export function witnessOf(operation: string): WitnessKind | "documentation" {
  return witnessKinds.find((kind) => witnesses[kind].includes(operation)) ?? "documentation";
}

/** Writes what a run has attested. */
export function writeWitnesses(attested: Partial<Record<WitnessKind, ReadonlySet<string>>>): void {
  const lists = Object.entries(attested).map(([kind, those]) => [kind, operations.filter((operation) => those.has(operation))]);
  writeFileSync("tools/witnesses.json", `${JSON.stringify({ ...witnesses, ...Object.fromEntries(lists) }, undefined, 2)}\n`);
}

/** In words: operations that witnesses.json lists, and this run has not attested. */
export function lostWitnesses(kind: WitnessKind, attested: ReadonlySet<string>): readonly string[] {
  return witnesses[kind].filter((operation) => !attested.has(operation)).map((operation) => `no ${kind} attests ${operation} any more`);
}
