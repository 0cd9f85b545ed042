/** The workload identities of a cluster whose control plane is self-managed. */
export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create iam": () => import("./create-iam.js"),
  "destroy iam": () => import("./destroy-iam.js"),
  "adopt iam": () => import("./adopt-iam.js"),
  "show iam": () => import("./show-iam.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const documents = () => import("./documents.js");
