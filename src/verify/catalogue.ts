/** Builds a catalogue of checks from their sentences by ID. */
import type { Check } from "./check.js";

export type Words = Omit<Check, "id">;

export function checkCatalogue<Id extends string>(words: Readonly<Record<Id, Words>>): Readonly<Record<Id, Check>> {
  const checks: Partial<Record<Id, Check>> = {};
  // Object.keys returns string[], although the keys of this record are its IDs.
  for (const id of Object.keys(words) as Id[]) checks[id] = { id, ...words[id] };
  return checks as Record<Id, Check>;
}
