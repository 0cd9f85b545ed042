/** What a running step may use of the engine, and which step is running: SDKs pass no context to the clients beneath them. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Emit } from "./events.js";
import type { StepIo } from "./step.js";

const storage = new AsyncLocalStorage<StepIo>();

/** Undefined outside of any step. */
export function currentStep(): StepIo | undefined {
  return storage.getStore();
}

export function asCurrentStep<T>(io: StepIo, work: () => T): T {
  return storage.run(io, work);
}

/** Created for one run of a step: its notes become events with the time since its start. */
export function stepIo(
  step: { readonly id: string },
  { signal, emit, elapsedMs }: { readonly signal: AbortSignal; readonly emit: Emit; readonly elapsedMs: () => number },
): StepIo {
  const startedMs = elapsedMs();
  return {
    step: step.id,
    signal,
    note: (text, reason) => emit({ type: "step.note", step: step.id, text, reason: reason ?? text, elapsedMs: elapsedMs() - startedMs }),
  };
}
