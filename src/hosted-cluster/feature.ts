/** The manifests of hosted clusters, and the installation of HyperShift. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "render hosted-cluster": () => import("./render-hosted-cluster.js"),
  "render hypershift-install": () => import("./render-hypershift-install.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const documents = () => import("./documents.js");
