/** What other features use of an estate. */
export { readRoom } from "./room.js";
