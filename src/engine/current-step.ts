/** The step that is running, for whoever works on its behalf beneath the SDKs, which hand nothing through: a client's pipeline notes what it waits for. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { StepIo } from "./step.js";

const storage = new AsyncLocalStorage<StepIo>();

/** Undefined outside of any step. */
export function currentStep(): StepIo | undefined {
  return storage.getStore();
}

export function asCurrentStep<T>(io: StepIo, work: () => T): T {
  return storage.run(io, work);
}
