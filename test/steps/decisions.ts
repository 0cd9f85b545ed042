/** What a step decides, for tables of plain values: the one place that knows how `decide` is called and how its answer is put in a line. */
import type { Step } from "../../src/engine/step.js";
import { everyGraph } from "./every-graph.js";

/** What needed steps return, by the name that the step has for them. */
export type Up = Readonly<Record<string, unknown>>;

export interface Situation {
  readonly outputs?: Up;
  readonly now?: Date;
}

/** Built once: there are some hundred. */
let graphs: ReturnType<typeof everyGraph> | undefined;

const usually = new Date("2026-07-11T12:00:00Z");

/** The step of a graph of `everyGraph`: "infra", "infra vnet subnet", "identities", "issuer". */
export function stepOf(graph: string, id: string): Step<unknown> {
  graphs ??= everyGraph();
  const step = graphs.find(({ name }) => name.trim() === graph)?.steps.find((one) => one.id === id);
  if (step === undefined) throw new Error(`there is no step ${id} in the graph "${graph}"`);
  return step;
}

/** "create", "keep", "adopt", "update: vnet.tags", "refuse ARO-OWN-001: ...", "wait: Updating"; a reason stands in parentheses. */
export function decided(step: Step<unknown>, live: unknown, { outputs = predicted(step), now = usually }: Situation = {}): string {
  const busy = live === undefined ? undefined : step.declared.busy?.(live);
  if (busy !== undefined) return `wait: ${busy}`;
  const decision = step.declared.decide(live, outputs, now);
  switch (decision.act) {
    case "create":
      return decision.why === undefined ? "create" : `create (${decision.why})`;
    case "update":
    case "replace":
      return `${decision.act}: ${decision.changes.map(({ path }) => path).join(", ")}`;
    case "remove":
      return `remove: ${decision.changes.map(({ from }) => String(from)).join(", ")} (${decision.why})`;
    case "keep":
      return decision.why === undefined ? "keep" : `keep (${decision.why})`;
    case "refuse":
      return `refuse ${decision.failure.code}: ${decision.failure.message}`;
    default:
      return decision.act;
  }
}

/** What its needs return while they are only planned; undefined of those that cannot say. */
export function predicted(step: Step<unknown>): Record<string, unknown> {
  const needs = Object.entries(step.declared.needs);
  return Object.fromEntries(needs.map(([name, need]) => [name, need.declared.predict?.(predicted(need))]));
}

/** The resource as the step itself makes it, and as Azure returns it once that is done. */
export function asMade(step: Step<unknown>): Record<string, unknown> {
  return { ...step.declared.wanted?.(predicted(step)), id: step.resourceId, provisioningState: "Succeeded" };
}
