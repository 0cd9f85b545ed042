/** The findings that follow from the plan of a create: its changes and refusals. */
import { advise, joinAdvice, type Advice } from "../errors/advice.js";
import { adviceFor } from "../errors/format.js";
import type { Failure } from "../errors/failure.js";
import type { PlannedDecision } from "../engine/plan.js";
import type { Change } from "../engine/step.js";
import { failed, type Finding } from "./check.js";

/** The finding for a decision to change the resource. */
export function fromDecision(decision: PlannedDecision, create: Advice): Finding<never> {
  switch (decision.act) {
    case "refuse":
      return fromFailure(decision.failure);
    case "update":
    case "replace":
    case "remove":
      return failed(changesText(decision.changes), advise`${create} fixes it`);
    case "create":
      return failed(decision.why ?? "it does not exist", advise`${create} creates what is missing`);
    case "keep":
    case "use":
    case "wait":
      return failed("it differs", create);
  }
}

export function fromFailure(failure: Failure): Finding<never> {
  const { message, because } = failure;
  return failed([message, because].filter(Boolean).join(": "), joinAdvice(adviceFor(failure), "; "));
}

/** "idleTimeoutInMinutes: 10, not 4". */
export function changesText(changes: readonly Change[]): string {
  return changes.map(({ path, from, to }) => `${path}: ${shown(from)}, not ${shown(to)}`).join("; ");
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
