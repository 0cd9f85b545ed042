/** What other features use of the doctor. */
export { wantedResources } from "./wanted-resources.js";
