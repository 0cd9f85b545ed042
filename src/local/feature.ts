/** The emulator as a server. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "local serve": () => import("./local.js").then(({ serve: run }) => ({ run })),
  "local env": () => import("./env.js"),
  "local reset": () => import("./local.js").then(({ reset: run }) => ({ run })),
  "local seed": () => import("./local.js").then(({ seed: run }) => ({ run })),
  "local status": () => import("./local.js").then(({ status: run }) => ({ run })),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const documents = () => import("./documents.js");
