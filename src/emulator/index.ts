/** The emulator's one entrance: nothing outside this folder imports anything else of it. */
export { agentFor } from "./server/agent.js";
export { EmulatorError, EmulatorInputError } from "./emulator-error.js";
export { openEmulator, type Emulator } from "./open.js";
export { connectEmulator, joinEmulator, serve } from "./serving.js";
export { stateSnapshot, resetState, seedState } from "./state-commands.js";
export type { StateSnapshot } from "./state/snapshot.js";
export { wellKnown } from "./state/seed.js";
