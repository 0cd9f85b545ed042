/** What other features use of an estate. */
export { readRoom, type Room } from "./room.js";
