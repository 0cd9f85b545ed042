/** The Azure infrastructure of a cluster: resource groups, network, DNS, egress, and the roles of identities. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create infra": () => import("./create-infra.js"),
  "destroy infra": () => import("./destroy-infra.js"),
  "adopt infra": () => import("./adopt-infra.js"),
  "show infra": () => import("./show-infra.js"),
  "verify infra": () => import("./verify-infra.js"),
  "graph infra": () => import("./graph-infra.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

export const checks = {
  "verify infra": (): Promise<Readonly<Record<string, Check>>> => import("./verify/checks.js").then(({ infraChecks }) => infraChecks),
};

export const documents = () => import("./documents.js");

export const recalled = () => import("./recalled-settings.js");
