/** The resources of a report: what a run did to each, or what a plan would do, by kind, with links to the Azure portal. */
import type { Plan, PlannedDecision } from "../engine/plan.js";
import type { RunResult, StepRun } from "../engine/run-result.js";
import type { ListedResource } from "../render/plan-row.js";
import type { ReportedResource, ResourceKind } from "../render/report/resources.js";
import type { ShownState } from "../render/verification-text.js";
import { acts } from "../render/vocabulary.js";
import { lineOf, lineOfId, lineOfRemoval, otherLine, shownAct, type RemovalList } from "./plan-rows.js";

/** `link` follows from the cloud. */
export interface ReportedItem extends Omit<ReportedResource, "link"> {
  /** The group in a plan of something that is not a resource in Azure. */
  readonly section?: string | undefined;
}

const stateOf = {
  done: "passed",
  failed: "failed",
  interrupted: "warning",
  skipped: "skipped",
  cancelled: "skipped",
} as const satisfies Record<StepRun["status"], ShownState>;

/** How a step ended, for the report: "created", "failed". */
export function endOf({ act, status }: StepRun): Pick<ReportedItem, "word" | "state"> {
  return { word: status === "done" ? acts[act].done : status, state: stateOf[status] };
}

/** `sections` are the names of the steps' groups in a plan, by the ID of the step. */
export function itemsOfRun(
  { steps }: RunResult,
  sections: ReadonlyMap<string, string>,
  kept: readonly ListedResource[] = [],
): ReportedItem[] {
  const items = steps.map((step) => ({ title: step.title, id: step.resourceId, section: sections.get(step.id), ...endOf(step) }));
  return [...items, ...keptItems(kept)];
}

export function itemsOfPlan({ steps }: Plan): ReportedItem[] {
  return steps.map((planned) => {
    const { step, decision } = planned;
    return {
      title: step.title,
      id: step.resourceId,
      section: lineOf(step).name,
      word: shownAct(planned),
      state: stateOfAct(decision.act),
      why: "why" in decision ? decision.why : undefined,
    };
  });
}

function stateOfAct(act: PlannedDecision["act"]): ShownState {
  if (act === "refuse") return "failed";
  return act === "remove" || act === "replace" ? "warning" : "passed";
}

export function itemsOfRemovals({ removals, cascaded, kept }: RemovalList): ReportedItem[] {
  const removed = { word: "remove", state: "warning" } as const;
  return [
    ...removals.map((removal) => {
      const { title, resourceId: id, why } = removal;
      return { title, id, why, section: lineOfRemoval(removal)?.name, ...removed };
    }),
    ...cascaded.map(({ id, title = id, why }) => ({ title, id, why, ...removed, word: "remove with them" })),
    ...keptItems(kept),
  ];
}

function keptItems(kept: readonly ListedResource[]): ReportedItem[] {
  return kept.map(({ id, title = id, why }) => ({ title, id, word: "kept", state: "skipped", why }));
}

/** `page` is the address of a resource in the portal. In the order of their first resources. */
export function resourceKinds(items: readonly ReportedItem[], page: (id: string) => string | undefined): ResourceKind[] {
  const kinds = new Map<string, ReportedResource[]>();
  for (const { section, ...item } of items) {
    const isInAzure = item.id?.startsWith("/subscriptions/") === true;
    const name = (isInAzure ? lineOfId(item.id ?? "", item.title)?.name : undefined) ?? section ?? otherLine;
    // What is gone has no page.
    const isGone = item.word === "removed" || item.word === "skipped" || item.word === "cancelled";
    const link = isInAzure && !isGone ? page(item.id ?? "") : undefined;
    kinds.set(name, [...(kinds.get(name) ?? []), { ...item, link }]);
  }
  return [...kinds].map(([name, resources]) => ({ name, resources }));
}
