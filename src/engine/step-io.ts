/** What a running step may use of the engine, made for one run of it: its notes become events with the time since it started. */
import type { Emit } from "./events.js";
import type { StepIo } from "./step.js";

export function stepIo(
  step: { readonly id: string },
  { signal, emit, elapsedMs }: { readonly signal: AbortSignal; readonly emit: Emit; readonly elapsedMs: () => number },
): StepIo {
  const startedMs = elapsedMs();
  return { step: step.id, signal, note: (text) => emit({ type: "step.note", step: step.id, text, elapsedMs: elapsedMs() - startedMs }) };
}
