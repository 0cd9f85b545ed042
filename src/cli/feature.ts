/** The commands about the program itself: help, version, completion, settings and schemas. */
export { commands } from "./commands.js";

export const modules = {
  init: () => import("./init.js"),
  "show settings": () => import("./show-settings.js"),
  schema: () => import("./schema.js"),
  completion: () => import("./completion.js"),
  version: () => import("./version.js"),
};

export const documents = () => import("./documents.js");
