/** What other features use of clusters as a whole. */
export { createAllGraph } from "./steps.js";
