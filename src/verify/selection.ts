/** Selects the check instances to run and to report. */
import type { Result } from "./check.js";
import type { CheckInstance } from "./check-instance.js";

/** The filters of a verification; an empty list selects everything. */
export interface CheckFilter {
  readonly subjects: readonly string[];
  readonly checks: readonly string[];
}

function isChosen({ subjects, checks }: CheckFilter, check: string, subject: string): boolean {
  return (subjects.length === 0 || subjects.includes(subject)) && (checks.length === 0 || checks.includes(check));
}

/** The selected instances and all that they need, in the order given. */
export function withNeeds(instances: readonly CheckInstance[], chosen: CheckFilter): CheckInstance[] {
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const wanted = new Set<string>();
  const add = (id: string): void => {
    if (wanted.has(id)) return;
    wanted.add(id);
    byId.get(id)?.needs.forEach(add);
  };
  for (const { id, check, subject } of instances) if (isChosen(chosen, check.id, subject)) add(id);
  return instances.filter(({ id }) => wanted.has(id));
}

/** The selected results, and failures of the checks that they need: they are why a selected check was skipped. */
export function selectedResults(results: readonly Result[], chosen: CheckFilter): Result[] {
  return results.filter(({ check, subject, state }) => isChosen(chosen, check, subject) || state === "failed" || state === "warning");
}
