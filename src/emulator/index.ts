/** The only entry point of the emulator, except for clients, which import client.ts. */
export { agentFor } from "./listeners/agent.js";
export { clientVariables } from "./client-variables.js";
export { openEmulator, type Emulator } from "./open.js";
export { connectEmulator, joinEmulator } from "./joining.js";
export { serve } from "./serving.js";
export { stateSnapshot, resetState, seedState } from "./state-commands.js";
export { largestSeed } from "./services/store-commands.js";
export type { StateSnapshot } from "./state/snapshot.js";
export { wellKnown } from "./state/well-known.js";
