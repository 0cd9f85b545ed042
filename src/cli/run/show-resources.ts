/** Shows the state and the drift of every step of a plan: as a table, or as a document. */
import type { Plan, PlannedStep } from "../../engine/plan.js";
import type { Change } from "../../engine/step.js";
import type { RenderAdvice } from "../../errors/advice.js";
import { exitCodes } from "../../errors/exit-codes.js";
import { failureJson } from "../../errors/format.js";
import { printDocument } from "../../render/document.js";
import { table } from "../../render/table.js";
import { keptDifferences } from "../../steps/kept-differences.js";
import type { RunContext } from "./run-context.js";

/** The settings of every command that shows the steps of a create. */
export interface ShowSettings {
  readonly output: "text" | "json";
  /** Whether the exit code says that a resource is missing or different. */
  readonly exitCode: boolean;
}

interface Shown {
  readonly command: string;
  /** The subject in the document: `{ infraId }`, `{ name }`. */
  readonly about: Readonly<Record<string, string>>;
  /** More members of the document. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly settings: ShowSettings;
}

/**
 * Returns the exit code.
 * @throws the failures of steps that could not be read
 */
export function showResources(plan: Plan, { command, about, more, settings }: Shown, context: RunContext): number {
  if (plan.failures.length > 0) throw new AggregateError(plan.failures.map(({ failure }) => failure));
  const { output, exitCode } = settings;
  const code = exitCode && !plan.steps.every(isAsWanted) ? exitCodes.changes : exitCodes.done;
  if (output === "json") {
    printDocument(context.result, { ok: true, command, ...about, ...more, resources: documentRows(plan.steps, context.renderAdvice) });
    return code;
  }
  const rows = plan.steps.map((planned) => ({ title: planned.step.title, ...stateOf(planned) }));
  context.result.print(
    table(
      context.result,
      ["RESOURCE", "STATE", "DRIFT"],
      rows.map(({ title, state, drift }) => [title, state, drift]),
    ),
  );
  return code;
}

/** Whether the resource exists and nothing in it differs. */
function isAsWanted(planned: PlannedStep): boolean {
  const { act } = planned.decision;
  return act === "adopt" || (act === "keep" && driftOf(planned).length === 0);
}

function stateOf(planned: PlannedStep): { state: string; drift: string } {
  const { decision, live } = planned;
  switch (decision.act) {
    case "create":
      return { state: "absent", drift: "" };
    case "keep":
      return { state: "exists", drift: pathsOf(driftOf(planned)) || "none" };
    case "adopt":
      return { state: "exists, bring-your-own", drift: "none" };
    case "wait":
      return { state: "in flight", drift: decision.why };
    case "update":
    case "remove":
      return { state: "exists", drift: pathsOf(driftOf(planned)) };
    case "refuse":
      return { state: live === undefined ? "absent" : "exists", drift: decision.failure.message };
  }
}

/** What the next create changes, and what it keeps although it differs. */
function driftOf(planned: PlannedStep): readonly Change[] {
  const { decision } = planned;
  return [...("changes" in decision ? decision.changes : []), ...keptDifferences(planned)];
}

function pathsOf(changes: readonly Change[]): string {
  return changes.map(({ path }) => path).join(", ");
}

function documentRows(steps: readonly PlannedStep[], renderAdvice: RenderAdvice) {
  return steps.map((planned) => {
    const { step, decision } = planned;
    const drift = driftOf(planned);
    return {
      step: step.id,
      title: step.title,
      resourceId: step.resourceId,
      ...stateOf(planned),
      ...(drift.length > 0 && { changes: drift }),
      ...(decision.act === "refuse" && { failure: failureJson(decision.failure, renderAdvice) }),
    };
  });
}
