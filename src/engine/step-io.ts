/** What a running step may use of the engine, made for one run of it: its notes become events with the time since it started. */
import type { Emit } from "./events.js";
import type { StepIo } from "./step.js";

export function stepIo(
  step: { readonly id: string },
  { signal, emit, now }: { readonly signal: AbortSignal; readonly emit: Emit; readonly now: () => number },
): StepIo {
  const startedMs = now();
  return { step: step.id, signal, note: (text) => emit({ type: "step.note", step: step.id, text, elapsedMs: now() - startedMs }) };
}
