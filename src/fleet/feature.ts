/** Fleets: one command for the identity sets, management clusters and clusters of a file. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create fleet": () => import("./apply-fleet.js").then(({ createFleet }) => createFleet),
  "destroy fleet": () => import("./apply-fleet.js").then(({ destroyFleet }) => destroyFleet),
  "verify fleet": () => import("./verify-fleet.js"),
  "show fleet": () => import("./show-fleet.js"),
  "render fleet-jobs": () => import("./render-fleet-jobs.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const documents = () => import("./documents.js");
