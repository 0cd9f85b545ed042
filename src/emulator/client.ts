/** The entry point for clients, which loads the emulator only if no other process serves it. */
export { EmulatorError, EmulatorInputError, EmulatorServedError, EmulatorStateError } from "./common/emulator-error.js";
export { connectInProcess } from "./joining.js";
export { responseLimit } from "./core/local-settings.js";
export { agentFor } from "./listeners/agent.js";
