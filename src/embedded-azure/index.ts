/** The embedded Azure's one entrance: nothing outside this folder imports anything else of it. */
export { agentFor } from "./door/agent.js";
export { EmbeddedAzureError, EmbeddedAzureInputError } from "./embedded-azure-error.js";
export { openEmbeddedAzure, type EmbeddedAzure } from "./open.js";
export { enterEmbeddedAzure, joinEmbeddedAzure, serve } from "./serving.js";
export { pictureOfWorld, resetWorld, seedWorld } from "./world-commands.js";
export type { WorldPicture } from "./world/picture.js";
export { wellKnown } from "./world/seed.js";
