/** A list of checks as it is written down: words by id. */
import type { Check } from "./check.js";

export type Words = Omit<Check, "id">;

export function checkCatalogue<Id extends string>(words: Readonly<Record<Id, Words>>): Readonly<Record<Id, Check>> {
  const checks: Partial<Record<Id, Check>> = {};
  // A record's keys are its type's, which the language does not say.
  for (const id of Object.keys(words) as Id[]) checks[id] = { id, ...words[id] };
  return checks as Record<Id, Check>;
}
