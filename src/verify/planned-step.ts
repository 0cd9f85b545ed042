/** Reads the planned steps of a create for its verification. */
import type { PlannedStep } from "../engine/plan.js";

/** The resource ID in the step's output; undefined if there is none. */
export function idOf(planned: PlannedStep | undefined): string | undefined {
  const value = planned?.output?.value;
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : undefined;
}

/** The live resource that a step read. The caller knows its type: `steps/network.ts` reads a VirtualNetwork for "vnet". */
export function liveOf<Live>({ live }: PlannedStep): Live {
  return live as Live;
}
