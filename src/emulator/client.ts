/** The entrance for clients: what it takes to reach the emulator, which itself loads only where no other process serves it. */
export { EmulatorError, EmulatorInputError } from "./emulator-error.js";
export { connectEmulator } from "./joining.js";
export { agentFor } from "./server/agent.js";
