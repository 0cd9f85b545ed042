/** What a run will do, for its progress: the section of each step, as in the plan, and how long it usually takes. */
import type { Clock } from "../azure/clock.js";
import type { Plan, PlannedStep } from "../engine/plan.js";
import type { Removal } from "../engine/step.js";
import type { Outline } from "../render/outline.js";
import { isWork } from "../render/progress.js";
import { lineOf, lineOfRemoval, shownAct } from "./plan-rows.js";

/** Seconds, where nothing is recorded. */
const usualSeconds = 1;

export function planOutline({ steps }: Plan, inFull: boolean, clock: Clock): Outline {
  return {
    inFull,
    steps: steps.map((planned) => {
      const { step, decision } = planned;
      const usualMs = isWork(decision.act) ? usualMsOf(step.declared.seconds, clock) : 0;
      const shown = shownAct(planned) === "check" ? ({ shown: "check" } as const) : {};
      return { id: step.id, needs: step.needs, section: sectionOf(planned), usualMs, ...shown };
    }),
  };
}

export function removalOutline(removals: readonly Removal[], inFull: boolean, clock: Clock): Outline {
  return {
    inFull,
    steps: removals.map((removal) => {
      const { id, title, after, seconds } = removal;
      return { id, needs: after, section: lineOfRemoval(removal)?.name ?? title, usualMs: usualMsOf(seconds, clock) };
    }),
  };
}

/** Certificates and secrets are counted apart, although they share the plan's line of the vault. */
function sectionOf({ step, decision: { act } }: PlannedStep): string | undefined {
  if (!isWork(act)) return undefined;
  const { name, items } = lineOf(step);
  const isOfOneKind = step.subject?.kind === "directory-object" || step.subject?.kind === "vault-object";
  return (isOfOneKind ? items : undefined) ?? name;
}

function usualMsOf(seconds: number | undefined, clock: Clock): number {
  return clock.scaled((seconds ?? usualSeconds) * 1000);
}
