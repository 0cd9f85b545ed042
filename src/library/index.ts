/** What `import … from "aro-hcp"` gives to programs. */
export { AroHcpError } from "./error.js";
export { run, type RunOptions } from "./run.js";
export type { Commands, Event, Failure } from "./types.js";
