/** A cluster as a whole: infrastructure, identity set, issuer and encryption key. */
export { commands } from "./commands.js";

export const modules = {
  "create all": () => import("./create-all.js"),
  "destroy all": () => import("./destroy-all.js"),
  graph: () => import("./graph.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const documents = () => import("./documents.js");
