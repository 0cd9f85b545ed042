/** The estate: everything that is in the subscriptions of a caller, whoever made it. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  list: () => import("./list.js"),
  budget: () => import("./budget.js"),
  audit: () => import("./audit.js"),
  sweep: () => import("./sweep.js"),
  "verify estate": () => import("./verify-estate.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const documents = () => import("./documents.js");
