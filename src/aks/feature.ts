/** Management clusters and service clusters: AKS clusters for hosted control planes, and for the services of ARO HCP. */
import type { Check } from "../verify/check.js";

export { commands } from "./commands.js";
export { options } from "./options.js";

export const modules = {
  "create management-cluster": () => import("./commands/create-management-cluster.js"),
  "destroy management-cluster": () => import("./commands/destroy-management-cluster.js"),
  "show management-cluster": () => import("./commands/show-management-cluster.js"),
  "verify management-cluster": () => import("./commands/verify-management-cluster.js"),
  "graph management-cluster": () => import("./commands/graph-management-cluster.js"),
  "create service-cluster": () => import("./commands/create-service-cluster.js"),
  "destroy service-cluster": () => import("./commands/destroy-service-cluster.js"),
  "show service-cluster": () => import("./commands/show-service-cluster.js"),
  "verify service-cluster": () => import("./commands/verify-service-cluster.js"),
  "graph service-cluster": () => import("./commands/graph-service-cluster.js"),
  "render ingress": () => import("./commands/render-ingress.js"),
};

export const optionChecks = () => import("./option-checks.js").then(({ checks }) => checks);

/** The checks that `--only` selects. */
export const checks = {
  "verify management-cluster": (): Promise<Readonly<Record<string, Check>>> =>
    import("./verify/checks.js").then(({ aksChecks }) => aksChecks),
  "verify service-cluster": (): Promise<Readonly<Record<string, Check>>> => import("./verify/checks.js").then(({ aksChecks }) => aksChecks),
};

export const documents = () => import("./documents.js");

export const recalled = () => import("./recalled-settings.js");
