/** Compares a resource with the properties that `create infra` set. */
import type { PlannedStep } from "../engine/plan.js";
import { resourceOf, type Change } from "../engine/step.js";
import { rowOf } from "../domain/resource-catalogue.js";
import { compare } from "../domain/compare.js";

/** Compared elsewhere: tags are merged, and locations have several spellings. */
const comparedElsewhere = { tags: undefined, location: undefined };

/** The values that create infra sets only at creation, and that are different now: it keeps them, because the change may be intended. */
export function keptDifferences({ step, decision, live, wanted }: PlannedStep): Change[] {
  const changes = decision.act === "update" ? decision.changes : decision.act === "keep" ? [] : undefined;
  const isInfra = rowOf(resourceOf(step)?.type ?? "")?.use?.part === "infra";
  if (!isInfra || changes === undefined || wanted === undefined || typeof live !== "object" || live === null) return [];
  return compare({ ...wanted, ...comparedElsewhere }, live).filter(({ path }) => !changes.some((change) => path.startsWith(change.path)));
}
